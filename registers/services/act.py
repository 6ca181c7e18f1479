"""The shape that all acts of a player on one Register share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import transaction

from accounts.models import User
from registers.access import may_edit
from registers.models import Register
from rules.building import check_in_barracks
from rules.effects import Effect
from rules.force import Force
from rules.language import gettext
from rules.refusal import refuse
from rules.rulebook import Rulebook

from .ledger import book_for, held, in_stead, lock, note, write

Decide = Callable[[Rulebook, Force], Sequence[Effect]]


def act(
    *,
    actor: User,
    register_id: UUID,
    position: int | None,
    word: str,
    decide: Decide,
    answers: Sequence[object] = (),
) -> Register:
    """Lock a Register, ask `decide` what happens, and append it; returns the Register as it is then.

    The ledger names the owner too when somebody else acts. An old `position` changes nothing: somebody was
    quicker, or the same form came twice. Refuses who may not change it, a Register in the field (R11) and what
    `decide` refuses.
    """
    with transaction.atomic():
        [register] = lock(register_id)
        check_may_edit(actor, register)
        if position not in (None, register.position):
            return register
        happen(actor=actor, register=register, word=word, decide=decide, answers=answers)
        write(register)
    return register


def check_may_edit(actor: User, register: Register) -> None:
    """Refuse who may not change a locked Register: it may have been handed over since the page was drawn."""
    if actor.pk != register.owner_id and not may_edit(actor, register):
        raise refuse("", gettext("Only who leads a Register changes it, and who organises its campaign."))


def happen(
    *, actor: User, register: Register, word: str, decide: Decide, answers: Sequence[object] = ()
) -> None:
    """Let one act happen to a locked Register, to be written with others (`ledger.write`). Refuses as `act`."""
    force = held(register)
    check_in_barracks(force)
    note(
        actor=actor,
        acting_for=in_stead(actor, register),
        register=register,
        act=word,
        effects=decide(book_for(register), force),
        answers=answers,
    )

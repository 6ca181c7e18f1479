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

from .ledger import LedgerSession, book_for, in_stead

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
    """Lock a Register, ask `decide` what happens, and write it into the ledger. Returns the Register as it is then.

    The ledger names the owner too when somebody else acts. An old `position` changes nothing: somebody was
    quicker, or the same form came twice. Refuses who may not change it, a Register in the field (R11) and what
    `decide` refuses.
    """
    with transaction.atomic():
        session = LedgerSession.lock(register_id)
        register = session.registers[register_id]
        check_may_edit(actor, register)
        if position not in (None, register.position):
            return register
        happen(actor=actor, session=session, register=register, word=word, decide=decide, answers=answers)
        session.commit()
    return register


def check_may_edit(actor: User, register: Register) -> None:
    """Refuse who may not change a locked Register: it may have been handed over since the page was drawn."""
    if actor.pk != register.owner_id and not may_edit(actor, register):
        raise refuse("", gettext("Only who leads a Register changes it, and who organises its campaign."))


def happen(
    *,
    actor: User,
    session: LedgerSession,
    register: Register,
    word: str,
    decide: Decide,
    answers: Sequence[object] = (),
) -> None:
    """Stage one act on a Register of a session, which the caller commits. Refuses as `act`."""
    force = session.state(register)
    check_in_barracks(force)
    session.stage(
        register,
        actor=actor,
        on_behalf_of=in_stead(actor, register),
        act=word,
        effects=decide(book_for(register), force),
        answers=answers,
    )

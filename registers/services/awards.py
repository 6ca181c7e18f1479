"""Awards to many Registers at once: one entry each with the same reason, all of them or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from accounts.models import User
from registers.models import Act, Register
from rules.awards import Gift, award
from rules.effects import Effect
from rules.force import Force, fold
from rules.language import gettext
from rules.refusal import Problem, Refusal, refuse, refuse_any

from . import ledger
from .corrections import checked_reason, hindrances, note, tell


@dataclass(frozen=True, slots=True)
class Award:
    """What one Register gets, and the position of the ledger at which that was looked at."""

    gift: Gift
    position: int


def give(*, actor: User, awards: Mapping[UUID, Award], reason: str) -> list[Register]:
    """Give each Register what it is to get: one entry for each, all with this reason, or none at all.

    Registers in the field get theirs, too, if what is under way still works. The same form again changes nothing.
    The entry keeps the gift, so that it is given anew should the Register have been another one by then.
    Refuses a missing reason, no Register at all, one that has changed since the position, and whatever `effects_of`
    refuses of any; problems are about the primary key of the Register.
    """
    reason = checked_reason(reason)
    if not awards:
        raise refuse("", gettext("Choose the Registers that get it."), "registers")
    with transaction.atomic():
        registers = ledger.lock(*awards)
        if all(_given(register, awards[register.pk], reason) for register in registers):
            return registers
        refuse_any(problem for register in registers for problem in _changed(register, awards[register.pk]))
        ledger.hold(registers)
        found, problems = _judged(registers, awards)
        refuse_any(problems)
        for register in registers:
            note(
                actor=actor, register=register, effects=found[register.pk], reason=reason,
                answers=[awards[register.pk].gift.as_data()],
            )  # fmt: skip
        ledger.write(*registers)
        for register in registers:
            tell(register)
    return registers


def effects_of(register: Register, force: Force, gift: Gift) -> Sequence[Effect]:
    """What a gift comes to on a Register. Refuses what `rules.awards.award` and the rooms above refuse, and R10."""
    effects = award(ledger.book_for(register), force, gift)
    refuse_any(hindrances(register, force, fold(effects, force)))
    return effects


def _judged(
    registers: Sequence[Register], awards: Mapping[UUID, Award]
) -> tuple[dict[UUID, Sequence[Effect]], list[Problem]]:
    found: dict[UUID, Sequence[Effect]] = {}
    problems: list[Problem] = []
    for register in registers:
        try:
            found[register.pk] = effects_of(register, ledger.held(register), awards[register.pk].gift)
        except Refusal as refusal:
            problems += [
                Problem(each.rule, f"{register}: {each.text}", str(register.pk)) for each in refusal.problems
            ]
    return found, problems


def _changed(register: Register, given: Award) -> Sequence[Problem]:
    if given.position == register.position:
        return ()
    text = gettext("{register} has changed meanwhile. Look at it again.", register=register)
    return (Problem("", text, str(register.pk)),)


def _given(register: Register, given: Award, reason: str) -> bool:
    """Whether the entry after the position is this award already: the form came twice."""
    if register.position == given.position:
        return False
    entries = list(register.entries.filter(position__lte=given.position + 1).order_by("position"))
    if len(entries) != given.position + 1 or entries[-1].act != Act.CORRECT or entries[-1].reason != reason:
        return False
    try:
        wanted = award(ledger.book_for(register), ledger.replay(entries[:-1]), given.gift)
    except Refusal:
        return False
    return wanted == ledger.effects_of(entries[-1])

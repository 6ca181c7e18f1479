"""Awards to many Registers at once: one entry each with the same reason, for all of them or none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from django.utils.translation import gettext

from accounts.models import User
from registers.ledger.session import LedgerSession, effects_of_entry, replay_entries, rulebook_for
from registers.models import EntryType, LedgerEntry, Register
from registers.projection import StateChange
from rules.adjustments.awards import Gift, award
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.register.effects import Effect
from rules.register.state import RegisterState, replay

from .corrections import checked_reason, commit, hindrances, stage_undo


class RegisterAward(Value):
    """The gift for one Register, and the ledger position at which it was judged."""

    gift: Gift
    position: int


class Judged(Value):
    """The effects of a gift on a Register, or why the Register cannot get it."""

    effects: Sequence[Effect] = ()
    violations: Sequence[Violation] = ()


def give(
    *, actor: User, registers: Sequence[Register], awards: Mapping[UUID, RegisterAward], reason: str
) -> Sequence[Register]:
    """Give each of these locked Registers its award, one entry each with this reason, or none at all.

    A form sent twice changes nothing. The caller checks permissions. Refuses a missing reason, no Register, one that
    has changed since the position, and the violations of `judged`, about the Register's primary key.
    """
    reason = checked_reason(reason)
    if not registers:
        raise refuse("", gettext("Choose at least one Register."), "registers")
    session = LedgerSession(registers)
    if all(_given(session, register, awards[register.pk], reason) for register in registers):
        return registers
    raise_if_any(violation for register in registers for violation in _changed(register, awards[register.pk]))
    found = judged([(register, session.state(register), awards[register.pk].gift) for register in registers])
    raise_if_any(
        Violation(each.rule, f"{register}: {each.text}", str(register.pk))
        for register in registers
        for each in found[register.pk].violations
    )
    together = {"award": str(uuid4())}  # the same in all entries of this award
    for register in registers:
        session.stage(
            register, actor=actor, act=EntryType.CORRECT, effects=found[register.pk].effects, reason=reason,
            answers=[awards[register.pk].gift.as_data(), together],
        )  # fmt: skip
    commit(session)
    return registers


def undo_awards(
    *, actor: User, session: LedgerSession, awards: Mapping[UUID, Sequence[LedgerEntry]], reason: str
) -> None:
    """Undo the awards of these entries on the Registers of a session, all or none; undone ones stay so.

    The caller checks permissions. Refuses as `undo_correction` does, each with the name of its Register.
    """
    reason = checked_reason(reason)
    violations: dict[UUID, Sequence[Violation]] = {}
    changes: list[StateChange] = []
    for key, entries in awards.items():
        register = session.registers[key]
        try:
            change = stage_undo(session, register, entries, actor=actor, reason=reason)
            changes += [change] if change else []
        except RuleViolation as refusal:
            violations[register.pk] = refusal.violations
    violations |= hindrances(changes)
    raise_if_any(
        replace(each, text=f"{session.registers[key]}: {each.text}")
        for key in awards
        for each in violations.get(key, ())
    )
    commit(session)


def judged(gifts: Sequence[tuple[Register, RegisterState, Gift]]) -> dict[UUID, Judged]:
    """Return the result of each gift on its Register, by primary key.

    Violations come from `rules.adjustments.awards.award`, from other apps' checks, and from R10.
    """
    found: dict[UUID, Judged] = {}
    changes: list[StateChange] = []
    for register, state, gift in gifts:
        try:
            found[register.pk] = Judged(award(rulebook_for(register), state, gift))
        except RuleViolation as refusal:
            found[register.pk] = Judged(violations=refusal.violations)
        else:
            changes.append(StateChange(register, state, replay(found[register.pk].effects, state)))
    for key, violations in hindrances(changes).items():
        found[key] = replace(found[key], violations=violations)
    return found


def _changed(register: Register, given: RegisterAward) -> Sequence[Violation]:
    if given.position == register.position:
        return ()
    text = gettext("%(register)s has changed since then. Check it and confirm again.") % {"register": register}
    return (Violation("", text, str(register.pk)),)


def _given(session: LedgerSession, register: Register, given: RegisterAward, reason: str) -> bool:
    """Return whether the entry after the position already is this award: the form was sent twice."""
    if register.position == given.position:
        return False
    entries = session.entries(register)[: given.position + 1]
    if len(entries) != given.position + 1 or entries[-1].act != EntryType.CORRECT or entries[-1].reason != reason:
        return False
    try:
        wanted = award(rulebook_for(register), replay_entries(entries[:-1]), given.gift)
    except RuleViolation:
        return False
    return wanted == effects_of_entry(entries[-1])

"""Correcting Registers by hand, undoing that, and the notices to their owners."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from uuid import UUID

import pgtrigger
from django.db import IntegrityError, transaction

from accounts.models import User
from registers.access import may_correct
from registers.ledger.session import (
    LedgerSession,
    counting_entries,
    effects_of_entry,
    on_behalf_of,
    replay_entries,
    rulebook_for,
)
from registers.models import CorrectionNotice, EntryType, LedgerEntry, Register
from registers.projection import StateChange
from registers.signals import registers_corrected
from rules.adjustments.corrections import Correction, Wish, corrected, is_corrected
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.register.effects import Effect, Noted
from rules.register.state import RegisterState


def announce_corrections(entries: Collection[LedgerEntry]) -> None:
    """Notify the owners of corrected Registers who did not act themselves, and send `registers_corrected`."""
    if not entries:
        return
    CorrectionNotice.objects.bulk_create(
        CorrectionNotice(entry=entry)
        for entry in entries
        if entry.register.owner_id not in (None, entry.actor_id)
    )
    registers_corrected.send(sender=LedgerEntry, entries=entries)


def dismiss_notices(*, actor: User, entries: Iterable[int]) -> None:
    """Delete the notices of these entries (by primary key) for Registers that `actor` owns."""
    own = CorrectionNotice.objects.filter(entry__register__owner=actor)
    own.filter(entry__in=list(entries)).delete()


LONGEST_REASON = 500
LET_STAND = gettext_noop("corrected against the rule")

#: Asks whether corrections leave Registers fit for what is under way: each Register, its state now and afterwards.
Check = Callable[[Sequence[StateChange]], Iterable[tuple[Register, Violation]]]
Listener = Callable[[Collection[Register]], None]

_also_asked: list[Check] = []
_also_told: list[Listener] = []


def register_check(check: Check) -> None:
    """Let `check` name what keeps a correction from being made; rooms above name it in their `AppConfig.ready`."""
    _also_asked.append(check)


def register_listener(listener: Listener) -> None:
    """Call `listener` with all locked Registers that a correction has changed, in the transaction that wrote it."""
    _also_told.append(listener)


class RulesBroken(RuleViolation):
    """Only the rules of the game are against it: whoever insists (`override`) may let it stand."""


def correct(
    *,
    actor: User,
    register_id: UUID,
    position: int,
    wishes: Sequence[Wish],
    reason: str,
    override: bool = False,
) -> LedgerEntry | None:
    """Make the values of a Register those wished for: one entry with every old and new value, or none.

    Allowed in the field too, as long as what is under way still works (`also_ask`). The same wishes from an old
    `position` change nothing; others are refused. Refuses who may not correct it, a missing reason, a discarded
    Register (R10), what no row can hold and, unless `override`, what the rules forbid (AgainstRules).
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        if position != register.position:
            _check_same(session, register, position, wishes, reason)
            return None
        found = judged(register, session.state(register), wishes)
        raise_if_any(found.impossible)
        if found.against_rules and not override:
            raise RulesBroken(found.against_rules)
        if not found.effects:
            return None
        effects = [*found.effects, *notes(found.against_rules)]
        entry = stage(session, register, actor=actor, effects=effects, reason=reason)
        commit(session, override=override)
        return entry


def _locked(actor: User, register_id: UUID) -> tuple[LedgerSession, Register]:
    session = LedgerSession.lock(register_id)
    register = session.registers[register_id]
    if not may_correct(actor, register):
        raise refuse("", gettext("Only those who organize correct a Register."))
    return session, register


def judged(register: Register, state: RegisterState, wishes: Iterable[Wish]) -> Correction:
    """What the wishes come to on a Register, with all that is against them; nothing is written."""
    found = corrected(rulebook_for(register), state, wishes)
    hindered = hindrances([StateChange(register, state, found.after)])[register.pk] if found.effects else ()
    return replace(found, impossible=(*found.impossible, *hindered))


def stage(
    session: LedgerSession,
    register: Register,
    *,
    actor: User,
    effects: Sequence[Effect],
    reason: str,
    answers: Sequence[Any] = (),
) -> LedgerEntry:
    """Stage a correction; the caller has asked the rules. `answers` led to the effects, if anything did."""
    return session.stage(
        register,
        actor=actor,
        on_behalf_of=on_behalf_of(actor, register),
        act=EntryType.CORRECT,
        effects=effects,
        answers=answers,
        reason=reason,
    )


def commit(session: LedgerSession, *, override: bool = False) -> None:
    """Write the staged corrections, notify players and listeners (`also_tell`). Refuses what no row can hold.

    With `override` more of an asset may be held than R43 says.
    """
    changed = [register for register in session.registers.values() if session.staged(register)]
    entries = [entry for register in changed for entry in session.staged(register)]
    write(session, override=override)
    announce_corrections(entries)
    if changed:
        for listener in _also_told:
            listener(changed)


def write(session: LedgerSession, *registers: Register, override: bool = False) -> None:
    """Do the same, of these Registers or of all in the session, but tell nobody."""
    # The one rule of a correction that a trigger holds: how much of an asset a Register may hold (R43).
    beyond = pgtrigger.ignore("registers.RegisterAsset:held_at_most") if override else nullcontext()
    try:
        with transaction.atomic(), beyond:
            session.commit(*registers)
    except IntegrityError:
        raise refuse("", gettext("What happened since does not go together with it.")) from None


def undo(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Undo a correction by its primary key or position; one that is undone already changes nothing.

    Refuses who may not correct it, a missing reason, another kind of entry, what later entries stand on, and what
    is under way and would not work without it (`also_ask`).
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = [
            each for each in session.entries(register) if entry_id == each.pk or position == each.position
        ]
        if change := stage_undo(session, register, entries, actor=actor, reason=reason):
            raise_if_any(hindrances([change])[register.pk])
            commit(session)
    return register


def stage_undo(
    session: LedgerSession, register: Register, entries: Sequence[LedgerEntry], *, actor: User, reason: str
) -> StateChange | None:
    """Stage the undo of corrections; None where all of them are undone. Refuses none, and other kinds of entry."""
    if not entries or any(entry.act != EntryType.CORRECT for entry in entries):
        raise refuse("", gettext("Only a correction is taken back here."))
    before = session.state(register)
    session.stage_undo(
        register, entries, actor=actor, on_behalf_of=on_behalf_of(actor, register), reason=reason
    )
    return StateChange(register, before, session.state(register)) if session.staged(register) else None


def _in_place_of(entries: Iterable[LedgerEntry], entry: LedgerEntry | None) -> LedgerEntry | None:
    return next((each for each in entries if entry and each.undoes_id == entry.pk), None)


def hindrances(changes: Sequence[StateChange]) -> dict[UUID, list[Violation]]:
    """Return why Registers cannot be corrected, by primary key: discarded (R10), or something is under way."""
    discarded = Violation("R10", gettext("This Register was discarded: nothing happens to it any more."))
    found = {change.register.pk: [discarded] if change.before.discarded else [] for change in changes}
    for check in _also_asked:
        for register, violation in check(changes):
            found[register.pk].append(violation)
    return found


def redo(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Redo an undone correction in its old place; it is named by primary key or position. Twice changes nothing.

    Refuses a missing reason, an entry that is no undone correction, and what does not fit any more.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = session.entries(register)
        meant = (each for each in entries if entry_id == each.pk or position == each.position)
        entry = next((each for each in meant if each.act == EntryType.CORRECT), None)
        undo = _in_place_of(entries, entry)
        if entry is None or undo is None or undo.act != EntryType.UNDO:
            raise refuse("", gettext("Only a correction that was taken back comes back."))
        if not _in_place_of(entries, undo):
            before = session.state(register)
            anew = LedgerEntry(
                actor=actor, on_behalf_of=on_behalf_of(actor, register), act=EntryType.CORRECT, effects=entry.effects,
                answers=entry.answers, reason=reason, undoes=undo,
            )  # fmt: skip
            session.stage_replacements(register, [anew])
            raise_if_any(hindrances([StateChange(register, before, session.state(register))])[register.pk])
            commit(session, override=lets_too_many_stand(session.entries(register)))
    return register


def lets_too_many_stand(entries: Iterable[LedgerEntry]) -> bool:
    """Return whether an entry of a whole ledger that counts lets more of an asset stand than R43 says."""
    noted = (
        effect for entry in counting_entries(entries) for effect in entry.effects if effect["kind"] == "Noted"
    )
    return any((effect["rule"], effect["why"]) == ("R43", LET_STAND) for effect in noted)


def checked_reason(reason: str) -> str:
    """A reason without blanks around it. Refuses none, and one of more than LONGEST_REASON letters."""
    reason = reason.strip()
    if not reason:
        raise refuse("", gettext("Say why: everybody who reads the ledger will see it."), "reason")
    if len(reason) > LONGEST_REASON or "\0" in reason:
        raise refuse("", gettext("A reason has at most {longest} letters.", longest=LONGEST_REASON), "reason")
    return reason


def _check_same(
    session: LedgerSession, register: Register, position: int, wishes: Sequence[Wish], reason: str
) -> None:
    """Refuse wishes from an old position, unless the entry after it is what they came to."""
    entries = session.entries(register)[: position + 1]
    if len(entries) == position + 1 and entries[-1].act == EntryType.CORRECT and entries[-1].reason == reason:
        before = replay_entries(entries[:-1])
        if is_corrected(effects_of_entry(entries[-1]), wishes, rulebook_for(register), before):
            return
    raise refuse("", gettext("The Register has changed meanwhile. Look at it again, then correct it."))


def notes(violations: Iterable[Violation]) -> list[Effect]:
    """A note for each rule that was let stand."""
    return [
        Noted(rule=rule, why=LET_STAND) for rule in dict.fromkeys(violation.rule for violation in violations)
    ]

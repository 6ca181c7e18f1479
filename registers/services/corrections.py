"""Corrections of Registers by hand, their undo and redo, and notices to the owners."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from uuid import UUID

import pgtrigger
from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from registers import campaign_side
from registers.access import check_not_frozen, may_correct
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
from rules.adjustments.corrections import Correction, WantedValue, corrected, is_corrected
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.register.effects import Effect, Noted
from rules.register.state import RegisterState


def dismiss_notices(*, actor: User, entries: Iterable[int]) -> None:
    """Delete the notices of these entries (by primary key) for Registers that `actor` owns."""
    own = CorrectionNotice.objects.filter(entry__register__owner=actor)
    own.filter(entry__in=list(entries)).delete()


LONGEST_REASON = 500
LET_STAND = gettext_noop("corrected despite the rule")


class RulesBroken(RuleViolation):
    """Only game rules forbid the correction; the user may override them (`override`)."""


def correct(
    *, actor: User, register_id: UUID, position: int, wishes: Sequence[WantedValue], reason: str, override: bool = False
) -> LedgerEntry | None:
    """Set the values of a Register as wished: one entry with every old and new value, or none.

    Allowed during a battle too, unless it would break the battle or its sequence (`CampaignSide.hindrances`). The same
    wishes from an old `position` change nothing; others are refused. Refuses users who may not correct the Register,
    a missing reason, a discarded Register (R10), values that no row can store and, unless `override`, what the rules
    forbid (RulesBroken).
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
        entry = session.stage(register, actor=actor, act=EntryType.CORRECT, effects=effects, reason=reason)
        commit(session, override=override)
        return entry


def _locked(actor: User, register_id: UUID) -> tuple[LedgerSession, Register]:
    session = LedgerSession.lock(register_id)
    register = session.registers[register_id]
    check_not_frozen(register)
    if not may_correct(actor, register):
        raise refuse("", gettext("Only organizers can correct a Register."))
    return session, register


def judged(register: Register, state: RegisterState, wishes: Iterable[WantedValue]) -> Correction:
    """Return the correction that the wishes make on a Register, with all violations. Writes nothing."""
    found = corrected(rulebook_for(register), state, wishes)
    hindered = hindrances([StateChange(register, state, found.after)])[register.pk] if found.effects else ()
    return replace(found, impossible=(*found.impossible, *hindered))


def commit(session: LedgerSession, *, override: bool = False) -> None:
    """Write the staged corrections, notify owners who did not act themselves, and send `registers_corrected`. Refuses
    unstorable values. `override` allows more of an asset than R43 does.
    """
    changed = [register for register in session.registers.values() if session.staged(register)]
    entries = [entry for register in changed for entry in session.staged(register)]
    write(session, override=override)
    if not entries:
        return
    notify_owners(entries)
    campaign_side.registers_corrected.send(sender=LedgerEntry, entries=entries)


def notify_owners(entries: Iterable[LedgerEntry]) -> None:
    """Notify the owners of these new entries' Registers who did not write them."""
    CorrectionNotice.objects.bulk_create(
        CorrectionNotice(entry=entry) for entry in entries if entry.register.owner_id not in (None, entry.actor_id)
    )


def write(session: LedgerSession, *registers: Register, override: bool = False) -> None:
    """Write the staged corrections of these Registers, or of all in the session, without notifying anyone."""
    # The only rule that a trigger enforces on corrections: how many of an asset a Register may have (R43).
    beyond = pgtrigger.ignore("registers.RegisterAsset:held_at_most") if override else nullcontext()
    try:
        with transaction.atomic(), beyond:
            session.commit(*registers)
    except IntegrityError:
        raise refuse("", gettext("Later entries no longer fit this change. Undo those first.")) from None


def undo_correction(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Undo a correction, given by primary key or position. One that is already undone changes nothing.

    Refuses users who may not correct the Register, a missing reason, another kind of entry, a correction that later
    entries build on, and an undo that would break a battle or its sequence (`CampaignSide.hindrances`).
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = [each for each in session.entries(register) if entry_id == each.pk or position == each.position]
        if change := stage_undo(session, register, entries, actor=actor, reason=reason):
            raise_if_any(hindrances([change])[register.pk])
            commit(session)
    return register


def stage_undo(
    session: LedgerSession, register: Register, entries: Sequence[LedgerEntry], *, actor: User, reason: str
) -> StateChange | None:
    """Stage the undo of corrections; None if all are undone. Refuses an empty list and other kinds of entry."""
    if not entries or any(entry.act != EntryType.CORRECT for entry in entries):
        raise refuse("", gettext("Only a correction can be undone here."))
    before = session.state(register)
    session.stage_undo(register, entries, actor=actor, reason=reason)
    return StateChange(register, before, session.state(register)) if session.staged(register) else None


def _in_place_of(entries: Iterable[LedgerEntry], entry: LedgerEntry | None) -> LedgerEntry | None:
    return next((each for each in entries if entry and each.undoes_id == entry.pk), None)


def hindrances(changes: Sequence[StateChange]) -> dict[UUID, list[Violation]]:
    """Return why Registers cannot be corrected, by primary key: discarded (R10), or it would break a battle."""
    discarded = Violation("R10", gettext("This Register was deleted. It can no longer be changed."))
    found = {change.register.pk: [discarded] if change.before.discarded else [] for change in changes}
    for register, violation in campaign_side.campaigns.hindrances(changes):
        found[register.pk].append(violation)
    return found


def redo_correction(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Redo an undone correction in its old place, given by primary key or position. A second redo changes nothing.

    Refuses a missing reason, an entry that is not an undone correction, and one that no longer fits.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = session.entries(register)
        meant = (each for each in entries if entry_id == each.pk or position == each.position)
        entry = next((each for each in meant if each.act == EntryType.CORRECT), None)
        undo = _in_place_of(entries, entry)
        if entry is None or undo is None or undo.act != EntryType.UNDO:
            raise refuse("", gettext("Only an undone correction can be redone."))
        if not _in_place_of(entries, undo):
            before = session.state(register)
            again = LedgerEntry(
                actor=actor, on_behalf_of=on_behalf_of(actor, register), act=EntryType.CORRECT, effects=entry.effects,
                answers=entry.answers, reason=reason, undoes=undo,
            )  # fmt: skip
            session.stage_replacements(register, [again])
            raise_if_any(hindrances([StateChange(register, before, session.state(register))])[register.pk])
            commit(session, override=lets_too_many_stand(session.entries(register)))
    return register


def lets_too_many_stand(entries: Iterable[LedgerEntry]) -> bool:
    """Return whether any entry of a whole ledger that counts allows more of an asset than R43 does."""
    noted = (effect for entry in counting_entries(entries) for effect in entry.effects if effect["kind"] == "Noted")
    return any((effect["rule"], effect["why"]) == ("R43", LET_STAND) for effect in noted)


def checked_reason(reason: str) -> str:
    """Return a reason without surrounding blanks. Refuses an empty one, and one of more than LONGEST_REASON letters."""
    if not (reason := reason.strip()):
        raise refuse("", gettext("Give a reason. Everyone who can see the history will read it."), "reason")
    if len(reason) > LONGEST_REASON or "\0" in reason:
        raise refuse(
            "",
            gettext("This reason is too long. Use up to %(longest)s characters.") % {"longest": LONGEST_REASON},
            "reason",
        )
    return reason


def _check_same(
    session: LedgerSession, register: Register, position: int, wishes: Sequence[WantedValue], reason: str
) -> None:
    """Refuse wishes from an old position, unless the entry after it has exactly their changes."""
    entries = session.entries(register)[: position + 1]
    if len(entries) == position + 1 and entries[-1].act == EntryType.CORRECT and entries[-1].reason == reason:
        before = replay_entries(entries[:-1])
        if is_corrected(effects_of_entry(entries[-1]), wishes, rulebook_for(register), before):
            return
    raise refuse("", gettext("The Register has changed since then. Check it, then save again."))


def notes(violations: Iterable[Violation]) -> list[Effect]:
    """Return a note for each rule that was overridden."""
    return [Noted(rule=rule, why=LET_STAND) for rule in dict.fromkeys(violation.rule for violation in violations)]

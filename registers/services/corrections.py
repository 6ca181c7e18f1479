"""Notices to players: somebody else corrected their Register."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any
from uuid import UUID

import pgtrigger
from django.db import IntegrityError, transaction

from accounts.models import User
from registers.access import may_correct
from registers.models import Act, CorrectionNotice, Entry, Register
from registers.signals import registers_corrected
from rules.corrections import Correction, Wish, corrected, is_corrected
from rules.effects import Effect, Noted
from rules.force import Force
from rules.language import gettext, gettext_noop
from rules.refusal import Problem, Refusal, refuse, refuse_any

from .ledger import LedgerSession, book_for, effects_of, in_stead, replay, that_count
from .projection import Change


def announce_corrections(entries: Collection[Entry]) -> None:
    """Notify the owners of corrected Registers, and tell whoever listens to `registers_corrected`.

    `entries` are saved corrections, awards, or undos of such, with their Registers. Owners who acted themselves get no
    notice.
    """
    if not entries:
        return
    CorrectionNotice.objects.bulk_create(
        CorrectionNotice(entry=entry)
        for entry in entries
        if entry.register.owner_id not in (None, entry.actor_id)
    )
    registers_corrected.send(sender=Entry, entries=entries)


def dismiss_notices(*, actor: User, entries: Iterable[int]) -> None:
    """Delete the notices of these entries (by primary key) for Registers that `actor` owns.

    Notices that are gone already, and those of other people, are left alone.
    """
    own = CorrectionNotice.objects.filter(entry__register__owner=actor)
    own.filter(entry__in=list(entries)).delete()


LONGEST_REASON = 500
LET_STAND = gettext_noop("corrected against the rule")

#: Asks whether corrections leave Registers fit for what is under way: each Register, its Force now and afterwards.
Check = Callable[[Sequence[Change]], Iterable[tuple[Register, Problem]]]
Listener = Callable[[Collection[Register]], None]

_also_asked: list[Check] = []
_also_told: list[Listener] = []


def also_ask(check: Check) -> None:
    """Let `check` name what keeps a correction from being made; rooms above name it in their `AppConfig.ready`."""
    _also_asked.append(check)


def also_tell(listener: Listener) -> None:
    """Call `listener` with all locked Registers that a correction has changed, in the transaction that wrote it."""
    _also_told.append(listener)


class AgainstRules(Refusal):
    """Only the rules of the game are against it: whoever insists (`override`) may let it stand."""


def correct(
    *,
    actor: User,
    register_id: UUID,
    position: int,
    wishes: Sequence[Wish],
    reason: str,
    override: bool = False,
) -> Entry | None:
    """Make the values of a Register those that are wished for: one entry with every old and new value, or none.

    It may be done while the Register is in the field, too, as long as what is under way still works (`also_ask`): a
    mistake is often found when a step of the sequence shows it. The same wishes from an old `position` change nothing;
    others are refused. Refuses who may not correct it (`access.may_correct`), a missing reason, a Register that was
    discarded (R10), what no row can hold, and, unless `override`, what the rules forbid (AgainstRules). What is
    overridden is noted in the entry.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        if position != register.position:
            _check_same(session, register, position, wishes, reason)
            return None
        found = judged(register, session.state(register), wishes)
        refuse_any(found.impossible)
        if found.against_rules and not override:
            raise AgainstRules(found.against_rules)
        if not found.effects:
            return None
        effects = [*found.effects, *notes(found.against_rules)]
        entry = stage(session, register, actor=actor, effects=effects, reason=reason)
        commit(session, override=override)
        return entry


def _locked(actor: User, register_id: UUID) -> tuple[LedgerSession, Register]:
    """Lock a Register. Who may correct it is asked now: the role may be gone since the page was drawn."""
    session = LedgerSession.lock(register_id)
    register = session.registers[register_id]
    if not may_correct(actor, register):
        raise refuse("", gettext("Only those who organise correct a Register."))
    return session, register


def judged(register: Register, force: Force, wishes: Iterable[Wish]) -> Correction:
    """What the wishes come to on a Register, with all that is against them; nothing is written."""
    found = corrected(book_for(register), force, wishes)
    hindered = hindrances([Change(register, force, found.after)])[register.pk] if found.effects else ()
    return replace(found, impossible=(*found.impossible, *hindered))


def stage(
    session: LedgerSession,
    register: Register,
    *,
    actor: User,
    effects: Sequence[Effect],
    reason: str,
    answers: Sequence[Any] = (),
) -> Entry:
    """Stage a correction; the caller has asked the rules. `answers` is what the effects were worked out from, if
    anything.
    """
    return session.stage(
        register,
        actor=actor,
        on_behalf_of=in_stead(actor, register),
        act=Act.CORRECT,
        effects=effects,
        answers=answers,
        reason=reason,
    )


def commit(session: LedgerSession, *, override: bool = False) -> None:
    """Write the staged corrections, notify the players, and call those who asked to hear of them (`also_tell`).

    With `override` more of an asset may be held than R43 says. Refuses what no row can hold.
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
    try:
        with transaction.atomic(), beyond(override):
            session.commit(*registers)
    except IntegrityError:
        raise refuse("", gettext("What happened since does not go together with it.")) from None


def take_back(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Take a correction back, by its primary key or its position. One that is taken back already changes nothing.

    Refuses who may not correct it, a missing reason, an entry that is no correction, what later entries stand on
    (`LedgerSession.stage_undo`), and what is under way and would not work without it (`also_ask`).
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = _meant(session.entries(register), entry_id, position)
        if change := stage_undo(session, register, entries, actor=actor, reason=reason):
            refuse_any(hindrances([change])[register.pk])
            commit(session)
    return register


def stage_undo(
    session: LedgerSession, register: Register, entries: Sequence[Entry], *, actor: User, reason: str
) -> Change | None:
    """Stage the undo of corrections; None where all of them are undone already.

    Refuses none at all, one that is no correction, and what later entries stand on (`LedgerSession.stage_undo`).
    """
    if not entries or any(entry.act != Act.CORRECT for entry in entries):
        raise refuse("", gettext("Only a correction is taken back here."))
    before = session.state(register)
    session.stage_undo(register, entries, actor=actor, on_behalf_of=in_stead(actor, register), reason=reason)
    return Change(register, before, session.state(register)) if session.staged(register) else None


def _meant(entries: Iterable[Entry], entry_id: int | None, position: int | None) -> list[Entry]:
    """The entry with this primary key, or at this position, if there is one."""
    return [entry for entry in entries if entry_id == entry.pk or position == entry.position]


def _in_place_of(entries: Iterable[Entry], entry: Entry | None) -> Entry | None:
    """What undid an entry, or stands in its place."""
    return next((each for each in entries if entry and each.undoes_id == entry.pk), None)


def hindrances(changes: Sequence[Change]) -> dict[UUID, list[Problem]]:
    """Why Registers cannot become by hand what they shall, by the primary key of each: it was discarded (R10), or
    something is under way."""
    discarded = Problem("R10", gettext("This Register was discarded: nothing happens to it any more."))
    found = {change.register.pk: [discarded] if change.before.discarded else [] for change in changes}
    for check in _also_asked:
        for register, problem in check(changes):
            found[register.pk].append(problem)
    return found


def bring_back(
    *, actor: User, register_id: UUID, reason: str, entry_id: int | None = None, position: int | None = None
) -> Register:
    """Take the taking back of a correction back: its effects happen anew, in the old place, by the entry that names the
    undo. `entry_id` or `position` are of the correction. One that is back already changes nothing.

    Refuses a missing reason, an entry that is no correction which was taken back, and what does not fit any more.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        session, register = _locked(actor, register_id)
        entries = session.entries(register)
        meant = _meant(entries, entry_id, position)
        entry = next((entry for entry in meant if entry.act == Act.CORRECT), None)
        undo = _in_place_of(entries, entry)
        if entry is None or undo is None or undo.act != Act.UNDO:
            raise refuse("", gettext("Only a correction that was taken back comes back."))
        if not _in_place_of(entries, undo):
            _redo(session, register, entry, undo, actor, reason)
    return register


def _redo(
    session: LedgerSession, register: Register, entry: Entry, undo: Entry, actor: User, reason: str
) -> None:
    before = session.state(register)
    anew = Entry(
        actor=actor, acting_for=in_stead(actor, register), act=Act.CORRECT, effects=entry.effects,
        answers=entry.answers, reason=reason, undoes=undo,
    )  # fmt: skip
    override = _too_many_assets(entry) or lets_too_many_stand(session.entries(register))
    session.stage_replacements(register, [anew])
    refuse_any(hindrances([Change(register, before, session.state(register))])[register.pk])
    commit(session, override=override)


def lets_too_many_stand(entries: Iterable[Entry]) -> bool:
    """Return whether an entry of a whole ledger that counts lets more of an asset stand than R43 says."""
    return any(map(_too_many_assets, that_count(entries)))


def _too_many_assets(entry: Entry) -> bool:
    """Whether an entry let more of an asset stand than a Register may hold."""
    return any(
        effect["kind"] == "Noted" and (effect["rule"], effect["why"]) == ("R43", LET_STAND)
        for effect in entry.effects
    )


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
    """Refuse wishes from an old position, unless the entry after it is what they came to: the form came twice."""
    entries = session.entries(register)[: position + 1]
    if len(entries) == position + 1 and entries[-1].act == Act.CORRECT and entries[-1].reason == reason:
        before = replay(entries[:-1])
        if is_corrected(effects_of(entries[-1]), wishes, book_for(register), before):
            return
    raise refuse("", gettext("The Register has changed meanwhile. Look at it again, then correct it."))


def notes(problems: Iterable[Problem]) -> list[Effect]:
    """A note for each rule that was let stand."""
    return [Noted(rule=rule, why=LET_STAND) for rule in dict.fromkeys(problem.rule for problem in problems)]


def beyond(override: bool) -> AbstractContextManager[None]:
    """Let a Register hold more of an asset than it may: the one rule of a correction that a trigger holds (R43)."""
    return pgtrigger.ignore("registers.RegisterAsset:held_at_most") if override else nullcontext()

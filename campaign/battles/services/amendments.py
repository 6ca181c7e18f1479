"""Open, decide, apply and drop amendments, and write their results to battles, sides and ledgers in one transaction."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.battles import state_machine
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.report_changes import changes_between, whole_report
from campaign.battles.report_data import Facts
from campaign.battles.services import fair_dice, notifications, sequence
from campaign.battles.services.locks import lock_battle, lock_battles
from campaign.battles.services.planning import LONGEST_REASON, NO_REASON
from campaign.battles.services.replay import plan as plans
from campaign.battles.services.replay.decisions import choices_of, given, place_of, ways_out
from campaign.battles.services.replay.replay import plan_of
from campaign.battles.services.reports import BattleReport, violations_of
from campaign.battles.services.sequence import APP, TABLE
from campaign.battles.services.transition import arbiter_facts, transition
from campaign.models import Campaign, activity
from campaign.services.locks import lock_campaign
from members.roles import is_organizer
from registers.ledger.past import states_before
from registers.ledger.session import LedgerSession, on_behalf_of
from registers.models import EntryType, LedgerEntry, Register
from registers.services import corrections
from rules.core.violations import Fault, RuleViolation, raise_if_any, refuse
from rules.post_battle.rematch_answers import parts_of
from rules.register.effects import to_data

_CHANGED = Fault("", gettext_noop("This changed while you were looking. Review it again."))

#: Fields of a side that an amendment changes.
_OF_A_SIDE = ("army", "report", "victory_points", "open", "step", "answers", "rival", "turn")


def change_battles(actor: User, amendment: Amendment, plan: plans.Plan, battles: Sequence[Battle]) -> None:
    """Update the rows of locked battles and sides to the result of an amendment; the chronicle records it."""
    own = next(battle for battle in battles if battle.pk == amendment.battle_id)
    before = whole_report(own, own.sides.all())
    sides = {*_as_planned(plan, (side for battle in battles for side in battle.sides.all()))}
    sides |= {*_change_own(actor, amendment, own, before)}
    Side.objects.bulk_update(sides, _OF_A_SIDE)


def _as_planned(plan: plans.Plan, sides: Iterable[Side]) -> Iterator[Side]:
    planned = {now.side.pk: now for now in plan.sides}
    for side in sides:
        now, army = planned.get(side.pk), plan.armies.get(side.pk, {})
        for name, value in army.items():
            setattr(side, name, value)
        # An amendment may change the question of the step, so forms drawn earlier must answer nothing.
        runs = side.battle.status == Battle.Status.SEQUENCE
        asked = now if now and (runs or (list(now.answers), now.rival) != (side.answers, side.rival)) else None
        if asked:
            side.answers, side.rival, side.turn = list(asked.answers), asked.rival, side.turn + 1
        if army or asked:
            yield side


def _change_own(actor: User, amendment: Amendment, battle: Battle, before: Mapping[str, Any]) -> Collection[Side]:
    values = {name: getattr(amendment, name) for name in ("what", "colour", "reason")} | arbiter_facts(actor, battle)
    act, to, changed, sides = activity.Action.AMEND, battle.status, [], list(battle.sides.all())
    if amendment.what == Amendment.What.ANNUL:
        act, to, changed = activity.Action.ANNUL, Battle.Status.CANCELLED, ["winner", "closed_at"]
        battle.winner, battle.closed_at = "", None
        for side in sides:
            side.open, side.report, side.victory_points = False, {}, 0
            side.step, side.answers, side.rival = 0, [], None
        notifications.cancel_notification_of(battle)
    elif amendment.what == Amendment.What.REPORT:
        wanted, changed = amendment.wanted, ["winner", "mission", "notes", "version"]
        battle.version += 1
        for name in ("winner", "mission", "notes"):
            setattr(battle, name, wanted[name])
        for side in sides:
            side.report = wanted["facts"][side.colour]
            side.victory_points = wanted["victory_points"][side.colour]
        values["changes"] = changes_between(before, whole_report(battle, sides))
    transition(actor=actor, battle=battle, act=act, to=to, changed=changed, **values)
    return sides if changed else ()


def write_entries(actor: User, amendment: Amendment, plan: plans.Plan, session: LedgerSession) -> None:
    """Write the replacement entries of an amendment, in a `session` on the Registers of the plan, and link the
    amendment to them. The trigger that enforces R43 is skipped only for entries that go beyond it.
    """
    beyond = [reached.register for reached in plan.registers if _goes_beyond(reached.register, plan, session)]
    for reached in plan.registers:
        _stage(actor, amendment, reached, plan, session)
    within = [register for register in session.registers.values() if register not in beyond]
    for registers, override in ((within, False), (beyond, True)):
        if written := [entry for register in registers for entry in session.staged(register)]:
            corrections.write(session, *registers, override=override)
            amendment.entries.add(*written)
            first = {entry.register_id: entry for entry in reversed(written)}  # of each Register: it led to the others
            corrections.notify_owners(first.values())


def _goes_beyond(register: Register, plan: plans.Plan, session: LedgerSession) -> bool:
    stands = any(where.pk == register.pk and violation.rule == "R43" for where, violation in plan.let_stand)
    return stands or corrections.lets_too_many_stand(session.entries(session.registers[register.pk]))


def _stage(
    actor: User, amendment: Amendment, reached: plans.RegisterImpact, plan: plans.Plan, session: LedgerSession
) -> None:
    register = session.registers[reached.register.pk]
    entries = [_entry(actor, amendment, register, change) for change in reached.changes]
    stands = [violation for where, violation in plan.let_stand if where.pk == register.pk]
    if stands:
        noted = [to_data(note) for note in corrections.notes(stands)]
        stead = on_behalf_of(actor, register)
        entries.append(
            LedgerEntry(actor=actor, on_behalf_of=stead, act=EntryType.CORRECT, effects=noted, reason=amendment.reason)
        )
    if entries:
        session.stage_replacements(register, entries)


def _entry(actor: User, amendment: Amendment, register: Register, change: plans.EntryReplacement) -> LedgerEntry:
    was = change.entry
    entry = LedgerEntry(
        actor=actor, on_behalf_of=on_behalf_of(actor, register), act=EntryType.UNDO, battle=was.battle, step=was.step,
        reason=amendment.reason, undoes=was,
    )  # fmt: skip
    if change.effects is not None:
        entry.act, entry.answers = was.act, list(change.answers)
        entry.effects = [to_data(effect) for effect in change.effects]
        entry.rolled_by_hand = [
            place
            for place, item in enumerate(entry.answers)
            if isinstance(item, Mapping) and item.get("source") == TABLE
        ]
    return entry


@transaction.atomic
def open_amendment(
    *,
    actor: User,
    battle_id: UUID,
    what: str,
    reason: str,
    colour: str = "",
    step: int | None = None,
    report: BattleReport | None = None,
) -> Amendment:
    """Open an amendment to undo or correct a battle whose sequence has begun. Nothing changes yet.

    `what` is one of `Amendment.What`: ask again for the last answer, one `step` (the last if left out) or the whole
    sequence of the side of `colour`; replace the report with `report`; or void the battle. Refuses anyone but an
    organizer, a missing reason, a battle whose sequence has not begun, a side with nothing to undo, and an impossible
    report. A battle has at most one open amendment: the same request again returns it, a different one is refused.
    """
    lock_campaign(Q(battles=battle_id))
    battle, sides, _session = lock_battle(battle_id)
    _check_organizer(actor, battle.campaign)
    reason = _checked_reason(reason)
    state_machine.check(battle, activity.Action.ANNUL if what == Amendment.What.ANNUL else activity.Action.AMEND)
    wanted: dict[str, Any] = {}
    if what == Amendment.What.REPORT and report is not None:
        wanted = _report_wanted(battle, sides, report)
    elif what in (Amendment.What.ANSWER, Amendment.What.STEP, Amendment.What.SEQUENCE):
        wanted = _wanted_undo(next((side for side in sides if side.colour == colour), None), what, step)
    elif what != Amendment.What.ANNUL:
        raise refuse("", gettext("Choose what to undo."))
    wish = {"what": what, "colour": colour, "wanted": wanted}
    if found := Amendment.objects.filter(battle=battle, state=Amendment.State.OPEN).first():
        if {name: getattr(found, name) for name in wish} != wish:
            raise refuse("", gettext("Another amendment of this battle is open. Apply it or drop it first."))
        return found
    amendment = Amendment.objects.create(battle=battle, reason=reason, made_by=actor, **wish)
    _seal(actor, plan_of(amendment, plans.Snapshot(amendment, [battle])).halt, battle)
    return amendment


@transaction.atomic
def change_report(*, actor: User, amendment_id: UUID, report: BattleReport, reason: str) -> Amendment:
    """Change the corrected report of an open amendment, and its reason.

    The answers given since it was opened stay, above all the dice, and are used again where they fit. Refuses what
    `open_amendment` refuses, and an amendment that is not open or does not correct a report. The same again changes
    nothing.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    battle, sides, _session = lock_battle(amendment.battle_id)
    if amendment.state != Amendment.State.OPEN or amendment.what != Amendment.What.REPORT:
        raise refuse("", gettext("This amendment is no longer open. Correct the report again."))
    amendment.reason, wanted = _checked_reason(reason), _report_wanted(battle, sides, report)
    if wanted != amendment.wanted:
        amendment.wanted = wanted
        # Units and actions were left out because of the former report.
        amendment.decisions = [decision for decision in amendment.decisions if "answer" in decision]
    amendment.save(update_fields=["reason", "wanted", "decisions"])
    _seal(actor, plan_of(amendment, known).halt, battle)
    return amendment


@transaction.atomic
def decide(*, actor: User, amendment_id: UUID, seen: int, halt_digest: str, answer: Any, source: str) -> Amendment:
    """Answer the question at which an amendment stops.

    `seen` is how many decisions there were when it was asked, `halt_digest` the digest of the conflict on the page.
    An outdated form changes nothing. Refuses anyone but an organizer, an answer to a question that has changed since,
    and anything the question or the rules refuse. With the source APP the app rolls the dice.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    halt = _halt(amendment, known)
    if halt is None or halt.question is None or seen != len(amendment.decisions):
        return amendment
    check_shown(halt, halt_digest)
    asked, nth = _asked_side(halt), _ordinal(halt)
    battle, _sides, _session = lock_battle(asked.battle_id)
    item: dict[str, Any] = {"source": source, "by": actor.pk, "turn": _next_turn(amendment)}
    if source == APP:
        answer, item["draws"] = fair_dice.draw(actor=actor, side=asked, question=halt.question, ordinal=nth)
    halt.question.check(answer)
    for part in parts_of(halt.question, answer):
        values = {"what": part.what, "slot": halt.slots[part.what], "answer": part.answer, "shape": part.shape}
        amendment.decisions.append({**place_of(halt), **values, **item})
    after = plan_of(amendment, known).halt
    # The rules refuse the new answer as they refused the one before.
    if after and after.violations and (_spot(after), after.slots) == (_spot(halt), halt.slots):
        raise_if_any(after.violations)
    amendment.save(update_fields=["decisions"])
    _seal(actor, after, battle)
    return amendment


@transaction.atomic
def leave_out(*, actor: User, amendment_id: UUID, seen: int, halt_digest: str) -> Amendment:
    """Leave out an action that is no longer possible, or accept the problems of a Register at the end.

    Such an action is an Aid Request, an edit, a correction, the next Story Arc if the campaign has more (R49), or
    units of a later army or award. `seen` and `halt_digest` as for `decide`. Refuses anyone but an organizer, and an
    action that cannot be left out.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    halt = _halt(amendment, known)
    if halt is None or seen != len(amendment.decisions):
        return amendment
    check_shown(halt, halt_digest)
    if not (left_out := list(ways_out(halt))):
        raise refuse("", gettext("This cannot be left out."))
    turn = _next_turn(amendment)
    amendment.decisions += [{**decision, "turn": turn} for decision in left_out]
    amendment.save(update_fields=["decisions"])
    _seal(actor, plan_of(amendment, known).halt, None)
    return amendment


@transaction.atomic
def resolve_conflicts(
    *, actor: User, amendment_id: UUID, seen: int, halt_digest: str, choices: Mapping[str, str]
) -> Amendment:
    """Choose how a correction by hand applies to values that the amendment changes.

    `choices` are KEEP, DIFFERENCE or LEAVE_OUT of `rules.adjustments.corrections`, by `Conflict.about`; `seen` and
    `halt_digest` as for `decide`. Refuses anyone but an organizer, a value without a choice, and a choice that is
    impossible or makes the Register invalid.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    halt = _halt(amendment, known)
    if halt is None or seen != len(amendment.decisions):
        return amendment
    check_shown(halt, halt_digest)
    turn = _next_turn(amendment)
    amendment.decisions += [{**decision, "by": actor.pk, "turn": turn} for decision in choices_of(halt, choices)]
    after = plan_of(amendment, known).halt
    if after and after.violations and after.entry == halt.entry:
        raise_if_any(after.violations)
    amendment.save(update_fields=["decisions"])
    _seal(actor, after, None)
    return amendment


@transaction.atomic
def undo_last_decision(*, actor: User, amendment_id: UUID, seen: int) -> Amendment:
    """Undo the last decision of an open amendment, so that it is asked for again.

    Dice rolled by the app stay, whatever was decided since: they would be the same again. `seen` as for `decide`.
    Refuses anyone but an organizer. If there is nothing to undo, nothing changes.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    if amendment.state == Amendment.State.OPEN and seen == len(amendment.decisions):
        turn = undoable_turn(amendment)
        amendment.decisions = [decision for decision in amendment.decisions if decision["turn"] != turn]
        amendment.save(update_fields=["decisions"])
        _seal(actor, plan_of(amendment, known).halt, None)
    return amendment


def undoable_turn(amendment: Amendment) -> int | None:
    """Return the number of the last decision that can be undone: not one made by dice of the app."""
    return max((decision["turn"] for decision in amendment.decisions if decision.get("source") != APP), default=None)


def _next_turn(amendment: Amendment) -> int:
    return 1 + max((decision["turn"] for decision in amendment.decisions), default=0)


@transaction.atomic
def drop(*, actor: User, amendment_id: UUID) -> Amendment:
    """Drop an amendment without changing anything; repeating it does nothing. Its seeds are revealed, and the chronicle
    records it if the app has rolled for it. Refuses anyone but an organizer.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    if amendment.state != Amendment.State.OPEN:
        return amendment
    battles, _session = lock_battles(Q(pk__in={amendment.battle_id} | known.secret))
    if any("draws" in decision for decision in amendment.decisions):
        battle = next(each for each in battles if each.pk == amendment.battle_id)
        transition(actor=actor, battle=battle, act=activity.Action.LET_GO, to=battle.status, reason=amendment.reason)
    _close(actor, amendment, Amendment.State.DROPPED)
    _reveal(battles)
    return amendment


@transaction.atomic
def apply(*, actor: User, amendment_id: UUID, digest: str) -> Amendment:
    """Write the result of an amendment, all of it or nothing.

    `digest` is that of the plan on the page. Changed entries are replaced in their places, entries that no longer
    count are undone, each with the reason; the chronicle gets one line. Repeating it does nothing. Refuses anyone but
    an organizer, a plan that stops at a conflict, and a plan that has changed since.
    """
    amendment, known = _lock_amendment(actor, amendment_id)
    if amendment.state != Amendment.State.OPEN:
        return amendment
    seen = _as_seen(amendment, digest, known)
    battles, session = lock_battles(Q(pk__in={battle.pk for battle in seen.battles} | known.secret))
    plan = _as_seen(amendment, digest, known.under_lock(battles, session))
    change_battles(actor, amendment, plan, battles)
    amendment.kept = [item for reached in plan.registers for change in reached.changes for item in change.kept]
    amendment.kept += [item for now in plan.sides for item in now.kept]
    _close(actor, amendment, Amendment.State.APPLIED)
    _reveal(battles)
    write_entries(actor, amendment, plan, session)
    sequence.advance_sides(battles, session)
    return amendment


def _as_seen(amendment: Amendment, digest: str, known: plans.Snapshot) -> plans.Plan:
    """Return the plan of an amendment. Refuses one that has changed since it was shown, or that stops at a conflict."""
    plan = plan_of(amendment, known)
    if plan.halt:
        raise refuse("", gettext("Some questions are still open. Answer them first."))
    if plan.digest != digest:
        raise RuleViolation([_CHANGED()])
    return plan


def _lock_amendment(actor: User, amendment_id: UUID) -> tuple[Amendment, plans.Snapshot]:
    lock_campaign(Q(battles__amendments=amendment_id))
    if (known := plans.read_snapshot_of(amendment_id)) is None:
        raise Amendment.DoesNotExist
    _check_organizer(actor, known.amendment.battle.campaign)
    return known.amendment, known


def _check_organizer(actor: User, campaign: Campaign) -> None:
    if not is_organizer(actor, campaign):
        raise refuse("", gettext("Only an organizer can undo steps that others have built on."))


def _checked_reason(reason: str) -> str:
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise RuleViolation([NO_REASON("reason")])
    return reason


def _reveal(battles: Iterable[Battle]) -> None:
    fair_dice.reveal(*(battle for battle in battles if battle.status in state_machine.OVER))


def _report_wanted(battle: Battle, sides: list[Side], report: BattleReport) -> dict[str, Any]:
    facts = {side.colour: report.facts.get(side.colour, Facts()).as_data() for side in sides}
    points = {side.colour: report.victory_points.get(side.colour, 0) for side in sides}
    states = states_before(str(battle.pk), [side.register for side in sides if side.register])
    battle, sides = copy(battle), [copy(side) for side in sides]  # only to check them; not saved
    battle.winner = report.winner
    for side in sides:
        side.battle, side.report = battle, facts[side.colour]
    raise_if_any(violations_of(battle, sides, states))
    return {
        "winner": report.winner, "mission": report.mission, "notes": report.notes, "victory_points": points,
        "facts": facts,
    }  # fmt: skip


def _wanted_undo(side: Side | None, what: str, step: int | None) -> dict[str, Any]:
    if side is None or side.register is None:
        raise RuleViolation([sequence.NOTHING_TO_UNDO()])
    steps = sequence.finished_steps(side)
    own = sequence.own_answers(side, steps, follows=what == Amendment.What.STEP)
    own = [at for at in own if step in (None, at[0])]
    if not own:
        raise RuleViolation([sequence.NOTHING_TO_UNDO()])
    number, place = own[-1]
    if what == Amendment.What.SEQUENCE:
        return {}
    wanted = {"step": number, "place": place} if what == Amendment.What.ANSWER else {"step": number}
    return {**wanted, "given": given(side, steps, wanted)}


def _halt(amendment: Amendment, known: plans.Snapshot) -> plans.ReplayConflict | None:
    return plan_of(amendment, known).halt if amendment.state == Amendment.State.OPEN else None


def check_shown(halt: plans.ReplayConflict, halt_digest: str) -> None:
    """Refuse a form that was drawn for an earlier conflict of the amendment."""
    if halt.digest != halt_digest:
        raise RuleViolation([_CHANGED()])


def _asked_side(halt: plans.ReplayConflict) -> Side:
    side = halt.side
    if side is None or halt.battle is None or halt.step is None:
        raise ValueError("A question is asked in a step of a side")
    side.battle, side.step = halt.battle, halt.step
    return side


def _ordinal(halt: plans.ReplayConflict) -> int:
    """Return the number of the roll within its step that a question asks for, from 1."""
    return 1 + sum(given["source"] in (APP, TABLE) for given in halt.answers)


def _seal(actor: User, halt: plans.ReplayConflict | None, locked: Battle | None) -> None:
    """Promise the seed that dice of the next question need, before anyone rolls. `locked` is the locked battle."""
    if halt is None or halt.question is None:
        return
    asked = _asked_side(halt)
    battle = locked if locked and locked.pk == asked.battle_id else lock_battle(asked.battle_id)[0]
    if seed := fair_dice.promise_for(side=asked, question=halt.question, ordinal=_ordinal(halt)):
        transition(actor=actor, battle=battle, act=activity.Action.SEAL, to=battle.status, commitment=seed.commitment)


def _spot(halt: plans.ReplayConflict) -> tuple[Any, ...]:
    return halt.register.pk, halt.side and halt.side.pk, halt.step


def _close(actor: User, amendment: Amendment, state: str) -> None:
    amendment.state, amendment.closed_by, amendment.closed_at = state, actor, timezone.now()
    amendment.save(update_fields=["state", "closed_by", "closed_at", "kept"])

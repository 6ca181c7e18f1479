"""Undoing and correcting what others have built upon: an organiser opens a revision, sees what it comes to, decides
what is asked anew, and applies it in one piece, or drops it.

While a revision is open nothing of the books changes; each act reckons it anew (`campaign.rebuild`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaign import life
from campaign.facts import Facts
from campaign.models import Battle, Campaign, Revision, Side
from campaign.rebuild import Change, Halt, Plan, Reached, given, place_of, plan_of, ways_out
from campaign.services import dice, sequence, taking_back, webhooks
from campaign.services.battles import LONGEST_REASON
from campaign.services.life import as_a_player, go_on, lock_battle
from campaign.services.locks import lock_for_organiser
from campaign.services.reports import BattleReport, problems_of
from campaign.services.sequence import APP, TABLE
from config.together import Changes
from registers.models import Act, Entry, Register
from registers.past import forces_before
from registers.services import corrections, ledger
from rules.effects import to_data
from rules.language import gettext
from rules.refit import parts_of
from rules.refusal import refuse, refuse_any


@transaction.atomic
def open_revision(
    *,
    actor: User,
    battle_id: UUID,
    what: str,
    reason: str,
    colour: str = "",
    step: int | None = None,
    report: BattleReport | None = None,
) -> Revision:
    """Begin to undo or correct a battle whose sequence has begun: nothing changes yet.

    `what` is one of `Revision.What`: the last answer, a `step` (the last if it is left out) or the sequence of the side
    of `colour` is asked anew; the `report` becomes another one; or the battle counts for nobody. Refuses who does not
    organise, a missing reason, a battle that is not that far, a side that has nothing to take back, and a report that
    cannot be true. One revision of a battle is open at a time: the same wish again leads to it, another is refused.
    """
    battle, sides = _lock(actor, battle_id)
    reason = reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise refuse("", gettext("Say in a sentence why."), "reason")
    life.check(battle, life.Act.ANNUL if what == Revision.What.ANNUL else life.Act.REVISE)
    wanted: dict[str, Any] = {}
    if what == Revision.What.REPORT and report is not None:
        wanted = _report_wanted(battle, sides, report)
    elif what in (Revision.What.ANSWER, Revision.What.STEP, Revision.What.SEQUENCE):
        wanted = _taken_back(next((side for side in sides if side.colour == colour), None), what, step)
    elif what != Revision.What.ANNUL:
        raise refuse("", gettext("Say what is to be undone."))
    wish = {"what": what, "colour": colour, "wanted": wanted}
    if found := Revision.objects.filter(battle=battle, state=Revision.State.OPEN).first():
        if {name: getattr(found, name) for name in wish} != wish:
            raise refuse("", gettext("Another revision of this battle is open: apply it or drop it first."))
        return found
    revision = Revision.objects.create(battle=battle, reason=reason, made_by=actor, **wish)
    _seal(actor, plan_of(revision).halt)
    return revision


@transaction.atomic
def decide(
    *, actor: User, revision_id: UUID, seen: int, halt_digest: str, answer: Any, source: str
) -> Revision:
    """Answer anew the question at which a revision stops. `seen` is how many decisions there were when it was asked,
    `halt_digest` that of the halt which was shown.

    From an old form nothing changes. Refuses who does not organise, an answer to another question than the one that is
    asked by now, and what the question or the rules refuse. With the source APP the dice of the battle answer.
    """
    revision = _lock_open(actor, revision_id)
    halt = plan_of(revision).halt if revision else None
    if revision is None or halt is None or halt.question is None or seen != len(revision.decisions):
        return _now(revision_id)
    check_shown(halt, halt_digest)
    item: dict[str, Any] = {"source": source, "by": actor.pk}
    if source == APP:
        asked, nth = _asked_side(halt), _ordinal(halt)
        lock_battle(asked.battle_id)
        answer, item["draws"] = dice.draw(actor=actor, side=asked, question=halt.question, ordinal=nth)
    halt.question.check(answer)
    for part in parts_of(halt.question, answer):
        said = {"what": part.what, "slot": halt.slots[part.what], "answer": part.answer, "shape": part.shape}
        revision.decisions.append({**place_of(halt), **said, **item})
    after = plan_of(revision).halt
    _refuse_if_it_stops_there(after, halt)
    revision.save(update_fields=["decisions"])
    _seal(actor, after)
    return revision


@transaction.atomic
def leave_out(*, actor: User, revision_id: UUID, seen: int, halt_digest: str) -> Revision:
    """Leave out what cannot be any more: an Aid Request, an edit, a correction, the next Story Arc of a saga that is
    not over (R49), or units of a later army or award. What the rules have against a Register at the end is let stand
    instead.

    `seen` and `halt_digest` as for `decide`. Refuses who does not organise, and what cannot be left out.
    """
    revision = _lock_open(actor, revision_id)
    halt = plan_of(revision).halt if revision else None
    if revision is None or halt is None or seen != len(revision.decisions):
        return _now(revision_id)
    check_shown(halt, halt_digest)
    left_out = list(ways_out(halt))
    if not left_out:
        raise refuse("", gettext("This cannot be left out."))
    revision.decisions += left_out
    revision.save(update_fields=["decisions"])
    _seal(actor, plan_of(revision).halt)
    return revision


@transaction.atomic
def drop(*, actor: User, revision_id: UUID) -> Revision:
    """Give a revision up: nothing has changed; what was promised for its dice is shown, and the chronicle has a line
    if the app has rolled for it. Twice changes nothing. Refuses who does not organise."""
    if revision := _lock_open(actor, revision_id):
        battles = _lock_all({revision.battle_id} | dice.kept_from(revision.battle.campaign))
        if any("draws" in decision for decision in revision.decisions):
            battle, _sides = battles[revision.battle_id]
            go_on(actor=actor, battle=battle, act=life.Act.LET_GO, to=battle.status, reason=revision.reason)
        _reveal(battles)
        _close(actor, revision, Revision.State.DROPPED)
    return _now(revision_id)


@transaction.atomic
def apply(*, actor: User, revision_id: UUID, digest: str) -> Revision:
    """Write what a revision comes to, all of it or nothing. `digest` is that of the plan which was seen.

    Entries that become others are written anew in their places, and those that count no longer are undone, each with
    the reason; the chronicle has one line. Twice changes nothing. Refuses who does not organise, a plan that stops
    somewhere, and one that has become another since it was seen.
    """
    revision = _lock_open(actor, revision_id)
    if revision is None:
        return _now(revision_id)
    seen = _as_seen(revision, digest)
    battles = _lock_all({battle.pk for battle in seen.battles} | dice.kept_from(revision.battle.campaign))
    # All Registers of all these battles at once: walking on locks them, too, battle by battle.
    keys = {side.register_id for _battle, sides in battles.values() for side in sides if side.register_id}
    registers = {one.pk: one for one in ledger.lock(*sorted(keys))}
    plan = _as_seen(revision, digest)
    for reached in plan.registers:
        revision.entries.add(*_rewrite(actor, revision, registers[reached.register.pk], reached, plan))
    revision.kept = [item for reached in plan.registers for change in reached.changes for item in change.kept]
    revision.kept += [item for now in plan.sides for item in now.kept]
    _write_sides(plan)
    _close(actor, revision, Revision.State.APPLIED)
    _write_battle(actor, revision, *battles[revision.battle_id])
    for battle, _sides in battles.values():
        if battle.status == Battle.Status.SEQUENCE:
            sequence.go_on_walking(battle.pk)
    _reveal(battles)
    return revision


def _as_seen(revision: Revision, digest: str) -> Plan:
    """What a revision comes to, if it is what was seen, and whole."""
    plan = plan_of(revision)
    if plan.halt:
        raise refuse("", gettext("It is not decided yet what becomes of all that was built on it."))
    if plan.digest != digest:
        raise refuse("", gettext("What it comes to has changed meanwhile. Look at it once more first."))
    return plan


# --- Opening ---------------------------------------------------------------------------------------------------


def _lock(actor: User, battle_id: UUID) -> tuple[Battle, list[Side]]:
    campaign = Campaign.objects.get(battles=battle_id)
    lock_for_organiser(actor, campaign, gettext("Only an organiser undoes what others have built upon."))
    return lock_battle(battle_id)


def _lock_open(actor: User, revision_id: UUID) -> Revision | None:
    """A revision that is still open, its campaign locked."""
    campaign = Campaign.objects.get(battles__revisions=revision_id)
    lock_for_organiser(actor, campaign, gettext("Only an organiser undoes what others have built upon."))
    revision = _now(revision_id)
    return revision if revision.state == Revision.State.OPEN else None


def _lock_all(keys: Iterable[UUID]) -> dict[UUID, tuple[Battle, list[Side]]]:
    """Battles with their sides, locked in the order of their keys."""
    return {key: lock_battle(key) for key in sorted(keys)}


def _reveal(battles: Mapping[UUID, tuple[Battle, list[Side]]]) -> None:
    """Show what was promised for the dice of a revision, of all these battles that are over."""
    for battle, _sides in battles.values():
        if battle.status in life.OVER:
            dice.reveal(battle)


def _now(revision_id: UUID) -> Revision:
    [revision] = Revision.objects.select_related("battle__campaign").filter(pk=revision_id)
    return revision


def _report_wanted(battle: Battle, sides: list[Side], report: BattleReport) -> dict[str, Any]:
    facts = {side.colour: report.facts.get(side.colour, Facts()).as_data() for side in sides}
    points = {side.colour: report.victory_points.get(side.colour, 0) for side in sides}
    forces = forces_before(str(battle.pk), [side.register for side in sides if side.register])
    battle.winner = report.winner
    for side in sides:
        side.battle, side.report = battle, facts[side.colour]
    refuse_any(problems_of(battle, sides, forces))
    return {
        "winner": report.winner, "mission": report.mission, "notes": report.notes, "victory_points": points,
        "facts": facts,
    }  # fmt: skip


def _taken_back(side: Side | None, what: str, step: int | None) -> dict[str, Any]:
    if side is None or side.register is None:
        raise refuse("R50", gettext("There is nothing of this sequence to take back."))
    own = [
        at for at in taking_back.own_answers(side, taking_back.finished_steps(side)) if step in (None, at[0])
    ]
    if not own:
        raise refuse("R50", gettext("There is nothing of this sequence to take back."))
    number, place = own[-1]
    if what == Revision.What.SEQUENCE:
        return {}
    wanted = {"step": number, "place": place} if what == Revision.What.ANSWER else {"step": number}
    return {**wanted, "given": given(side, wanted)}


# --- Deciding --------------------------------------------------------------------------------------------------


def check_shown(halt: Halt, halt_digest: str) -> None:
    """Refuse a form that was drawn where a revision stopped before."""
    if halt.digest != halt_digest:
        raise refuse("", gettext("It stops at something else by now. Look at it once more."))


def _asked_side(halt: Halt) -> Side:
    side = halt.side
    if side is None or halt.battle is None or halt.step is None:
        raise ValueError("A question is asked in a step of a side")
    side.battle, side.step = halt.battle, halt.step
    return side


def _ordinal(halt: Halt) -> int:
    """Which roll of its step a question asks for, from 1."""
    return 1 + sum(given["source"] in (APP, TABLE) for given in halt.answers)


def _seal(actor: User, halt: Halt | None) -> None:
    """Promise the seed for what is asked next, if the dice need a new one, before anybody lets them roll."""
    if halt is None or halt.question is None:
        return
    asked = _asked_side(halt)
    battle, _sides = lock_battle(asked.battle_id)
    if seed := dice.promise_for(side=asked, question=halt.question, ordinal=_ordinal(halt)):
        go_on(actor=actor, battle=battle, act=life.Act.SEAL, to=battle.status, commitment=seed.commitment)


def _refuse_if_it_stops_there(after: Halt | None, halt: Halt) -> None:
    """Refuse an answer of which the rules think no better than of the one before; it stops at `after` with it."""
    if after and after.problems and (_spot(after), after.slots) == (_spot(halt), halt.slots):
        refuse_any(after.problems)


def _spot(halt: Halt) -> tuple[Any, ...]:
    return halt.register.pk, halt.side and halt.side.pk, halt.step


# --- Writing ---------------------------------------------------------------------------------------------------


def _rewrite(
    actor: User, revision: Revision, register: Register, reached: Reached, plan: Plan
) -> list[Entry]:
    """Write the entries of a locked Register that stand in the places of others from now on, and one that notes what
    was let stand against the rules."""
    entries = [_entry(actor, revision, register, change) for change in reached.changes]
    stands = [problem for where, problem in plan.let_stand if where.pk == register.pk]
    if stands:
        noted = [to_data(note) for note in corrections.notes(stands)]
        stead = ledger.in_stead(actor, register)
        entries.append(
            Entry(actor=actor, acting_for=stead, act=Act.CORRECT, effects=noted, reason=revision.reason)
        )
    if entries:
        override = any(problem.rule == "R43" for problem in stands) or corrections.lets_too_many_stand(
            register
        )
        ledger.note_anew(register=register, entries=entries)
        corrections.write_anew(register, override=override)
    return entries


def _entry(actor: User, revision: Revision, register: Register, change: Change) -> Entry:
    was = change.entry
    entry = Entry(
        actor=actor, acting_for=ledger.in_stead(actor, register), act=Act.UNDO, battle=was.battle, step=was.step,
        reason=revision.reason, undoes=was,
    )  # fmt: skip
    if change.effects is not None:
        entry.act, entry.answers = was.act, list(change.answers)
        entry.effects = [to_data(effect) for effect in change.effects]
        entry.rolled_by_hand = [place for place, item in enumerate(entry.answers) if _by_hand(item)]
    return entry


def _by_hand(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("source") == TABLE


def _write_sides(plan: Plan) -> None:
    for pk, data in plan.armies.items():
        Side.objects.filter(pk=pk).update(**data)
    rows = Side.objects.in_bulk([now.side.pk for now in plan.sides])
    for now in plan.sides:
        side = rows[now.side.pk]
        # Whatever the step asks by now, a form that was drawn before answers nothing.
        runs = now.side.battle.status == Battle.Status.SEQUENCE
        if runs or (list(now.answers), now.rival) != (side.answers, side.rival):
            side.answers, side.rival, side.turn = list(now.answers), now.rival, side.turn + 1
            side.save(update_fields=["answers", "rival", "turn"])


def _write_battle(actor: User, revision: Revision, battle: Battle, sides: list[Side]) -> None:
    """The rows of the battle itself, and its line in the chronicle."""
    said = {
        "what": revision.what,
        "colour": revision.colour,
        "reason": revision.reason,
        **as_a_player(actor, battle),
    }
    together, act, to, changed = Changes(), life.Act.REVISE, battle.status, []
    if revision.what == Revision.What.ANNUL:
        act, to, changed = life.Act.ANNUL, Battle.Status.CANCELLED, ["winner", "closed_at"]
        battle.winner, battle.closed_at = "", None
        for side in sides:
            side.open, side.report, side.victory_points = False, {}, 0
            side.step, side.answers, side.rival = 0, [], None
        together.update(sides, "open", "report", "victory_points", "step", "answers", "rival")
    elif revision.what == Revision.What.REPORT:
        wanted, changed = revision.wanted, ["winner", "mission", "notes", "version"]
        battle.version += 1
        for name in ("winner", "mission", "notes"):
            setattr(battle, name, wanted[name])
        for side in sides:
            side.report = wanted["facts"][side.colour]
            side.victory_points = wanted["victory_points"][side.colour]
        together.update(sides, "report", "victory_points")
    go_on(actor=actor, battle=battle, act=act, to=to, changed=changed, together=together, **said)
    together.write()
    if act == life.Act.ANNUL:
        webhooks.tell_nothing_of(battle)


def _close(actor: User, revision: Revision, state: str) -> None:
    revision.state, revision.closed_by, revision.closed_at = state, actor, timezone.now()
    revision.save(update_fields=["state", "closed_by", "closed_at", "kept"])

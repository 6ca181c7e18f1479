"""Writing what a revision comes to: the rows of battles and their sides, and the entries of Registers, all at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from accounts.models import User
from campaign import life
from campaign.models import Battle, Revision, Side
from campaign.rebuild import Change, Plan, Reached
from campaign.services import webhooks
from campaign.services.life import as_a_player, go_on
from campaign.services.sequence import TABLE
from registers.models import Act, Entry, Register
from registers.services import corrections
from registers.services.ledger import LedgerSession, in_stead
from rules.effects import to_data

#: What of a side a revision changes.
_OF_A_SIDE = ("army", "report", "victory_points", "open", "step", "answers", "rival", "turn")


def change_battles(actor: User, revision: Revision, plan: Plan, battles: Sequence[Battle]) -> None:
    """Change the rows of locked battles and of their sides to what a revision comes to, and record that in the
    chronicle of its own battle."""
    sides = {*_as_planned(plan, (side for battle in battles for side in battle.sides.all()))}
    own = next(battle for battle in battles if battle.pk == revision.battle_id)
    sides |= {*_change_own(actor, revision, own)}
    Side.objects.bulk_update(sides, _OF_A_SIDE)


def _as_planned(plan: Plan, sides: Iterable[Side]) -> Iterator[Side]:
    """Let the rows of locked sides become what a plan says of them; those that do."""
    planned = {now.side.pk: now for now in plan.sides}
    for side in sides:
        now, army = planned.get(side.pk), plan.armies.get(side.pk, {})
        for name, said in army.items():
            setattr(side, name, said)
        # Whatever the step asks by now, a form that was drawn before answers nothing.
        runs = side.battle.status == Battle.Status.SEQUENCE
        asked = (
            now if now and (runs or (list(now.answers), now.rival) != (side.answers, side.rival)) else None
        )
        if asked:
            side.answers, side.rival, side.turn = list(asked.answers), asked.rival, side.turn + 1
        if army or asked:
            yield side


def _change_own(actor: User, revision: Revision, battle: Battle) -> Collection[Side]:
    """Change the battle of a revision, with its line in the chronicle; its sides where they change."""
    said = {
        "what": revision.what,
        "colour": revision.colour,
        "reason": revision.reason,
        **as_a_player(actor, battle),
    }
    act, to, changed, sides = life.Act.REVISE, battle.status, [], list(battle.sides.all())
    if revision.what == Revision.What.ANNUL:
        act, to, changed = life.Act.ANNUL, Battle.Status.CANCELLED, ["winner", "closed_at"]
        battle.winner, battle.closed_at = "", None
        for side in sides:
            side.open, side.report, side.victory_points = False, {}, 0
            side.step, side.answers, side.rival = 0, [], None
        webhooks.tell_nothing_of(battle)
    elif revision.what == Revision.What.REPORT:
        wanted, changed = revision.wanted, ["winner", "mission", "notes", "version"]
        battle.version += 1
        for name in ("winner", "mission", "notes"):
            setattr(battle, name, wanted[name])
        for side in sides:
            side.report = wanted["facts"][side.colour]
            side.victory_points = wanted["victory_points"][side.colour]
    go_on(actor=actor, battle=battle, act=act, to=to, changed=changed, **said)
    return sides if changed else ()


def write_entries(actor: User, revision: Revision, plan: Plan, session: LedgerSession) -> None:
    """Write the entries that stand in the places of others from now on, and let the revision name them.

    `session` is of the Registers of the plan. Only those that go beyond R43 are written without its trigger.
    """
    beyond = [reached.register for reached in plan.registers if _goes_beyond(reached.register, plan, session)]
    for reached in plan.registers:
        _stage(actor, revision, reached, plan, session)
    within = [register for register in session.registers.values() if register not in beyond]
    for registers, override in ((within, False), (beyond, True)):
        if written := [entry for register in registers for entry in session.staged(register)]:
            corrections.write(session, *registers, override=override)
            revision.entries.add(*written)


def _goes_beyond(register: Register, plan: Plan, session: LedgerSession) -> bool:
    """Whether a Register may hold more of an asset than R43 says: it was let stand now or before."""
    stands = any(where.pk == register.pk and problem.rule == "R43" for where, problem in plan.let_stand)
    return stands or corrections.lets_too_many_stand(session.entries(session.registers[register.pk]))


def _stage(actor: User, revision: Revision, reached: Reached, plan: Plan, session: LedgerSession) -> None:
    """Stage the entries of a Register that become others, and one of what was let stand against the rules."""
    register = session.registers[reached.register.pk]
    entries = [_entry(actor, revision, register, change) for change in reached.changes]
    stands = [problem for where, problem in plan.let_stand if where.pk == register.pk]
    if stands:
        noted = [to_data(note) for note in corrections.notes(stands)]
        stead = in_stead(actor, register)
        entries.append(
            Entry(actor=actor, acting_for=stead, act=Act.CORRECT, effects=noted, reason=revision.reason)
        )
    if entries:
        session.stage_replacements(register, entries)


def _entry(actor: User, revision: Revision, register: Register, change: Change) -> Entry:
    was = change.entry
    entry = Entry(
        actor=actor, acting_for=in_stead(actor, register), act=Act.UNDO, battle=was.battle, step=was.step,
        reason=revision.reason, undoes=was,
    )  # fmt: skip
    if change.effects is not None:
        entry.act, entry.answers = was.act, list(change.answers)
        entry.effects = [to_data(effect) for effect in change.effects]
        entry.rolled_by_hand = [place for place, item in enumerate(entry.answers) if _by_hand(item)]
    return entry


def _by_hand(item: Any) -> bool:
    return isinstance(item, Mapping) and item.get("source") == TABLE

"""Reporting a battle: either player reports, the other confirms; then the sequence begins (section 5, R51)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import User
from campaign.books import book_of
from campaign.facts import Facts, army_of, report_of
from campaign.models import Battle, Side
from campaign.services import sequence
from campaign.services.battles import lock_battle, lock_registers
from registers.services import ledger
from rules.refusal import Problem, refuse, refuse_any
from rules.reporting import concession_problems, report_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleReport:
    """A whole report: who won ("blue", "red" or nobody), VP by colour, facts by colour, and notes."""

    winner: str
    facts: Mapping[str, Facts]
    victory_points: Mapping[str, int]
    mission: str = ""
    notes: str = ""


@transaction.atomic
def report(*, actor: User, battle_id: UUID, version: int | None, report: BattleReport) -> Battle:
    """Write (or write again) the report of a battle. `version` is the one the form was drawn from.

    Refuses what cannot be true (R21, R25, R39, R51), each problem `about` a colour and what is wrong there,
    and a report for a battle that is not in play. A report drawn from an older version is refused, so that
    nobody's entries are overwritten unseen; the same one, come twice, changes nothing.
    """
    battle, sides = lock_battle(battle_id)
    _write(actor, battle, sides, version, report)
    return battle


@transaction.atomic
def report_and_begin(*, actor: User, battle_id: UUID, version: int | None, report: BattleReport) -> Battle:
    """Report a battle that nobody else has to confirm, and begin its sequence; both or neither.

    Refuses as `report` does. Coming twice changes nothing.
    """
    battle, sides = lock_battle(battle_id)
    _write(actor, battle, sides, version, report)
    if battle.status == Battle.Status.REPORTED:
        _begin(actor, battle, sides, ask_all=False)
    return battle


@transaction.atomic
def confirm(*, actor: User, battle_id: UUID, version: int | None, ask_all: bool = False) -> Battle:
    """Agree to a report: the gains of the game are entered and both sequences begin.

    `version` is the one that was seen; a newer one is refused. Confirming twice changes nothing. `ask_all`:
    see `rules.script.run`.
    """
    battle, sides = lock_battle(battle_id)
    if battle.status in (Battle.Status.SEQUENCE, Battle.Status.CLOSED):
        return battle
    if battle.status != Battle.Status.REPORTED:
        raise refuse("R25", "There is no report to confirm.")
    if version is not None and version != battle.version:
        raise refuse("R25", "The report has been changed meanwhile. Look at it before you confirm.")
    _begin(actor, battle, sides, ask_all=ask_all)
    return battle


def needs_other_to_confirm(sides: list[Side], reporter: User) -> bool:
    """Whether a report waits for somebody else: two Registers of different owners fought."""
    owners = {side.register.owner_id for side in sides if side.register}
    return bool(owners - {reporter.pk})


def _write(actor: User, battle: Battle, sides: list[Side], version: int | None, report: BattleReport) -> None:
    if version is not None and battle.version == version + 1 and _says_already(battle, sides, report):
        return
    if battle.status not in (Battle.Status.IN_PLAY, Battle.Status.REPORTED):
        raise refuse("R25", "Only a battle in play can be reported.")
    if version is not None and version != battle.version:
        raise refuse("R25", "The report has been changed meanwhile. Look at it, then enter yours again.")
    for side in sides:
        facts = report.facts.get(side.colour, Facts())
        side.report = facts.as_data()
        side.victory_points = report.victory_points.get(side.colour, 0)
    battle.winner, battle.mission, battle.notes = report.winner, report.mission, report.notes
    refuse_any(_problems(battle, sides))
    Side.objects.bulk_update(sides, ["report", "victory_points"])
    battle.status, battle.reported_by, battle.version = Battle.Status.REPORTED, actor, battle.version + 1
    battle.save(update_fields=["winner", "mission", "notes", "status", "reported_by", "version"])


def _begin(actor: User, battle: Battle, sides: list[Side], *, ask_all: bool) -> None:
    battle.status = Battle.Status.SEQUENCE
    battle.save(update_fields=["status"])
    lock_registers(sides)
    sequence.begin(actor, battle, sides, ask_all=ask_all)


def _says_already(battle: Battle, sides: list[Side], report: BattleReport) -> bool:
    return (battle.winner, battle.mission, battle.notes) == (
        report.winner,
        report.mission,
        report.notes,
    ) and all(
        side.report == report.facts.get(side.colour, Facts()).as_data()
        and side.victory_points == report.victory_points.get(side.colour, 0)
        for side in sides
    )


def _problems(battle: Battle, sides: list[Side]) -> list[Problem]:
    conceded = frozenset(side.colour for side in sides if side.report.get("conceded"))
    book = next(book_of(side) for side in sides if side.register)
    problems = list(concession_problems(book, battle.winner, conceded))
    for side, other in (sides, sides[::-1]):
        if side.register:
            book, force = book_of(side), ledger.force_of(side.register)
            mustered: dict[str, Any] = side.army
            brought = army_of(book, mustered).agenda
            found = report_problems(book, force, report_of(book, battle, side, other), brought)
            problems += [
                replace(problem, about=f"{side.colour} {problem.about}".strip()) for problem in found
            ]
    return problems

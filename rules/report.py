"""What one side did in a battle, and what a report of it may not say (section 5, R21, R25, R39, R51).

A battle has two sides; the other one may be a guest without a Register (R17).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .army import CONTINGENCY_PLAN, Lent, open_agendas
from .cards import TurningPoint, Unit
from .force import Force
from .language import gettext
from .refusal import Problem
from .rulebook import Rulebook
from .wording import unit_label

Result = Literal["won", "lost", "drawn"]


def result_for(colour: str, winner: str) -> Result:
    """How a battle ended for the side of that colour; `winner` is the colour of the side that won, empty for a draw."""
    if not winner:
        return "drawn"
    return "won" if winner == colour else "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One side of a battle, seen by the Register that fought it. Units are named by their keys.

    `fielded` are the Dossiers of the army with the upgrades they took along; `lent` is what assets brought;
    `battle_force` the one that the army was built as, or empty.
    `agenda` is the Agenda in play at the end. `confirmed` and `claims` hold the texts of those conditions of
    the Agenda and of the mission's end of game that the player confirms. VP are victory points; the in-game
    gains are XP by unit and SP. `turning_point` is the mission played, `owns_turning_point` whether it is
    this Register's own (R22).
    """

    battle: str = ""
    opponent: str = "the opponent"
    opponent_is_guest: bool = False
    opponent_conceded: bool = False
    result: Result = "drawn"
    conceded: bool = False
    fielded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lent: tuple[Lent, ...] = ()
    assets: tuple[str, ...] = ()
    battle_force: str = ""
    agenda: str = ""
    contingency_switched: bool = False
    tokens: int = 0
    secondary_vp: int = 0
    opponent_secondary_vp: int = 0
    confirmed: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    asks: Mapping[str, int] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    defeated: tuple[str, ...] = ()
    contesting: tuple[str, ...] = ()
    in_game_experience: Mapping[str, int] = field(default_factory=dict)
    in_game_supply: int = 0
    turning_point: TurningPoint | None = None
    owns_turning_point: bool = False

    @property
    def lent_units(self) -> Mapping[str, Unit]:
        """Units lent by assets, by their key."""
        return {lent.key: lent.unit for lent in self.lent if lent.unit}

    @property
    def won(self) -> bool:
        """Whether this side won; a draw is not a win (R29)."""
        return self.result == "won"

    @property
    def lost(self) -> bool:
        """Whether this side lost; a draw is not a loss."""
        return self.result == "lost"


def report_problems(book: Rulebook, force: Force, report: Report, mustered_agenda: str) -> Iterator[Problem]:
    """Everything that cannot be true of one side's report, given its army and the Agenda it brought."""
    army = {*report.fielded, *report.lent_units}
    yield from _unit_problems(book, force, report, army)
    yield from _agenda_problems(book, force, report, mustered_agenda)
    yield from _mark_problems(book, force, report, army)
    if min(report.tokens, report.secondary_vp, report.in_game_supply, *report.asks.values(), 0) < 0:
        yield Problem("R25", gettext("Numbers in a report are not below 0."))
    for key, amount in report.in_game_experience.items():
        if key not in report.fielded or amount < 0:
            yield Problem("R16", gettext("Experience during the game goes to units that took part."), key)


def concession_problems(book: Rulebook, winner: str, conceded: frozenset[str]) -> Iterator[Problem]:
    """`winner` ("blue", "red" or "") has to agree with the sides that conceded (R51).

    Both have, if both ended the battle, unless the house says that then nobody has (`ended_together`).
    """
    if len(conceded) == 2 and book.house.ended_together == "nobody_concedes":
        yield Problem(
            "R51",
            gettext("A battle that both ended has nobody who conceded: report it as it stood."),
            "conceded",
        )
    if len(conceded) == 1 and winner in ("", *conceded):
        [loser] = conceded
        yield Problem(
            "R51",
            gettext("The {loser} side conceded, so the other side won.", loser=gettext(loser)),
            "winner",
        )


def _unit_problems(book: Rulebook, force: Force, report: Report, army: set[str]) -> Iterator[Problem]:
    for words, keys in (
        (gettext("defeated"), report.defeated),
        (gettext("at an objective"), report.contesting),
    ):
        if not set(keys) <= army or max(Counter(keys).values(), default=0) > 1:
            yield Problem(
                "R39", gettext("Only units of the army can be reported as {words}, once each.", words=words)
            )
    for key in dict.fromkeys(report.contesting):
        if key in report.defeated and key in army:
            lent = report.lent_units.get(key)
            name = lent.name if lent else unit_label(book, force, key)
            yield Problem(
                "R39",
                gettext("{name} was defeated, and cannot be at an objective at the end.", name=name),
                key,
            )


def _agenda_problems(book: Rulebook, force: Force, report: Report, mustered_agenda: str) -> Iterator[Problem]:
    if report.contingency_switched:
        if CONTINGENCY_PLAN not in report.assets or not mustered_agenda:
            yield Problem(
                "R21", gettext("Only a Contingency Plan in use switches an Agenda in play."), "agenda"
            )
        elif report.agenda not in {agenda.slug for agenda in open_agendas(book, force)} - {mustered_agenda}:
            yield Problem(
                "R25", gettext("Switch to another Agenda of the arc that is not completed."), "agenda"
            )
    elif report.agenda != mustered_agenda:
        yield Problem("R25", gettext("The Agenda in play is the one that was brought."), "agenda")


def _mark_problems(book: Rulebook, force: Force, report: Report, army: set[str]) -> Iterator[Problem]:
    marks = book.agendas[report.agenda].marks if report.agenda in book.agendas else None
    if not set(report.marked) <= army or len(set(report.marked)) != len(report.marked):
        yield Problem("R25", gettext("Only units of the army can be marked, once each."), "marked")
    if marks is None:
        return
    if marks.count is not None and len(report.marked) > marks.count:
        yield Problem("R25", gettext("This Agenda marks {count} at most.", count=marks.count), "marked")
    if marks.source == "non_paragon" and force.paragon in report.marked:
        yield Problem("R25", gettext("This Agenda marks units other than the Paragon."), "marked")
    if marks.source == "undefeated" and set(report.marked) & set(report.defeated):
        yield Problem("R25", gettext("This Agenda marks units that were not defeated."), "marked")

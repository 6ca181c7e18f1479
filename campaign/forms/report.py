"""The report of a battle on one form: who won, VP, and what each side's units did (section 5).

The fields of a side begin with its colour: `blue-fell`, `blue-held`, `blue-marked` (keys of units, several),
`blue-vp`, `blue-secondary_vp`, `blue-tokens`, `blue-agenda`, `blue-confirmed` ("AGENDA/0", several),
`blue-claims` (places, several), `blue-ask-NAME`, `blue-conceded`, `blue-xp-KEY`, `blue-sp`.
`blue-shown` says that they were in the form at all: where it is not, nothing is read from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import QueryDict

from campaign.forms.refusals import by_field, said
from campaign.forms.report_side import SideReport
from campaign.models import Battle, Side
from campaign.services.reports import BattleReport
from campaign.table import tallies_of
from registers.numbers import whole_number
from rules.force import Force
from rules.language import gettext
from rules.refusal import Problem

DRAW = "draw"


class ReportForm:
    """The whole report. `posted` is what was entered, or None to show what was reported before.

    `forces` are the Registers as they fought.
    """

    def __init__(
        self,
        battle: Battle,
        sides: list[Side],
        forces: Mapping[UUID, Force],
        posted: QueryDict | None = None,
    ) -> None:
        self.battle, self.posted = battle, posted
        self.problems: list[Problem] = []
        blue, red = sides
        tallies = {} if battle.version else tallies_of(battle)
        self.sides = [
            SideReport(
                battle,
                side,
                other,
                forces[side.register.pk] if side.register else None,
                posted,
                tallies.get(side.pk),
            )
            for side, other in ((blue, red), (red, blue))
        ]

    @property
    def version(self) -> int | None:
        """The version of the report that the form was drawn from."""
        return whole_number(self.posted.get("version", "")) if self.posted is not None else None

    @property
    def winner(self) -> str:
        """A colour, "draw", or nothing where it was not said yet."""
        if self.posted is not None:
            chosen = self.posted.get("winner", "")
            return chosen if chosen in (Side.BLUE, Side.RED, DRAW) else ""
        return (self.battle.winner or DRAW) if self.battle.version else ""

    def report(self) -> BattleReport:
        """What was entered, for `reports.report`."""
        posted = self.posted if self.posted is not None else QueryDict()
        return BattleReport(
            winner="" if self.winner == DRAW else self.winner,
            facts={side.colour: side.facts() for side in self.sides},
            victory_points={side.colour: side.number("vp", side.side.victory_points) for side in self.sides},
            mission=posted.get("mission", "").strip()[:120],
            notes=posted.get("notes", "").replace("\r\n", "\n").strip(),
        )

    def own_problems(self) -> list[Problem]:
        """What is wrong before the rules look at it."""
        problems = [problem for side in self.sides for problem in side.number_problems()]
        if self.version is None or any(side.missing for side in self.sides):
            problems.append(Problem("", gettext("This form is incomplete. Load the page again.")))
        if not self.winner:
            problems.append(Problem("", gettext("Say who won, or that it was a draw."), "winner"))
        return problems

    # --- What is shown ---------------------------------------------------------------------------------------

    def context(self, *, mine: set[str]) -> dict[str, Any]:
        """What the template takes; `mine` are the colours that stand open from the start."""
        self._take_for_outcomes()
        groups = by_field(tuple(self.problems), "winner")
        for_sides = {
            side.colour: [p for p in self.problems if p.about.split(" ")[0] == side.colour]
            for side in self.sides
        }
        general = [p for p in self.problems if p.about.split(" ")[0] not in (*for_sides, "winner")]
        blue, red = self.sides
        return {
            "version": self.battle.version,
            "problems": {"winner": groups["winner"], "general": said(general)},
            "winners": [
                {"value": value, "label": label, "checked": self.winner == value}
                for value, label in ((Side.BLUE, blue.name), (DRAW, gettext("Draw")), (Side.RED, red.name))
            ],
            "sides": sorted(
                (side.context(for_sides[side.colour], mine=side.colour in mine) for side in self.sides),
                key=lambda shown: not shown["mine"],
            ),
            "mission": self._text("mission", self.battle.mission),
            "notes": self._text("notes", self.battle.notes),
        }

    def _take_for_outcomes(self) -> None:
        """Let the battle and its sides, which are not saved, say what the form says, for the rules to judge."""
        report = self.report()
        self.battle.winner = report.winner
        for side in self.sides:
            side.side.report = report.facts[side.colour].as_data()

    def _text(self, name: str, kept: str) -> str:
        return self.posted.get(name, "") if self.posted is not None else kept

"""The report of a battle on one form: who won, VP, and what each side's units did (section 5).

The fields of a side begin with its colour: `blue-fell`, `blue-held`, `blue-marked` (keys of units, several),
`blue-vp`, `blue-secondary_vp`, `blue-tokens`, `blue-agenda`, `blue-confirmed` ("AGENDA/0", several),
`blue-claims` (places, several), `blue-ask-NAME`, `blue-conceded`, `blue-xp-KEY`, `blue-sp`.
`blue-shown` says that they were in the form at all: where it is not, nothing is read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from campaign.battles.models import Battle, Side, Tally
from campaign.battles.queries.table import tallies_of
from campaign.battles.report_data import Facts, army_of, book_of, facts_at_table, report_of
from campaign.battles.services.reports import BattleReport
from core.form_errors import as_context
from registers.ledger.text import whole_number
from rules.battle.army import CONTINGENCY_PLAN, open_agendas
from rules.core import reward_effects as c
from rules.core.cards import Agenda, TurningPoint
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.core.violations import Violation
from rules.post_battle.agendas import confirmations, progressions
from rules.register.labels import unit_label
from rules.register.state import RegisterState, everyone

LARGEST = 999

NUMBERS = {
    "vp": gettext_lazy("Victory points"),
    "secondary_vp": gettext_lazy("VP from secondary objectives"),
    "tokens": gettext_lazy("Agenda tokens"),
    "sp": gettext_lazy("SP gained during the game"),
}


class SideReport:
    """What a side reports. `state` is its Register's, or None for a guest; `posted` as in `ReportForm`.

    It starts from the report as it stands, else from the `tally` that was taken at the table.
    """

    def __init__(
        self,
        battle: Battle,
        side: Side,
        other: Side,
        state: RegisterState | None,
        posted: QueryDict | None,
        tally: Tally | None = None,
    ) -> None:
        self.battle, self.side, self.other, self.state = battle, side, other, state
        #: Whether its part of the form is missing: nothing ticked and nothing asked are not the same.
        self.missing = posted is not None and f"{side.colour}-shown" not in posted
        self.posted = None if self.missing else posted
        self.from_table = tally is not None and not side.report
        self.kept = facts_at_table(side, tally) if tally and self.from_table else Facts(**side.report)
        self.colour, self.name = side.colour, side.name
        self.book = book_of(side if side.register else other)

    def facts(self) -> Facts:
        """What was entered, or was reported before; numbers that are none count as 0."""
        if self.posted is None:
            return self.kept
        agenda = self.agenda.slug if self.agenda else ""
        gained = {key: self.number(f"xp-{key}", 0) for key in self._army.fielded}
        return Facts(
            defeated=self._list("fell"),
            contesting=self._list("held"),
            marked=self._list("marked") if self.agenda and self.agenda.marks else [],
            agenda=agenda,
            contingency_switched=agenda != self.brought,
            tokens=self.number("tokens", 0),
            secondary_vp=self.number("secondary_vp", 0),
            confirmed=[text for value, text in self._conditions() if value in self._list("confirmed")],
            claims=[text for value, text in self._claims() if value in self._list("claims")],
            asks={name: self.number(f"ask-{name}", 0) for name in self._asks},
            conceded=f"{self.colour}-conceded" in self.posted,
            in_game_experience={key: number for key, number in gained.items() if number},
            in_game_supply=self.number("sp", 0),
        )

    def number(self, name: str, kept: int) -> int:
        """The number entered in a field; 0 for none that makes sense."""
        if self.posted is None:
            return kept
        text = self.posted.get(f"{self.colour}-{name}", "").strip()
        return int(text) if self._is_number(text) else 0

    def number_problems(self) -> Iterator[Violation]:
        """Fields for a number that hold something else."""
        fields = NUMBERS | {f"ask-{name}": question for name, question in self._asks.items()}
        fields |= {f"xp-{key}": gettext("Experience during the game") for key in self._army.fielded}
        for name, label in fields.items():
            text = self.posted.get(f"{self.colour}-{name}", "").strip() if self.posted is not None else ""
            if text and not self._is_number(text):
                sentence = gettext(
                    "{label}: a whole number from 0 to {largest}.", label=label, largest=LARGEST
                )
                yield Violation("R25", sentence, f"{self.colour} {name}")

    @staticmethod
    def _is_number(text: str) -> bool:
        return text.isdecimal() and len(text) < 10 and int(text) <= LARGEST

    def _list(self, name: str) -> list[str]:
        sent = self.posted.getlist(f"{self.colour}-{name}") if self.posted is not None else []
        return [*dict.fromkeys(sent)]

    @cached_property
    def _army(self) -> Any:
        return army_of(self.book, self.side.army)

    @property
    def brought(self) -> str:
        """The Agenda that was brought."""
        return str(self._army.agenda)

    @cached_property
    def agenda(self) -> Agenda | None:
        """The Agenda in play at the end: the one that was brought, or what a Contingency Plan made of it."""
        chosen = self.kept.agenda or self.brought
        if self.posted is not None:
            chosen = self.posted.get(f"{self.colour}-agenda", "") or self.brought
        return self.book.agendas.get(chosen) if self.brought else None

    @property
    def _switchable(self) -> list[Agenda]:
        """The Agendas that may be in play at the end, if there is a choice (R21)."""
        if not self.state or not self.brought or CONTINGENCY_PLAN not in self._army.assets:
            return []
        return open_agendas(self.book, self.state)

    @property
    def _mission(self) -> TurningPoint | None:
        arc = self.battle.turning_point_id
        return self.book.story_arcs[arc].turning_point if arc else None

    @property
    def _asks(self) -> dict[str, str]:
        """The numbers that its own Turning Point Mission asks for."""
        mine = self._mission and self.battle.owner == self.colour
        return dict(self._mission.asks) if self._mission and mine else {}

    def _conditions(self) -> list[tuple[str, str]]:
        """The conditions its player confirms, with the values of their boxes."""
        if not self.agenda:
            return []
        texts = confirmations(self.agenda.progress)
        return [(f"{self.agenda.slug}/{place}", text) for place, text in enumerate(texts)]

    def _claims(self) -> list[tuple[str, str]]:
        if not self._mission or not self.state:
            return []
        texts = confirmations(tuple(entry.when for entry in self._mission.end_of_game))
        return [(str(place), text) for place, text in enumerate(texts)]

    def context(self, problems: list[Violation], *, mine: bool) -> dict[str, Any]:
        """What the template takes for this side; what is wrong with a unit stands in its row."""
        facts = self.facts()
        rows = list(self._rows(facts, problems))
        in_rows = {f"{self.colour} {row['key']}" for row in rows}
        return {
            "colour": self.colour,
            "name": self.name,
            "faction": self.side.register.faction if self.side.register else self.side.guest_faction,
            "mine": mine,
            "from_table": self.from_table,
            "is_guest": self.side.is_guest,
            "problems": as_context(problem for problem in problems if problem.about not in in_rows),
            "vp": self._stepper("vp", gettext("Victory points"), self.side.victory_points),
            "secondary_vp": self._stepper(
                "secondary_vp", gettext("VP from secondary objectives"), facts.secondary_vp
            ) if self._secondary_counts() else None,
            "columns": [gettext("defeated"), gettext("held objective"), *([gettext("marked")] if self._marks else [])],
            "rows": rows,
            "agenda": self._agenda_context(facts),
            "claims": self._boxes("claims", self._claims(), facts.claims),
            "asks": [
                self._stepper(f"ask-{name}", question, facts.asks.get(name, 0))
                for name, question in self._asks.items()
            ],
            "conceded": facts.conceded,
            "gains": [
                self._stepper(f"xp-{key}", self._label(key), facts.in_game_experience.get(key, 0))
                for key in self._army.fielded
            ],
            "supply": self._stepper("sp", gettext("SP for the Register"), facts.in_game_supply),
            "has_gains": bool(facts.in_game_experience or facts.in_game_supply),
        }  # fmt: skip

    def _stepper(self, name: str, label: str, value: int) -> dict[str, Any]:
        """A stepper keeps what was typed into it, sense or not."""
        field = f"{self.colour}-{name}"
        typed = self.posted.get(field) if self.posted is not None else None
        return {"name": field, "label": label, "value": value if typed is None else typed}

    def _boxes(self, name: str, options: list[tuple[str, str]], ticked: list[str]) -> list[dict[str, Any]]:
        return [
            {"name": f"{self.colour}-{name}", "value": value, "label": text, "checked": text in ticked}
            for value, text in options
        ]

    def _rows(self, facts: Facts, problems: list[Violation]) -> Iterator[dict[str, Any]]:
        ticks = [
            ("fell", gettext_noop("{unit} was defeated"), facts.defeated),
            ("held", gettext_noop("{unit} held an objective"), facts.contesting),
        ]
        if self._marks:
            ticks.append(("marked", gettext_noop("{unit} is marked"), facts.marked))
        barred = (
            self.state.paragon if self.state and self._marks and self._marks.source == "non_paragon" else None
        )
        for key, label, note in self._units():
            yield {
                "key": key,
                "label": label,
                "note": note,
                "problems": as_context(problem for problem in problems if problem.about == f"{self.colour} {key}"),
                "boxes": [
                    {"name": f"{self.colour}-{name}", "value": key, "checked": key in keys,
                     "label": gettext(words, unit=label), "disabled": key == barred and name == "marked"}
                    for name, words, keys in ticks
                ],
            }  # fmt: skip

    def _units(self) -> Iterator[tuple[str, str, str]]:
        if self.state:
            for key in self._army.fielded:
                if dossier := self.state.dossiers.get(key):
                    card, label = self.book.units[dossier.card].name, self._label(key)
                    note = "" if label.startswith(card) else card
                    yield key, label, "Paragon" if key == self.state.paragon else note
        for lent in self._army.lent:
            if lent.unit:
                note = gettext("lent: {asset}", asset=self.book.assets[lent.asset].name)
                yield lent.key, lent.unit.full_name, note

    def _label(self, key: str) -> str:
        if self.state and key in everyone(self.state):
            return unit_label(self.book, self.state, key)
        return gettext("Unit {key}", key=key)

    @property
    def _marks(self) -> Any:
        return self.agenda.marks if self.agenda else None

    def _secondary_counts(self) -> bool:
        """Whether anybody's Agenda or the mission looks at VP from secondary objectives."""
        conditions = [entry.when for entry in self._mission.end_of_game] if self._mission else []
        for side in (self.side, self.other):
            arc = self.book.agendas.get(side.report.get("agenda") or side.army.get("agenda", ""))
            siblings = self.book.story_arcs[arc.story_arc].agendas if arc else ()
            conditions += [condition for agenda in siblings for condition in agenda.progress]
        return bool(self._mission) or _uses(conditions, c.SecondaryVpAtLeast, c.SecondaryVpMoreThanOpponent)

    def _agenda_context(self, facts: Facts) -> dict[str, Any] | None:
        agenda = self.agenda
        if agenda is None or self.state is None:
            return None
        counts_tokens = _uses(agenda.progress, c.TokensAtLeast)
        return {
            "name": agenda.name,
            "tally": agenda.tally,
            "done": self.state.agendas.get(agenda.slug, 0),
            "total": agenda.progressions_to_complete,
            "tokens": self._stepper("tokens", gettext("Tokens"), facts.tokens) if counts_tokens else None,
            "conditions": self._boxes("confirmed", self._conditions(), facts.confirmed),
            "marks": agenda.marks,
            "outcome": self.outcome(),
            "options": [
                {"value": other.slug, "label": other.name, "checked": other.slug == agenda.slug,
                 "note": gettext("brought") if other.slug == self.brought else gettext("after the switch")}
                for other in self._switchable
            ],
        }  # fmt: skip

    def outcome(self) -> str:
        """How often the Agenda progresses, by what the form says (R25). The form has to be taken before."""
        if self.agenda is None or self.state is None:
            return ""
        report = report_of(self.book, self.battle, self.side, self.other)
        already = self.state.agendas.get(self.agenda.slug, 0)
        times = progressions(self.agenda, report, already)
        if not times:
            return gettext("does not progress")
        if already + times >= self.agenda.progressions_to_complete:
            return ngettext(
                "progresses {number} time and is complete", "progresses {number} times and is complete", times
            )
        return ngettext("progresses {number} time", "progresses {number} times", times)


def _uses(conditions: Iterable[c.Condition], *kinds: type) -> bool:
    return any(
        isinstance(condition, kinds) or (isinstance(condition, c.All) and _uses(condition.parts, *kinds))
        for condition in conditions
    )


DRAW = "draw"


class ReportForm:
    """The whole report. `posted` is what was entered, or None to show what was reported before.

    `states` are the Registers as they fought.
    """

    def __init__(
        self,
        battle: Battle,
        sides: list[Side],
        states: Mapping[UUID, RegisterState],
        posted: QueryDict | None = None,
    ) -> None:
        self.battle, self.posted = battle, posted
        self.problems: list[Violation] = []
        blue, red = sides
        tallies = {} if battle.version else tallies_of(battle)
        self.sides = []
        for side, other in ((blue, red), (red, blue)):
            state = states[side.register.pk] if side.register else None
            self.sides.append(SideReport(battle, side, other, state, posted, tallies.get(side.pk)))

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

    def own_problems(self) -> list[Violation]:
        """What is wrong before the rules look at it."""
        problems = [problem for side in self.sides for problem in side.number_problems()]
        if self.version is None or any(side.missing for side in self.sides):
            problems.append(Violation("", gettext("This form is incomplete. Load the page again.")))
        if not self.winner:
            problems.append(Violation("", gettext("Say who won, or that it was a draw."), "winner"))
        return problems

    def context(self, *, mine: set[str]) -> dict[str, Any]:
        """What the template takes; `mine` are the colours that stand open from the start."""
        self._take_for_outcomes()
        blue, red = self.sides
        about: dict[str, list[Violation]] = {
            name: [] for name in (blue.colour, red.colour, "winner", "general")
        }
        for problem in self.problems:
            name = problem.about.split(" ")[0]
            about[name if name in about else "general"].append(problem)
        return {
            "version": self.battle.version,
            "problems": {"winner": as_context(about["winner"]), "general": as_context(about["general"])},
            "winners": [
                {"value": value, "label": label, "checked": self.winner == value}
                for value, label in ((Side.BLUE, blue.name), (DRAW, gettext("Draw")), (Side.RED, red.name))
            ],
            "sides": sorted(
                (side.context(about[side.colour], mine=side.colour in mine) for side in self.sides),
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

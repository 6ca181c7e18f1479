"""The report form of a battle: who won, VP, and what each side's units did (section 5).

The fields of a side begin with its color: `blue-fell`, `blue-held`, `blue-marked` (keys of units, several),
`blue-vp`, `blue-secondary_vp`, `blue-tokens`, `blue-agenda`, `blue-confirmed` ("AGENDA/0", several),
`blue-claims` (places, several), `blue-ask-NAME`, `blue-conceded`, `blue-xp-KEY`, `blue-sp`.
Without `blue-shown` the form did not include that side, and the side is ignored. `prefilled` is the `winner` that the
page took from the victory points; a winner that is still the same follows them. `sure` confirms a winner that disagrees
with them.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, ngettext

from campaign.battles.forms.actions import RecalculatedForm
from campaign.battles.models import Battle, Side, Tally
from campaign.battles.pages.table import tallies_of
from campaign.battles.report_data import Facts, army_of, book_of, facts_at_table, report_of
from campaign.battles.services.planning import LONGEST_REASON, LONGEST_TEXT, NO_REASON
from campaign.battles.services.reports import BattleReport
from core import form_fields
from core.form_errors import add_violations, errors_as_context
from rules.battle.army import CONTINGENCY_PLAN, open_agendas
from rules.core import reward_effects as c
from rules.core.card_types import Agenda, TurningPoint
from rules.core.violations import RuleViolation
from rules.post_battle.agendas import confirmations, progressions
from rules.register.labels import unit_label
from rules.register.state import RegisterState, everyone

LARGEST = 999
DRAW = "draw"
#: The answer that takes the winner from the victory points after all.
BY_POINTS = "points"


class SideReport(forms.Form):
    """The report of one side, initially its last one, or the `tally`. `state` is its Register's, None for a guest."""

    fell = form_fields.Several()
    held = form_fields.Several()
    marked = form_fields.Several()
    agenda = forms.Field(required=False)
    confirmed = form_fields.Several()
    claims = form_fields.Several()
    conceded = forms.BooleanField(required=False)

    def __init__(
        self,
        battle: Battle,
        side: Side,
        other: Side,
        state: RegisterState | None,
        data: Any = None,
        tally: Tally | None = None,
    ) -> None:
        #: Whether its part of the form is missing, which is different from a part with nothing ticked.
        self.missing = data is not None and f"{side.colour}-shown" not in data
        super().__init__(None if self.missing else data, prefix=side.colour)
        self.battle, self.side, self.other, self.state = battle, side, other, state
        self.from_table = tally is not None and not side.report
        self.kept = facts_at_table(side, tally) if tally and self.from_table else Facts(**side.report)
        self.colour, self.name = side.colour, side.name
        self.book = book_of(side if side.register else other)
        kept = self.kept
        points = gettext("Victory points")
        self.counted = tally.victory_points if tally and self.from_table else side.victory_points
        self._add_count("vp", points, self.counted, title=side.name, note=points)
        self._add_count("secondary_vp", gettext("VP from secondary objectives"), kept.secondary_vp)
        self._add_count("tokens", gettext("Agenda tokens"), kept.tokens, title=gettext("Tokens"))
        for name, question in self._asks.items():
            self._add_count(f"ask-{name}", question, kept.asks.get(name, 0))
        for key in self._army.fielded:
            gained, words = kept.in_game_experience.get(key, 0), gettext("Experience during the game")
            self._add_count(f"xp-{key}", words, gained, title=self._label(key), note=gettext("XP"))
        supply = gettext("SP gained during the game")
        self._add_count("sp", supply, kept.in_game_supply, title=gettext("SP for the Register"))

    def _add_count(self, name: str, what: str, kept: int, *, title: str = "", note: str = "") -> None:
        sentence = gettext("%(label)s: enter a whole number from 0 to %(largest)s.") % {
            "label": what,
            "largest": LARGEST,
        }
        self.fields[name] = form_fields.Count(
            label=title or what, note=note, initial=kept, max_value=LARGEST,
            error_messages=form_fields.error_messages(sentence),
        )  # fmt: skip

    def facts(self) -> Facts:
        """Return the entered facts, or else those reported before. An invalid number counts as 0."""
        if not self.is_bound:
            return self.kept
        cleaned = form_fields.entered(self)
        agenda = self.agenda_in_play.slug if self.agenda_in_play else ""
        gained = {key: cleaned.get(f"xp-{key}", 0) for key in self._army.fielded}
        return Facts(
            defeated=cleaned["fell"],
            contesting=cleaned["held"],
            marked=cleaned["marked"] if self.agenda_in_play and self.agenda_in_play.marks else [],
            agenda=agenda,
            contingency_switched=agenda != self.brought,
            tokens=cleaned.get("tokens", 0),
            secondary_vp=cleaned.get("secondary_vp", 0),
            confirmed=[text for value, text in self._conditions() if value in cleaned["confirmed"]],
            claims=[text for value, text in self._claims() if value in cleaned["claims"]],
            asks={name: cleaned.get(f"ask-{name}", 0) for name in self._asks},
            conceded=cleaned["conceded"],
            in_game_experience={key: number for key, number in gained.items() if number},
            in_game_supply=cleaned.get("sp", 0),
        )

    @property
    def victory_points(self) -> int:
        """The VP as entered, or else those reported before or counted at the table."""
        return int(form_fields.entered(self)["vp"]) if self.is_bound else self.counted

    @property
    def has_conceded(self) -> bool:
        """Whether the side conceded, as entered or else as reported before."""
        return bool(form_fields.entered(self)["conceded"]) if self.is_bound else self.kept.conceded

    @cached_property
    def _army(self) -> Any:
        return army_of(self.book, self.side.army)

    @property
    def brought(self) -> str:
        """The Agenda that was brought."""
        return str(self._army.agenda)

    @cached_property
    def agenda_in_play(self) -> Agenda | None:
        """The Agenda in play at the end: the one that was brought, or the one a Contingency Plan switched to."""
        chosen = self["agenda"].data if self.is_bound else self.kept.agenda
        return self.book.agendas.get(chosen or self.brought) if self.brought else None

    @property
    def _switchable(self) -> list[Agenda]:
        """Return the Agendas that may be in play at the end, if there is a choice (R21)."""
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
        """Return the conditions that its player confirms, with the values of their checkboxes."""
        if not self.agenda_in_play:
            return []
        texts = confirmations(self.agenda_in_play.progress)
        return [(f"{self.agenda_in_play.slug}/{place}", text) for place, text in enumerate(texts)]

    def _claims(self) -> list[tuple[str, str]]:
        if not self._mission or not self.state:
            return []
        texts = confirmations(tuple(entry.when for entry in self._mission.end_of_game))
        return [(str(place), text) for place, text in enumerate(texts)]

    def context(self, *, mine: bool) -> dict[str, Any]:
        """Return the template context of this side."""
        facts = self.facts()
        violations = errors_as_context(self)
        rows = list(self._rows(facts, violations))
        in_rows = {f"{self.colour} {row['key']}" for row in rows}
        gains = [self[f"xp-{key}"] for key in self._army.fielded]
        gained = facts.in_game_experience or facts.in_game_supply
        return {
            "form": self,
            "colour": self.colour,
            "name": self.name,
            "faction": self.side.register.faction if self.side.register else self.side.guest_faction,
            "mine": mine,
            "from_table": self.from_table,
            "is_guest": self.side.is_guest,
            "violations": [violation for violation in violations if violation["about"] not in in_rows],
            "secondary_counts": self._secondary_counts(),
            "columns": [
                gettext("Defeated"), gettext("Contesting or holding"), *([gettext("Marked")] if self._marks else [])
            ],
            "rows": rows,
            "agenda": self._agenda_context(facts),
            "claims": self._boxes("claims", self._claims(), facts.claims),
            "asks": [self[f"ask-{name}"] for name in self._asks],
            "conceded": facts.conceded,
            "gains": gains,
            "has_gains": gained or any(field.errors for field in (*gains, self["sp"])),
        }  # fmt: skip

    def _boxes(self, name: str, options: list[tuple[str, str]], ticked: list[str]) -> list[dict[str, Any]]:
        return [
            {"name": f"{self.colour}-{name}", "value": value, "label": text, "checked": text in ticked}
            for value, text in options
        ]

    def _rows(self, facts: Facts, violations: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
        ticks = [
            ("fell", gettext_noop("%(unit)s was defeated"), facts.defeated),
            ("held", gettext_noop("%(unit)s was contesting or holding an objective"), facts.contesting),
        ]
        if self._marks:
            ticks.append(("marked", gettext_noop("%(unit)s is marked"), facts.marked))
        barred = self.state.paragon if self.state and self._marks and self._marks.source == "non_paragon" else None
        for key, label, note in self._units():
            yield {
                "key": key,
                "label": label,
                "note": note,
                "violations": [each for each in violations if each["about"] == f"{self.colour} {key}"],
                "boxes": [
                    {"name": f"{self.colour}-{name}", "value": key, "checked": key in keys,
                     "label": gettext(words) % {"unit": label}, "disabled": key == barred and name == "marked"}
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
                note = gettext("from %(asset)s") % {"asset": self.book.assets[lent.asset].name}
                yield lent.key, lent.unit.full_name, note

    def _label(self, key: str) -> str:
        if self.state and key in everyone(self.state):
            return unit_label(self.book, self.state, key)
        return gettext("Unit %(key)s") % {"key": key}

    @property
    def _marks(self) -> Any:
        return self.agenda_in_play.marks if self.agenda_in_play else None

    def _secondary_counts(self) -> bool:
        """Whether any Agenda or the mission counts VP from secondary objectives."""
        conditions = [entry.when for entry in self._mission.end_of_game] if self._mission else []
        for side in (self.side, self.other):
            arc = self.book.agendas.get(side.report.get("agenda") or side.army.get("agenda", ""))
            siblings = self.book.story_arcs[arc.story_arc].agendas if arc else ()
            conditions += [condition for agenda in siblings for condition in agenda.progress]
        return bool(self._mission) or _uses(conditions, c.SecondaryVpAtLeast, c.SecondaryVpMoreThanOpponent)

    def _agenda_context(self, facts: Facts) -> dict[str, Any] | None:
        agenda = self.agenda_in_play
        if agenda is None or self.state is None:
            return None
        return {
            "name": agenda.name,
            "tally": agenda.tally,
            "done": self.state.agendas.get(agenda.slug, 0),
            "total": agenda.progressions_to_complete,
            "tokens": self["tokens"] if _uses(agenda.progress, c.TokensAtLeast) else None,
            "conditions": self._boxes("confirmed", self._conditions(), facts.confirmed),
            "marks": agenda.marks,
            "outcome": self.outcome(),
            "options": [
                {"value": other.slug, "label": other.name, "checked": other.slug == agenda.slug,
                 "note": gettext("brought") if other.slug == self.brought else gettext("switched to")}
                for other in self._switchable
            ],
        }  # fmt: skip

    def outcome(self) -> str:
        """Return a text on how often the Agenda progresses (R25). The side's `report` must hold the form's facts."""
        if self.agenda_in_play is None or self.state is None:
            return ""
        report = report_of(self.book, self.battle, self.side, self.other)
        already = self.state.agendas.get(self.agenda_in_play.slug, 0)
        if not (times := progressions(self.agenda_in_play, report, already)):
            return gettext("does not progress: its condition is not met")
        if already + times >= self.agenda_in_play.progressions_to_complete:
            return ngettext(
                "progresses %(number)s time and is complete", "progresses %(number)s times and is complete", times
            ) % {"number": times}
        return ngettext("progresses %(number)s time", "progresses %(number)s times", times) % {"number": times}


def _uses(conditions: Iterable[c.Condition], *kinds: type) -> bool:
    return any(
        isinstance(condition, kinds) or (isinstance(condition, c.All) and _uses(condition.parts, *kinds))
        for condition in conditions
    )


NO_WINNER = _("Choose the winner, or Draw.")


class ReportForm(RecalculatedForm):
    """The whole report, a `SideReport` for each side; `states` are the Registers as they fought. The winner follows
    from the victory points unless another one is chosen and confirmed: the rules may decide otherwise.
    """

    version = form_fields.Version()
    #: Whether an organizer accepts the report in the same act.
    settle = forms.BooleanField(required=False)
    winner = form_fields.ButtonChoice(required=False, refusal=NO_WINNER)
    prefilled = forms.CharField(required=False)
    sure = forms.CharField(required=False)
    mission = form_fields.ShortText(label=_("Mission played"), max_length=120)
    notes = form_fields.LongText(label=_("Notes"), rows=3, max_length=LONGEST_TEXT)

    def __init__(
        self, battle: Battle, sides: list[Side], states: Mapping[UUID, RegisterState], data: Any = None, **kept: Any
    ) -> None:
        """Take `kept`, initial values of further fields that were entered before."""
        winner = (battle.winner or DRAW) if battle.version else ""
        super().__init__(data, initial={"winner": winner, "mission": battle.mission, "notes": battle.notes, **kept})
        self.battle = battle
        tallies = {} if battle.version else tallies_of(battle)
        states = {side: states[side.register.pk] if side.register else None for side in sides}
        self.sides = [
            SideReport(battle, side, other, states[side], data, tallies.get(side.pk))
            for side, other in (sides, sides[::-1])
        ]
        self.fields["winner"].choices = [*self._winner_names.items()]  # type: ignore[attr-defined]
        players = {side.register.owner: side.colour for side in sides if side.register and side.register.owner}
        self.fields["for"] = form_fields.ButtonChoice(
            label=gettext("Report for"), required=False, segments=True,
            choices=[(colour, player.get_username()) for player, colour in players.items()],
        )  # fmt: skip

    def is_valid(self) -> bool:
        """Return whether the report and both sides are valid."""
        return all([super().is_valid(), *(side.is_valid() for side in self.sides)])

    def clean(self) -> None:
        """Refuse a form that lacks one of the sides or the winner, or whose winner is to be confirmed."""
        if any(side.missing for side in self.sides) and "version" not in self.errors:
            self.add_error(None, str(form_fields.INCOMPLETE))
        if not self.chosen_winner and "winner" not in self.errors:
            self.add_error("winner", str(NO_WINNER))
        if self._must_confirm_winner():
            self.add_error("winner", self._question()["sentence"])

    @cached_property
    def winner_by_points(self) -> str:
        """The winner by victory points (a color, or DRAW) or one side's concession (R51); empty if there is neither."""
        blue, red = self.sides
        if blue.has_conceded != red.has_conceded:
            return Side.RED if blue.has_conceded else Side.BLUE
        if blue.victory_points == red.victory_points:
            return DRAW if blue.victory_points else ""
        return Side.BLUE if blue.victory_points > red.victory_points else Side.RED

    @cached_property
    def chosen_winner(self) -> str:
        """The winner (a color, or DRAW): the chosen one, or else that of the victory points; empty for none."""
        if not self.is_bound:
            return self.initial["winner"] or self.winner_by_points
        sent = str(self["winner"].data or "")
        follows = sent == str(self["prefilled"].data or "") or self["sure"].data == BY_POINTS
        if follows and self.winner_by_points:
            return self.winner_by_points
        return sent if sent in self._winner_names else ""

    @property
    def _winner_names(self) -> dict[str, str]:
        blue, red = self.sides
        return {Side.BLUE: blue.name, DRAW: gettext("Draw"), Side.RED: red.name}

    def _must_confirm_winner(self) -> bool:
        """Whether the chosen winner disagrees with the victory points. With a concession, the rules decide (R51)."""
        disagrees = self.chosen_winner and self.winner_by_points not in ("", self.chosen_winner)
        conceded = any(side.has_conceded for side in self.sides)
        return bool(disagrees) and not conceded and self["sure"].data != self._question()["token"]

    def _question(self) -> dict[str, str]:
        points = [side.victory_points for side in self.sides]
        names, by_points = self._winner_names, self.winner_by_points
        score, chosen = "–".join(map(str, points)), names[self.chosen_winner]
        yes, no = (
            gettext("it was a draw") if winner == DRAW else gettext("%(name)s won") % {"name": names[winner]}
            for winner in (self.chosen_winner, by_points)
        )
        return {
            "token": " ".join([self.chosen_winner, *map(str, points)]),
            "sentence": gettext("%(score)s, but you chose %(winner)s. Is that right?")
            % {"score": score, "winner": chosen},
            "yes": gettext("Yes, %(result)s") % {"result": yes},
            "no": gettext("No, %(result)s") % {"result": no},
        }

    def _winner_context(self) -> dict[str, Any]:
        """Return the context of `battles/_report_winner.html`; `moved` if the page shows another winner so far."""
        chosen = self.chosen_winner
        asks = self.is_sent and self._must_confirm_winner()
        return {
            "options": [
                {"value": value, "label": label, "checked": value == chosen}
                for value, label in self._winner_names.items()
            ],
            "prefilled": chosen if chosen == self.winner_by_points else "",
            "violations": errors_as_context(self["winner"]),
            "question": self._question() if asks else None,
            "moved": self.is_bound and chosen != self["winner"].data,
        }

    def report(self) -> BattleReport:
        """Return the entered report, for `reports.report`."""
        cleaned = form_fields.entered(self)
        return BattleReport(
            winner="" if self.chosen_winner == DRAW else self.chosen_winner,
            facts={side.colour: side.facts() for side in self.sides},
            victory_points={side.colour: side.victory_points for side in self.sides},
            mission=cleaned["mission"],
            notes=cleaned["notes"],
        )

    def add_violations(self, refusal: RuleViolation) -> None:
        """Show each violation next to the side, the field or the unit it is about."""
        sides: dict[str, forms.Form] = {side.colour: side for side in self.sides}
        for violation in refusal.violations:
            form = sides.get(violation.about.partition(" ")[0], self)
            add_violations(form, RuleViolation([violation]))

    def drop_errors(self) -> None:
        """Drop all errors, for a form that is only recalculated."""
        for form in (self, *self.sides):
            form.errors.clear()

    def context(self, *, mine: set[str]) -> dict[str, Any]:
        """Return the template context; `mine` are the colors whose parts are open at first."""
        # The rules check the values of the form; neither the battle nor the sides are saved.
        self.battle.winner = "" if self.chosen_winner == DRAW else self.chosen_winner
        for side in self.sides:
            side.side.report = side.facts().as_data()
        sides = (side.context(mine=side.colour in mine) for side in self.sides)
        return {
            "form": self,
            "winner": self._winner_context(),
            "version": self.battle.version,
            "sides": sorted(sides, key=lambda shown: not shown["mine"]),
        }


class CorrectedReportForm(ReportForm):
    """The report of a battle whose sequence has begun, with the reason for its correction."""

    reason = form_fields.ShortText(
        label=_("Reason for the correction"),
        max_length=LONGEST_REASON,
        required=True,
        error_messages={"required": _(NO_REASON.sentence)},
    )

"""The form for the result of a game (E27, E28, E30, E40)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from core.form_errors import BrokenRule, violations_on
from core.form_fields import ButtonChoice, Figure, OptionLabel, ShortText, Version
from rules.core.violations import Violation
from rules.tournaments.results import BOTH, ENDINGS, GIVEN_UP, Ending, Result, expected_winner, result_violations
from rules.tournaments.rule_sets import RuleSet
from tournaments.forms.rounds import Reason
from tournaments.models import Entry, Game, Round
from tournaments.queries.history import army_points, result_of
from tournaments.queries.results import ENDING_NAMES

#: The value of `winner` for a game that nobody won.
DRAW = "draw"
FIGURES = ("first_points", "second_points", "first_tokens", "second_tokens")
#: The figures that an ending cannot do without; the others are 0 if they are left empty.
NEEDED = {
    Ending.VICTORY: FIGURES, Ending.TIME: FIGURES, Ending.SIX_ROUNDS: FIGURES,
    Ending.BOTH_DEFEATED: ("first_tokens", "second_tokens"),
}  # fmt: skip
#: How most games end: chosen until somebody says otherwise.
USUAL = {RuleSet.GALACTIC_CONQUEST: Ending.VICTORY, RuleSet.TOURNAMENT_REGULATIONS: Ending.SIX_ROUNDS}
PHASES = [(Game.Phase.COMMAND, _("Command")), (Game.Phase.ACTIVATION, _("Activation")), (Game.Phase.END, _("End"))]


class ResultButtons(forms.Form):
    """What a result was sent for: `check` if it is only typed so far, `version` if it is confirmed as it was shown."""

    check = forms.CharField(required=False)
    version = forms.IntegerField(required=False, min_value=0, max_value=10**9 - 1)


class _Player(ButtonChoice):
    """One of the two players, next to each other."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, refusal=_("Choose one of the two players."), segments=True, required=False)


class ResultForm(forms.Form):
    """The result of a game of two entries, drawn by `tournaments/results/_result_form.html`.

    `game` needs `first`, `second` and `round__event`. `reader` is the entry that comes first on the page. Only fields
    of the event's rule set and of the round's stage are there. The form refuses what cannot be (E27, E28, E30, E40),
    with the armies that are known.
    """

    version = Version()
    winner = _Player(_("Winner"))
    how = ButtonChoice(label=_("How the game ended"), refusal=_("Choose how the game ended."))
    by = _Player(_("Who conceded or did not appear"))
    agreed = forms.BooleanField(
        label=_("A judge was there, and both players agree to score the game as if this was its last round"),
        required=False,
    )
    phase = ButtonChoice(label=_("When time was called"), required=False, segments=True)
    blue = _Player(_("Blue player"))
    first_points = Figure(_("Points defeated"))
    second_points = Figure(_("Points defeated"))
    first_tokens = Figure(_("Victory tokens"))
    second_tokens = Figure(_("Victory tokens"))
    roll = _Player(_("Winner of the priority roll"))
    mission = ShortText(label=_("Mission"), max_length=80)

    def __init__(
        self, game: Game, data: Any = None, initial: dict[str, Any] | None = None, reader: Entry | None = None
    ) -> None:
        self.game, self.rules, self.reader = game, game.round.event.rules, reader
        usual = USUAL[self.rules.rule_set].value
        super().__init__(data, initial={"version": game.version, "how": usual, **(initial or {})})
        self.in_bracket = game.round.stage == Round.Stage.BRACKET
        self.armies = army_points(game.pair)
        self.names = {entry.key: entry.name for entry in game.pair}
        first, second = game.pair
        self.players = (first.key, second.key)
        reader_is_second = reader is not None and reader.pk == second.pk
        self.order = ("second", "first") if reader_is_second else ("first", "second")
        self._set_choices()

    def _set_choices(self) -> None:
        conquest = self.rules.rule_set == RuleSet.GALACTIC_CONQUEST
        players = [(getattr(self.game, side).key, getattr(self.game, side).name) for side in self.order]
        for name in ("winner", "by", "blue", "roll"):
            self.fields[name].choices = players
        if conquest:
            self.fields["winner"].choices = [*players, (DRAW, _("Draw"))]
        elif not self.in_bracket and self.reader is None:
            self.fields["by"].choices = [*players, (BOTH, _("Both"))]
        priority_roll = gettext("The priority roll decides.") if self.in_bracket else ""
        self.fields["how"].choices = [
            (each.value, OptionLabel(ENDING_NAMES[each], priority_roll if each == Ending.DRAW else ""))
            for each in ENDINGS[self.rules.rule_set]
        ]
        self.fields["phase"].choices = PHASES
        for name in ("blue", "agreed", "phase") if conquest else ():
            del self.fields[name]
        if not (conquest and self.in_bracket):
            del self.fields["roll"]

    @property
    def sides(self) -> list[dict[str, Any]]:
        """Return the two players with the fields of their figures, as the page shows them: the reader first."""
        return [
            {
                "entry": getattr(self.game, side), "points": self[f"{side}_points"], "tokens": self[f"{side}_tokens"]
            }
            for side in self.order
        ]  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Fill in what the other answers say already, and check the result by the rules."""
        cleaned = super().clean() or {}
        if "how" not in cleaned:
            return cleaned
        how = Ending(cleaned["how"])
        self._fill_in(cleaned, how)
        if "blue" in self.fields and how != Ending.NO_SHOW and not cleaned.get("blue") and "blue" not in self.errors:
            self.add_error("blue", self.fields["blue"].error_messages["required"])
        for name in NEEDED.get(how, ()):
            if name not in self.errors and cleaned[name] is None:
                self.add_error(name, gettext("Enter a number, 0 if there is none."))
        # Some sentences would be about a figure that is refused already.
        figures_known = not any(name in self.errors for name in FIGURES)
        for violation in self._violations(self._result(cleaned)) if figures_known else ():
            self.add_error(violation.about if violation.about in self.fields else None, BrokenRule(violation))
        return cleaned

    def _fill_in(self, cleaned: dict[str, Any], how: Ending) -> None:
        """Take the winner from the figures or from who conceded, or the other way round; a draw has no winner."""
        if how in (Ending.DRAW, Ending.NO_SHOW):
            cleaned.update(dict.fromkeys(FIGURES, 0), blue="")
        if how not in GIVEN_UP:
            cleaned["by"] = ""
            expected = expected_winner(self.rules, self.players, self._result(cleaned), self.armies)
            cleaned["winner"] = cleaned.get("winner") or expected or ("" if expected is None else DRAW)
        elif cleaned.get("by") == BOTH:
            cleaned["winner"] = DRAW
        elif cleaned.get("winner") in self.players and not cleaned.get("by"):
            cleaned["by"] = self._other(cleaned["winner"])
        elif cleaned.get("by") and not cleaned.get("winner"):
            cleaned["winner"] = self._other(cleaned["by"])
        if how != Ending.CONCEDED:
            cleaned["agreed"] = False
        if how != Ending.TIME:
            cleaned["phase"] = ""
        if cleaned.get("winner") != DRAW:
            cleaned["roll"] = ""

    def _other(self, player: str) -> str:
        return self.players[player == self.players[0]]

    def _result(self, cleaned: dict[str, Any]) -> Result:
        winner = cleaned.get("winner", "")
        return Result(
            how=Ending(cleaned["how"]), winner="" if winner == DRAW else winner, by=cleaned.get("by", ""),
            points=(cleaned.get("first_points") or 0, cleaned.get("second_points") or 0),
            tokens=(cleaned.get("first_tokens") or 0, cleaned.get("second_tokens") or 0),
            agreed=cleaned.get("agreed", False), blue=cleaned.get("blue", ""), roll=cleaned.get("roll", ""),
        )  # fmt: skip

    def result(self) -> Result:
        """Return the entered result. The form must be valid."""
        return self._result(self.cleaned_data)

    def use_version(self, game: Game) -> None:
        """Send this version of the game next time: a refusal has said that the result was changed since."""
        self.data = self.data.copy()
        self.data["version"] = str(game.version)

    @property
    def details(self) -> dict[str, str]:
        """Return what is entered besides the result: `mission` and `phase`. The form must be valid."""
        return {name: self.cleaned_data.get(name, "") for name in ("mission", "phase")}

    def _violations(self, result: Result) -> Iterator[Violation]:
        """Yield the violations of a result, each about a field of this form, with the players' names."""
        chosen = self.cleaned_data.get("winner", "")
        found = list(result_violations(self.rules, self.players, result, self.armies, in_bracket=self.in_bracket))
        for violation in found:
            if violation.about == "winner":
                yield replace(violation, text=self._advice(result))
            elif violation.about == "points":
                yield from self._points_violations(result)
            elif violation.about not in self.errors and (violation.about != "roll" or chosen == DRAW):
                yield violation
        if not chosen and "winner" not in {violation.about for violation in found} and "winner" not in self.errors:
            yield Violation("E28", self._advice(result), "winner")

    def _advice(self, result: Result) -> str:
        """Return who has won by these figures, and what to do about another winner that was chosen."""
        if not (outcome := self.outcome(result)):
            return gettext("Choose the winner.")
        return gettext("%(outcome)s Check the winner and the figures.") % {"outcome": outcome}

    def _points_violations(self, result: Result) -> Iterator[Violation]:
        for place, name in enumerate(("first_points", "second_points")):
            points = (result.points[0], 0) if place == 0 else (0, result.points[1])
            for each in result_violations(self.rules, self.players, replace(result, points=points), self.armies):
                if each.about == "points" and name not in self.errors:
                    yield replace(each, about=name)

    def outcome(self, result: Result) -> str:
        """Return who has won by these figures and why, or "" where they do not decide it (E27)."""
        if (expected := expected_winner(self.rules, self.players, result, self.armies)) is None:
            return ""
        if expected:
            return self._winner_sentence(expected, result)
        if result.how == Ending.DRAW:
            return gettext("The game is a draw: both players decided not to play.")
        if result.by == BOTH:
            return gettext("Both players lose: neither appeared.")
        return gettext("The game is a draw: tokens, points defeated and armies are tied.")

    def _winner_sentence(self, winner: str, result: Result) -> str:
        place = self.players.index(winner)
        other = self.players[1 - place]
        names = {"player": self.names[winner], "other": self.names[other]}

        def compared(figures: tuple[int, int]) -> dict[str, Any]:
            return {**names, "more": figures[place], "less": figures[1 - place]}

        if result.how == Ending.CONCEDED:
            return gettext("%(player)s wins: %(other)s conceded.") % names
        if result.how == Ending.NO_SHOW:
            return gettext("%(player)s wins: %(other)s did not appear.") % names
        if result.tokens[0] != result.tokens[1]:
            return gettext("%(player)s wins on victory tokens: %(more)s to %(less)s.") % compared(result.tokens)
        if result.how != Ending.BOTH_DEFEATED and result.points[0] != result.points[1]:
            return gettext("%(player)s wins on points defeated: %(more)s to %(less)s. The tokens are tied.") % compared(
                result.points
            )
        if result.blue == winner:
            return gettext("%(player)s wins this tie as the blue player.") % names
        armies = (self.armies.get(self.players[0], 0), self.armies.get(self.players[1], 0))
        return gettext("%(player)s wins this tie with the larger army: %(more)s to %(less)s.") % compared(armies)

    def notes(self) -> tuple[list[Violation], str]:
        """Return what cannot be in what is typed so far, and who wins by it. Empty fields are not missed yet."""
        self.is_valid()
        wrong = [
            violation for violation in violations_on(self)
            if violation.about not in self.fields or self.data.get(violation.about)
        ]  # fmt: skip
        if wrong or "how" not in self.cleaned_data:
            return wrong, ""
        missing = any(name in self.errors for name in FIGURES)
        return wrong, "" if missing else self.outcome(self._result(self.cleaned_data))


class CorrectionForm(forms.Form):
    """A correction's reason, needed after the window of the regulations (E31), and the result that was `shown`."""

    reason = Reason()
    shown = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


def initial_of(game: Game) -> dict[str, Any]:
    """Return the result of a game as the form shows it; nothing for a game without one."""
    if not game.how:
        return {}
    result = result_of(game)
    conquest = game.round.event.rule_set == RuleSet.GALACTIC_CONQUEST
    return {
        "how": result.how.value, "winner": result.winner or (DRAW if conquest else ""), "by": result.by,
        "agreed": result.agreed, "blue": result.blue, "roll": result.roll, "mission": game.mission,
        "phase": game.phase, "first_points": result.points[0], "second_points": result.points[1],
        "first_tokens": result.tokens[0], "second_tokens": result.tokens[1],
    }  # fmt: skip

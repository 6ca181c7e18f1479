"""The form of the slip desk: the result of any table of a round, as a paper slip has it (E28)."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import ButtonChoice, Figure, Numbered, entered, error_messages
from rules.tournaments.results import ENDINGS
from rules.tournaments.rule_sets import RuleSet
from tournaments.forms.results import DRAW, FIGURES, USUAL, ResultForm
from tournaments.models import Event, Game
from tournaments.queries.results import ENDING_NAMES

FIRST, SECOND = "first", "second"
SIDES = [(FIRST, "A"), (SECOND, "B")]


class DeskForm(forms.Form):
    """Which button of the desk was pressed, the table that an address names, and the versions of the reported results
    that were shown, by the place of the game.
    """

    do = forms.ChoiceField(choices=[(each, each) for each in ("save", "swap", "confirm")], required=False)
    table = forms.IntegerField(min_value=1, max_value=999, required=False)
    shown = Numbered()

    @property
    def versions(self) -> dict[int, int]:
        """The versions that are numbers."""
        shown = entered(self)["shown"].items()
        return {place: int(version) for place, version in shown if version.isdecimal() and len(version) < 10}


class SlipForm(forms.Form):
    """A slip. Its sides are A and B, the first and the second player of the table."""

    table = forms.IntegerField(
        label=_("Table"), min_value=1, max_value=999, error_messages=error_messages(_("Enter the number of a table.")),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "autofocus": True}),
    )  # fmt: skip
    winner = ButtonChoice(label=_("Winner"), choices=SIDES, segments=True, required=False)
    blue = ButtonChoice(label=_("Blue player"), choices=SIDES, segments=True, required=False)
    first_tokens = Figure(_("A: victory tokens"))
    second_tokens = Figure(_("B: victory tokens"))
    first_points = Figure(_("A: points defeated"))
    second_points = Figure(_("B: points defeated"))
    how = forms.ChoiceField(label=_("How the game ended"))
    first_drops = forms.BooleanField(label=_("A drops"), required=False)
    second_drops = forms.BooleanField(label=_("B drops"), required=False)

    def __init__(self, event: Event, data: Any = None, initial: dict[str, Any] | None = None) -> None:
        conquest = event.rule_set == RuleSet.GALACTIC_CONQUEST
        rule_set = RuleSet(event.rule_set)
        super().__init__(data, initial={"how": USUAL[rule_set], **(initial or {})})
        self.fields["how"].choices = [(each.value, ENDING_NAMES[each]) for each in ENDINGS[rule_set]]
        if conquest:
            self.fields["winner"].choices = [*SIDES, (DRAW, _("Draw"))]
            del self.fields["blue"]
        most = event.army_size
        for name in ("first_points", "second_points"):
            self.fields[name].widget.attrs["data-most"] = most

    def swapped(self) -> dict[str, Any]:
        """Return what was typed with the two sides exchanged: the slip names the players the other way round."""
        typed = {name: self.data.get(name, "") for name in self.fields}
        for name in ("points", "tokens", "drops"):
            one, other = f"first_{name}", f"second_{name}"
            typed[one], typed[other] = typed[other], typed[one]
        for name in {"winner", "blue"} & typed.keys():
            typed[name] = {FIRST: SECOND, SECOND: FIRST}.get(typed[name], typed[name])
        return typed

    def result_form(self, game: Game) -> ResultForm:
        """Return the form of this game filled in from the slip, whose refusals stand at the slip's own fields."""
        first, second = game.pair
        keys = {FIRST: first.key, SECOND: second.key}
        typed = {name: self.cleaned_data.get(name, "") for name in (*FIGURES, "how", "winner", "blue")}
        typed |= {name: keys.get(typed[name], typed[name]) for name in ("winner", "blue")}
        found = ResultForm(game, {"version": game.version, **{k: "" if v is None else v for k, v in typed.items()}})
        for name, errors in found.errors.items():
            self.add_error(name if name in self.fields else None, errors.as_data())
        return found

"""The form for the terms of a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from rules.cards import FACTIONS
from rules.equipment import faction_name
from rules.language import gettext
from rules.rulebook import Rulebook
from rules.terms import BY_NAME, COMBAT_POTENTIAL, LENGTH, SUPPLY_POINTS, SWITCHES, HouseRules, Switch, Terms

#: Where each switch stands on the page.
GROUPS = {
    gettext_lazy("The Register"): ("above_potential", "corps_owed", "last_gain", "requested_twice"),
    gettext_lazy("The battle and its rewards"): (
        "standing_orders",
        "shield",
        "draw",
        "ended_together",
        "conceding_rival",
    ),
    gettext_lazy("Casualties and Setbacks"): (
        "tunnel_vision_check",
        "dedicated",
        "rolled_again",
        "second_of_the_arc",
    ),
}
NAMED = ("factions", "story_arcs", "battle_forces")


class TermsForm(forms.Form):
    """Limits and switches. What is not sent stays as it is in `terms`, those that the page was drawn from."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    combat_potential = forms.IntegerField(min_value=COMBAT_POTENTIAL[0], max_value=COMBAT_POTENTIAL[1])
    supply_points = forms.IntegerField(min_value=SUPPLY_POINTS[0], max_value=SUPPLY_POINTS[1])
    length = forms.IntegerField(required=False, min_value=LENGTH[0], max_value=LENGTH[1])
    unreleased = forms.BooleanField(required=False)

    def __init__(self, *args: Any, book: Rulebook, terms: Terms, **words: Any) -> None:
        super().__init__(*args, **words)
        self.book, self.terms = book, terms
        for name in NAMED:
            choices = [(choice["value"], choice["label"]) for choice in self._listed(name)]
            self.fields[name] = forms.MultipleChoiceField(choices=choices, required=False)
        for switch in SWITCHES:
            self.fields[switch.name] = forms.ChoiceField(
                choices=[(value, value) for value in switch.values], required=False
            )

    def as_terms(self) -> Terms:
        """The terms that were entered. The form is valid."""
        said = self.cleaned_data
        named = {name: tuple(said[name]) for name in NAMED}
        numbers = {name: said[name] for name in ("combat_potential", "supply_points", "length", "unreleased")}
        house = HouseRules(**{name: said[name] or getattr(self.terms.house, name) for name in BY_NAME})
        return Terms(**named, **numbers, house=house)

    # --- To be drawn -----------------------------------------------------------------------------------------

    def number(self, name: str) -> dict[str, Any]:
        """A limit that is a number, as `components/stepper.html` takes it."""
        field = self.fields[name]
        return {
            "value": self._entered(name, getattr(self.terms, name)),
            "min": field.min_value,
            "max": field.max_value,
            "problems": self._problems(name),
        }

    def ticks(self, name: str) -> list[dict[str, Any]]:
        """What a limit may name, each to be ticked."""
        chosen = self.data.getlist(name) if self.is_bound else getattr(self.terms, name)
        return [{**choice, "checked": choice["value"] in chosen} for choice in self._listed(name)]

    @property
    def unreleased_checked(self) -> bool:
        """Whether the tick for unreleased cards is set."""
        return "unreleased" in self.data if self.is_bound else self.terms.unreleased

    def groups(self) -> Iterator[dict[str, Any]]:
        """The switches, group by group; a group is open where something in it differs from the rulebook."""
        for title, names in GROUPS.items():
            switches = [self._switch(BY_NAME[name]) for name in names]
            own = sum(switch["own"] for switch in switches)
            yield {"title": title, "switches": switches, "own": own}

    def _switch(self, switch: Switch) -> dict[str, Any]:
        now = getattr(self.terms.house, switch.name)
        chosen = self._entered(switch.name, now) or now
        return {
            "name": switch.name,
            "title": switch.title,
            "rule": switch.rule,
            "printed": switch.printed,
            "own": now != switch.default,
            "words": switch.words(now),
            "usual": switch.readings[0].words,
            "options": [
                {
                    "value": reading.value,
                    "label": reading.words,
                    "note": gettext("Musterbook’s reading") if reading.value == switch.default else "",
                    "checked": reading.value == chosen,
                }
                for reading in switch.readings
            ],
            "problems": self._problems(switch.name),
        }

    def _listed(self, name: str) -> list[dict[str, str]]:
        if name == "factions":
            return [{"value": faction, "label": faction_name(faction), "note": ""} for faction in FACTIONS]
        if name == "story_arcs":
            return [
                {"value": slug, "label": arc.name, "note": ""}
                for slug, arc in self.book.story_arcs.items()
                if not (arc.own or arc.retired)
            ]
        return [
            {"value": slug, "label": force.name, "note": faction_name(force.faction)}
            for slug, force in self.book.battle_forces.items()
            if not force.retired
        ]

    def _entered(self, name: str, kept: Any) -> Any:
        return self.data.get(name, "") if self.is_bound else kept

    def _problems(self, name: str) -> list[dict[str, str]]:
        return [{"rule": "", "sentence": str(text)} for text in self.errors.get(name, ())]

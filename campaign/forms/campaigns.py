"""Founding a campaign, and bringing Registers into it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from campaign.services.campaigns import LONGEST_NAME
from rules.cards import FACTIONS
from rules.terms import COMBAT_POTENTIAL, LENGTH, SUPPLY_POINTS, TRILOGY, USUAL, Terms

#: What a new campaign starts with unless its organiser says otherwise.
SUGGESTED = {
    "combat_potential": USUAL.combat_potential, "supply_points": USUAL.supply_points, "length": TRILOGY,
}  # fmt: skip


class CampaignForm(forms.Form):
    """A new campaign. `campaign` is its primary key, so that a form sent twice founds it once."""

    campaign = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(max_length=LONGEST_NAME, required=False, label=gettext_lazy("Name"))
    about = forms.CharField(
        required=False, max_length=2000, label=gettext_lazy("About"), widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("When and where you meet."),
    )  # fmt: skip
    combat_potential = forms.IntegerField(
        required=False, min_value=COMBAT_POTENTIAL[0], max_value=COMBAT_POTENTIAL[1],
        label=gettext_lazy("Registers start with Combat Potential"),
    )  # fmt: skip
    supply_points = forms.IntegerField(
        required=False, min_value=SUPPLY_POINTS[0], max_value=SUPPLY_POINTS[1],
        label=gettext_lazy("and with Supply Points"),
    )  # fmt: skip
    length = forms.IntegerField(
        required=False, min_value=LENGTH[0], max_value=LENGTH[1], label=gettext_lazy("Length in Story Arcs"),
        help_text=gettext_lazy("A trilogy is what the rulebook suggests. Empty: open-ended."),
    )  # fmt: skip
    unreleased = forms.BooleanField(
        required=False, label=gettext_lazy("Registers may hold cards before their release")
    )

    def as_terms(self) -> Terms:
        """The terms that were entered; a number that was left out is the usual one. The form is valid."""
        names = ("combat_potential", "supply_points", "length", "unreleased")
        entered = {name: self.cleaned_data[name] for name in names}
        return Terms(**{name: value for name, value in entered.items() if value is not None})


class RegisterForm(forms.Form):
    """The Faction of a new Register. `register` is its primary key, so that a form sent twice opens it once."""

    register = forms.UUIDField(widget=forms.HiddenInput)
    faction = forms.ChoiceField(choices=[(faction, faction) for faction in FACTIONS])

"""Founding a campaign, and bringing Registers into it."""

from __future__ import annotations

from django import forms

from campaign.services.campaigns import LONGEST_NAME
from rules.cards import FACTIONS


class CampaignForm(forms.Form):
    """A new campaign. `campaign` is its primary key, so that a form sent twice founds it once."""

    campaign = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(max_length=LONGEST_NAME, required=False, label="Name")
    about = forms.CharField(
        required=False, max_length=2000, label="About", widget=forms.Textarea(attrs={"rows": 4}),
        help_text="House rules, when and where you meet.",
    )  # fmt: skip
    unreleased_allowed = forms.BooleanField(
        required=False, label="Registers may hold cards before their release",
    )  # fmt: skip


class RegisterForm(forms.Form):
    """The Faction of a new Register. `register` is its primary key, so that a form sent twice opens it once."""

    register = forms.UUIDField(widget=forms.HiddenInput)
    faction = forms.ChoiceField(choices=[(faction, faction) for faction in FACTIONS])

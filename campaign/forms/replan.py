"""Agreeing on another date, place or size before a battle begins (R18)."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.models import Battle
from campaign.services.battles import LONGEST_TEXT

from .plan import LARGEST_SIZE, LONGEST_PLACE


class ReplanForm(forms.Form):
    """The plan of a battle. `version` is the plan that the form was drawn from."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    date = forms.DateField(
        label=_("Date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the date as in 2026-04-21."), "required": _("Agree on a date.")},
    )
    place = forms.CharField(label=_("Place"), required=False, max_length=LONGEST_PLACE)
    size = forms.IntegerField(
        label=_("Size in points"),
        max_value=LARGEST_SIZE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "min": 1}),
        error_messages={"required": _("Agree on a size in points first.")},
    )
    arrangements = forms.CharField(
        label=_("What else you agreed on"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


def drawn_from(battle: Battle) -> dict[str, object]:
    """What the form says of a battle before anything is changed."""
    return {
        "version": battle.plan_version,
        "date": battle.date,
        "place": battle.place,
        "size": battle.size,
        "arrangements": battle.arrangements,
    }

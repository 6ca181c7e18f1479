"""The form behind the button that reminds a person."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.models import User
from campaign.battles.access import fighters_of
from campaign.battles.models import Battle
from core.form_fields import INCOMPLETE, error_messages


class RemindForm(forms.Form):
    """Whom to remind, and the page to go `back` to (an address of this site, from the root)."""

    user = forms.ModelChoiceField(User.objects.none(), error_messages=error_messages(INCOMPLETE))
    back = forms.CharField(max_length=300, required=False)

    def __init__(self, battle: Battle, data: Any) -> None:
        """Offer the players of the battle."""
        super().__init__(data)
        self.fields["user"].queryset = User.objects.filter(pk__in=fighters_of(battle) - {None})

"""Form of a team."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import LongText, ShortText
from tournaments.services.entries import LONGEST_NAME, MOST_PLAYERS


class TeamForm(forms.Form):
    """A team: players sign it up by its name, organizers enter its players, too."""

    name = ShortText(label=_("Name of the team"), max_length=LONGEST_NAME)
    members = LongText(
        label=_("Players, one name on each line"), rows=6, max_length=MOST_PLAYERS * 8,
        help_text=_("A player of another team leaves it. A team without players is deleted."),
    )  # fmt: skip

    def clean_members(self) -> list[Any]:
        """Return the names."""
        return [name for line in self.cleaned_data["members"].splitlines() if (name := line.strip())]

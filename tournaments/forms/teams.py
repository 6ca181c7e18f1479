"""Forms of teams."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import LongText, ShortText
from tournaments.forms.entries import WordForm
from tournaments.models import Team
from tournaments.services.entries import LONGEST_NAME, MOST_PLAYERS


class TeamNameForm(forms.Form):
    """A team that a player signs up."""

    name = ShortText(label=_("Name of the team"), max_length=LONGEST_NAME)


class TeamWordForm(WordForm):
    """The word of a team, which its members pass on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["word"].label = _("Word of the team")


class TeamForm(TeamNameForm):
    """A team that an organizer forms."""

    members = LongText(
        label=_("Players, one name on each line"), rows=6, max_length=MOST_PLAYERS * 8,
        help_text=_("A player of another team leaves it. A team without players is deleted."),
    )  # fmt: skip

    def __init__(self, team: Team | None, data: Any = None) -> None:
        members = [each.name for each in team.members.order_by("number")] if team else []
        super().__init__(data, initial={"name": team.name if team else "", "members": "\n".join(members)})

    def words(self) -> dict[str, Any]:
        """Return what was entered, as `save_team` takes it. The form must be valid."""
        lines = [each.strip() for each in self.cleaned_data["members"].splitlines()]
        return {"name": self.cleaned_data["name"], "members": [each for each in lines if each]}

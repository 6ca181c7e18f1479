"""Forms for teams."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.teams.models import LONGEST_NAME, Colour, Emblem, Team
from core.form_fields import ShortText, error_messages
from registers.models import Register


class TeamForm(forms.Form):
    """A team. `team` is its primary key, so that a form sent twice creates one."""

    team = forms.UUIDField(widget=forms.HiddenInput)
    name = ShortText(max_length=LONGEST_NAME, label=_("Name"))
    colour = forms.ChoiceField(
        choices=Colour, label=_("Color"), widget=forms.RadioSelect, error_messages=error_messages(_("Choose a color.")),
    )  # fmt: skip
    emblem = forms.ChoiceField(
        choices=Emblem, label=_("Emblem"), widget=forms.RadioSelect,
        error_messages=error_messages(_("Choose an emblem.")),
    )  # fmt: skip


class AssignForm(forms.Form):
    """The team of each of these Registers, in one field each, named by its primary key."""

    def __init__(self, registers: Sequence[Register], teams: Sequence[Team], data: Any = None) -> None:
        super().__init__(data)
        choices = [("", _("No team")), *((str(team.pk), team.name) for team in teams)]
        for register in registers:
            place = getattr(register, "team_place", None)
            self.fields[str(register.pk)] = forms.ChoiceField(
                choices=choices, required=False, label=str(register), initial=str(place.team_id) if place else "",
                error_messages=error_messages(_("This team was deleted. Choose another one.")),
            )  # fmt: skip

    def sent(self) -> dict[UUID, UUID | None]:
        """Return the team of each Register whose field was sent. The form must be valid."""
        return {
            UUID(name): UUID(value) if value else None for name, value in self.cleaned_data.items() if name in self.data
        }


class ChoiceSettingForm(forms.Form):
    """Whether players choose the teams of their own Registers."""

    players_choose = forms.BooleanField(required=False, label=_("Players choose the teams of their own Registers"))

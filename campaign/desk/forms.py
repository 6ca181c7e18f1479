"""The forms of the page with an organizer's tasks."""

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.desk.queries import MOST_WEEKS, USUAL_WEEKS


class WeeksForm(forms.Form):
    """After how many weeks without a battle a player is listed."""

    weeks = forms.IntegerField(
        min_value=1,
        max_value=MOST_WEEKS,
        initial=USUAL_WEEKS,
        label=_("Weeks without a battle"),
        error_messages=dict.fromkeys(
            ("invalid", "required", "min_value", "max_value"),
            _("Enter a number of weeks from 1 to %(most)d.") % {"most": MOST_WEEKS},
        ),
    )


class ReminderForm(forms.Form):
    """The battle whose players are reminded."""

    battle = forms.UUIDField(error_messages={"required": _("Choose a battle."), "invalid": _("Choose a battle.")})

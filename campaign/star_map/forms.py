"""Forms of a star map."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from campaign.star_map.holders import Holder
from campaign.star_map.layouts import LAYOUTS
from campaign.star_map.models import LONGEST_NAME, System
from core.form_fields import INCOMPLETE, ShortText, Ticks, Version, error_messages

PERCENT = _("Enter a whole number from 0 to 100.")


class StartForm(forms.Form):
    """The set of systems that a new map starts with."""

    layout = forms.ChoiceField(choices=[(slug, slug) for slug in LAYOUTS], error_messages=error_messages(INCOMPLETE))


class TurnForm(forms.Form):
    """The turn that the page showed."""

    turn = Version()


class SettingsForm(forms.Form):
    """What happens when a battle for a system is over."""

    winner_takes = forms.BooleanField(required=False, label=_("The winner of a battle takes its system automatically"))


class SystemForm(forms.Form):
    """A system. `system` is its primary key, so that a form sent twice creates one."""

    system = forms.UUIDField(widget=forms.HiddenInput)
    name = ShortText(max_length=LONGEST_NAME, label=_("Name"))
    # The service refuses numbers that are too small or too large.
    x = forms.IntegerField(label=_("From the left (percent)"), error_messages=error_messages(PERCENT))
    y = forms.IntegerField(label=_("From the top (percent)"), error_messages=error_messages(PERCENT))
    bonus_supply = forms.IntegerField(label=_("SP for each Register"), required=False)
    bonus_experience = forms.IntegerField(label=_("XP for each unit"), required=False)

    def __init__(self, others: Iterable[System], data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["lanes"] = forms.TypedMultipleChoiceField(
            choices=[(str(each.pk), each.name) for each in others], coerce=UUID, required=False, label=_("Lanes to"),
            widget=Ticks, error_messages=error_messages(_("One of these systems was removed. Choose the lanes again.")),
        )  # fmt: skip

    def values(self) -> dict[str, Any]:
        """Return the arguments of `save_system`. The form must be valid."""
        values = dict(self.cleaned_data)
        values["system_id"] = values.pop("system")
        return values | {name: values[name] or 0 for name in ("bonus_supply", "bonus_experience")}


class HolderForm(forms.Form):
    """Who holds a system. `battle` is the battle whose result the organizer follows."""

    holder = forms.ChoiceField(
        label=_("Held by"), required=False,
        error_messages=error_messages(_("Choose a team or Faction of this campaign.")),
    )  # fmt: skip
    battle = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, holders: Sequence[Holder], data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        choices = [("", gettext("Nobody")), *((each.value, each.name) for each in holders)]
        self.fields["holder"].choices = choices


class FoughtForForm(forms.Form):
    """The system that a battle is fought for."""

    system = forms.UUIDField(required=False, error_messages=error_messages(INCOMPLETE))

"""Forms of the army lists of an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.form_fields import INCOMPLETE, ButtonChoice, OptionLabel, error_messages
from lists.forms.reading import ReadingForm
from lists.models import ArmyList
from rules.register.upgrade_slots import faction_name
from tournaments.forms.rounds import Reason


class SubmitForm(ReadingForm):
    """An army list to submit: one of the reader's `list`s, or a text. `shown` is the version the reader checked."""

    list = ButtonChoice(label=_("One of my lists"), required=False, refusal=_("Choose one of these lists."))
    shown = forms.CharField(required=False, widget=forms.HiddenInput)
    field_order = ("list",)

    def __init__(self, lists: list[ArmyList], *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.lists = {str(each.pk): each for each in lists}
        self.fields["list"].choices = [(pk, _label(each)) for pk, each in self.lists.items()]

    @property
    def chosen(self) -> ArmyList | None:
        """The list that was chosen, if any. The form must be valid."""
        return self.lists.get(self.cleaned_data["list"])


def _label(each: ArmyList) -> OptionLabel:
    points = gettext("%(points)s points") % {"points": each.points}
    faction = faction_name(each.faction) if each.faction else ""
    return OptionLabel(str(each), note=" · ".join(filter(None, (faction, points))), faction=each.faction)


class ReasonForm(forms.Form):
    """A reason that everybody can read in the event's log."""

    reason = Reason()


class AcceptForm(ReasonForm):
    """The reason for accepting a list with problems, and the version that was read."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))


class ListAddressForm(forms.Form):
    """What the address of a list may ask for: an earlier version, or the copy for the opponent."""

    version = forms.IntegerField(required=False, min_value=1, max_value=32767)
    copy = forms.ChoiceField(required=False, choices=[("opponent", "opponent")])

"""Forms of leagues."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import INCOMPLETE, LongText, ShortText, error_messages
from tournaments.models import Event
from tournaments.services.leagues import FOREIGN_EVENT, LONGEST_ABOUT, LONGEST_NAME, MOST_PLACES, MOST_POINTS

#: Tables of points that a new league can begin with, by the value of its field.
PRESETS = {
    "small": (_("8 players: 10, 7, 5, 4, 3, 2, 1, 1"), (10, 7, 5, 4, 3, 2, 1, 1), 1),
    "store": (_("16 players: 25, 18, 15, 12, 10, 8, 6, 4, 2, 1"), (25, 18, 15, 12, 10, 8, 6, 4, 2, 1), 1),
    "large": (
        _("Convention: 100, 80, 65, 65, 50 (four times), 35 (eight times)"),
        (100, 80, 65, 65, *[50] * 4, *[35] * 8), 10,
    ),
}  # fmt: skip


class PointsField(forms.CharField):
    """Points by place, the first place first: whole numbers with anything between them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=6 * MOST_PLACES, required=False, **options)

    def prepare_value(self, value: Any) -> Any:
        """Return numbers as a line of text."""
        return value if isinstance(value, str) else ", ".join(map(str, value or ()))

    def clean(self, value: Any) -> Any:
        """Return the numbers. Refuses letters and signs."""
        text = super().clean(value)
        if re.search(r"[^\d\s,;]", text):
            raise forms.ValidationError(_("Enter whole numbers with commas between them."))
        return [min(int(number), 10 * MOST_POINTS) for number in re.findall(r"\d{1,9}", text)]


class LeagueForm(forms.Form):
    """A league. `key` is its primary key, so that a form sent twice creates one."""

    key = forms.UUIDField(widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    name = ShortText(label=_("Name"), max_length=LONGEST_NAME)
    about = LongText(rows=3, max_length=LONGEST_ABOUT, label=_("About"), help_text=_("Season, stores, prizes."))
    preset = forms.ChoiceField(
        required=False,
        label=_("Table of points"),
        choices=[("", _("Custom: the points below")), *((value, label) for value, (label, *_rest) in PRESETS.items())],
    )
    points = PointsField(
        label=_("Points by place"),
        help_text=_("The first place first, with commas. Players who share places 3–4 both get the points of place 3."),
    )
    participation_points = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_POINTS, label=_("Points for everybody below"),
    )  # fmt: skip

    best = forms.IntegerField(
        required=False, min_value=1, max_value=99, label=_("Events that count for a player, the best ones"),
        help_text=_("Leave empty to count all."),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Take the points of the chosen table."""
        cleaned = super().clean() or self.cleaned_data
        if chosen := PRESETS.get(cleaned.pop("preset", "")):
            cleaned["points"], cleaned["participation_points"] = list(chosen[1]), chosen[2]
        cleaned["participation_points"] = cleaned.get("participation_points") or 0
        return cleaned


class AttachForm(forms.Form):
    """The choice of an event for a league."""

    event = forms.ModelChoiceField(
        Event.objects.none(),
        label=_("Event"),
        empty_label=_("Choose an event"),
        error_messages=error_messages(FOREIGN_EVENT),
    )

    def __init__(self, data: Any, *, events: Iterable[Event]) -> None:
        super().__init__(data)
        self.fields["event"].queryset = events


class DetachForm(forms.Form):
    """The event that is taken out of a league."""

    event = forms.UUIDField(widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))

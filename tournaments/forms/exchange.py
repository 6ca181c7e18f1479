"""Forms for importing an event."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.services.exchange import MOST_BYTES, too_big


class EventFileForm(forms.Form):
    """The upload of an event file."""

    file = forms.FileField(
        label=_("Event file"),
        help_text=_("The file that “Export event” gave you. It ends in .event.json and has up to 8 MB."),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def clean_file(self) -> Any:
        """Refuse a file that is too large before it is read."""
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(too_big().violations[0].text)
        return file


class ImportForm(forms.Form):
    """The confirmation that a checked file is imported. It has no fields; refusals are shown on it."""

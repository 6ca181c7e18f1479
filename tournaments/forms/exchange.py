"""Forms for importing an event."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import Upload
from tournaments.services.exchange import MOST_BYTES, too_big


class EventFileForm(forms.Form):
    """The upload of an event file."""

    file = Upload(
        MOST_BYTES, too_big, ".json,application/json", label=_("Event file"),
        help_text=_("The file that “Export event” gave you. It ends in .event.json and has up to 8 MB."),
    )  # fmt: skip


class ImportForm(forms.Form):
    """The confirmation that a checked file is imported. It has no fields; refusals are shown on it."""

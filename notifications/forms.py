"""Forms of the notifications page."""

from typing import Any

from django import forms

from core.form_fields import INCOMPLETE, error_messages
from notifications.models import Kind, Means


class ChoicesForm(forms.Form):
    """The kinds of notifications that a person wants, by each means."""

    mail = forms.MultipleChoiceField(choices=Kind, required=False)
    push = forms.MultipleChoiceField(choices=Kind, required=False)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind, as `components/ticks.html` takes them."""
        return [
            {
                "label": label,
                "boxes": [
                    {
                        "name": means.value,
                        "value": kind,
                        "checked": kind in (self[means.value].value() or ()),
                        "label": f"{label}: {means.label}",
                    }
                    for means in Means
                ],
            }
            for kind, label in Kind.choices
        ]


class DeviceForm(forms.Form):
    """The subscription of a browser, which a script fills in."""

    endpoint = forms.CharField(max_length=1000, error_messages=error_messages(INCOMPLETE))
    p256dh = forms.CharField(max_length=100, error_messages=error_messages(INCOMPLETE))
    auth = forms.CharField(max_length=40, error_messages=error_messages(INCOMPLETE))


class RemoveDeviceForm(forms.Form):
    """The device to remove."""

    device = forms.UUIDField(error_messages=error_messages(INCOMPLETE))

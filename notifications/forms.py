"""Forms of the notifications page."""

from typing import Any

from django import forms

from core.form_fields import INCOMPLETE, error_messages
from notifications.models import Kind, Means


class ChoicesForm(forms.Form):
    """The kinds of notifications that a person wants, by each means."""

    mail = forms.MultipleChoiceField(choices=Kind, required=False)
    push = forms.MultipleChoiceField(choices=Kind, required=False)
    #: The means that nothing can reach the person by: their boxes were disabled, so they say nothing.
    closed = forms.MultipleChoiceField(choices=Means, required=False)

    def wanted(self) -> dict[str, list[str]]:
        """Return the kinds by the means that could be chosen. The form is valid."""
        return {means: self.cleaned_data[means] for means in Means if means not in self.cleaned_data["closed"]}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kind, as `components/ticks.html` takes them."""
        closed = self["closed"].value() or ()
        return [
            {
                "label": label,
                "boxes": [
                    {
                        "name": means.value,
                        "value": kind,
                        "checked": means not in closed and kind in (self[means.value].value() or ()),
                        "disabled": means in closed,
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

"""The address of a campaign's webhook, and what it is told."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.models import Webhook


class WebhookForm(forms.Form):
    """The address is never filled in: whoever comes here later does not learn it."""

    address = forms.CharField(
        max_length=300, required=False, label=_("Address of the webhook"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "inputmode": "url"}
        ),
    )  # fmt: skip
    told = forms.MultipleChoiceField(
        required=False, label=_("It is told"), choices=list(Webhook.KINDS.items()),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip

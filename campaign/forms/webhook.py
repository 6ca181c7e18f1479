"""The address of a campaign's webhook, and what it is told."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.models import Campaign, Webhook
from config.secret_key import seal, unseal


class WebhookForm(forms.Form):
    """The address is never filled in: whoever comes here later does not learn it.

    A good one that is refused for something else is not lost either: it goes along sealed (`kept`), so that neither the
    page nor what a browser keeps of it shows it. A wrong one is shown as it was typed, to be corrected.
    """

    address = forms.CharField(
        max_length=300, required=False, label=_("Address of the webhook"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false", "inputmode": "url"}
        ),
    )  # fmt: skip
    kept = forms.CharField(max_length=1000, required=False, widget=forms.HiddenInput)
    told = forms.MultipleChoiceField(
        required=False, label=_("It is told"), choices=list(Webhook.KINDS.items()),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        self.campaign = campaign
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        """The address that was kept stands for one that is not typed again."""
        words = super().clean() or {}
        if not words.get("address") and (said := unseal(words.get("kept", ""))):
            campaign, _space, address = said.partition(" ")
            words["address"] = address if campaign == str(self.campaign.pk) else ""
        return words

    def keep_address(self) -> None:
        """Seal an address that has nothing wrong with it, for the page that says what else is refused."""
        if (address := self.cleaned_data.get("address")) and "address" not in self.errors:
            # With its campaign, so that one that was sealed elsewhere cannot be set here.
            self.data = {
                "kept": seal(f"{self.campaign.pk} {address}"), "told": self.cleaned_data.get("told", [])
            }  # fmt: skip

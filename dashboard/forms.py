"""The form for an invitation that somebody has as a link or a code."""

import re
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext_lazy as _

from campaign.models import Invitation
from tournaments.models import Invitation as EventInvitation

#: Pages that links which somebody was sent lead to.
PAGES = ("campaign:join", "tournaments:join", "tournaments:personal")
CODE = re.compile(r"[\w-]{22}", re.ASCII)


class InvitationLinkForm(forms.Form):
    """The link of an invitation, or its code: the last part of the link. The cleaned value is an address of ours."""

    invitation = forms.CharField(
        max_length=500, label=_("Invitation link or code"),
        error_messages={"required": _("Paste the link or code of your invitation.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip

    def clean_invitation(self) -> str:
        """Return the address that the invitation leads to. Refuses what is neither a link nor a code of one."""
        text = self.cleaned_data["invitation"]
        found = _address_of_code(text) if CODE.fullmatch(text) else _address_of_link(text)
        if not found:
            raise ValidationError(_("This invitation is unknown. Paste the whole link, or ask for a new one."))
        return found


def _address_of_code(code: str) -> str:
    for model, page in ((Invitation, "campaign:join"), (EventInvitation, "tournaments:join")):
        if model.objects.filter(token=code).exists():
            return reverse(page, args=[code])
    return ""


def _address_of_link(link: str) -> str:
    """Return the address on this site, whatever name of the site the link has; empty if it is no invitation."""
    try:
        found = resolve(urlsplit(link if "://" in link else f"https://{link}").path)
    except (ValueError, Resolver404):
        return ""
    return reverse(found.view_name, kwargs=found.kwargs) if found.view_name in PAGES else ""

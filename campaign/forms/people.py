"""Bringing people into a campaign."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.models import Membership
from campaign.services.invitations import DAYS, LONGEST

#: What each role is, in a line.
ROLES = {
    Membership.Role.ORGANISER: _("invites, gives roles, settles disputes, acts for everybody"),
    Membership.Role.PLAYER: _("brings Registers and fights"),
    Membership.Role.READER: _("sees everything and changes nothing"),
}


class MemberForm(forms.Form):
    """The name somebody signs in with."""

    username = forms.CharField(
        max_length=150, required=False, label=_("Their sign-in name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip


class InvitationForm(forms.Form):
    """A new invitation. `invitation` is its primary key, so that a form sent twice makes one."""

    invitation = forms.UUIDField(widget=forms.HiddenInput)
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1000, label=_("For how many people"),
        help_text=_("Empty: for as many as come."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    role = forms.ChoiceField(
        choices=Membership.Role,
        initial=Membership.Role.PLAYER, label=_("As"),
        help_text=_("An organiser is invited alone: 1 person."),
    )  # fmt: skip
    days = forms.IntegerField(
        initial=DAYS, min_value=1, max_value=LONGEST, label=_("Good for how many days"),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip

"""Forms for adding and inviting people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import ButtonChoice, OptionLabel
from members.models import MemberGroup, Role
from members.services.invitations import DAYS, LONGEST
from rules.core.translation import gettext

#: Explanations of what a member with each role may do.
ROLES = {
    Role.ORGANIZER: _("invites, gives roles, settles disputes, acts for everybody"),
    Role.PLAYER: _("brings Registers and fights"),
    Role.VIEWER: _("sees everything and changes nothing"),
    Role.HEAD_JUDGE: _("rules, and decides on appeals"),
    Role.JUDGE: _("rules at the tables, enters results"),
}


class MemberForm(forms.Form):
    """The sign-in name of a person to add."""

    username = forms.CharField(
        max_length=150, required=False, label=_("Their sign-in name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip


class RoleForm(forms.Form):
    """The role of a member."""

    role = ButtonChoice()

    def __init__(self, group: MemberGroup, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["role"].choices = [(role.value, OptionLabel(role.label, ROLES[role])) for role in group.roles]
        self.fields["role"].label = gettext("In {group}", group=group)


class InvitationForm(forms.Form):
    """A new invitation. `invitation` is its primary key, so that a form sent twice creates one."""

    invitation = forms.UUIDField(widget=forms.HiddenInput)
    max_uses = forms.IntegerField(
        required=False, min_value=1, max_value=1000, label=_("For how many people"),
        help_text=_("Leave empty for any number."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    role = forms.ChoiceField(
        label=_("As"),
        help_text=_("A link for an organizer is for 1 person."),
    )  # fmt: skip
    days = forms.IntegerField(
        initial=DAYS, min_value=1, max_value=LONGEST, label=_("Good for how many days"),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip

    def __init__(self, group: MemberGroup, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["role"].choices = [(role.value, role.label) for role in group.roles]
        self.fields["role"].initial = group.default_role

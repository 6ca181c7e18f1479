"""Forms for adding and inviting people."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from core.form_fields import ButtonChoice, Figure, OptionLabel
from members.models import MemberGroup, Role
from members.queries import role_label
from members.services.invitations import DAYS, LONGEST

#: Explanations of what a member with each role may do.
ROLES = {
    Role.ORGANIZER: _("invites people, gives roles, settles disputes and can act for every player"),
    Role.PLAYER: _("adds Registers and plays battles"),
    Role.VIEWER: _("can see everything but change nothing"),
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
        self.fields["role"].label = gettext("In %(group)s") % {"group": group}


class InvitationForm(forms.Form):
    """A new invitation. `invitation` is its primary key, so that a form sent twice creates one. `title`
    returns what the group calls a role.
    """

    invitation = forms.UUIDField(widget=forms.HiddenInput)
    max_uses = Figure(_("Number of people"), 1, 1000, help_text=_("Leave empty for no limit."))
    role = forms.ChoiceField(
        label=_("Role"),
        help_text=_("A link for an organizer works for 1 person only."),
    )  # fmt: skip
    days = Figure(_("Valid for (days)"), 1, LONGEST, required=True, initial=DAYS)

    def __init__(
        self, group: MemberGroup, *args: Any, title: Callable[[str], str] = role_label, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.fields["role"].choices = [(role.value, title(role)) for role in group.roles]
        self.fields["role"].initial = group.default_role

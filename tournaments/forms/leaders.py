"""Forms of the leaders of an event."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import ButtonChoice, OptionLabel
from tournaments.models import Event
from tournaments.roles import about_role, role_title


class LeaderRoleForm(forms.Form):
    """The role of a leader, in the words of the rule set."""

    role = ButtonChoice(label=_("Role"), refusal=_("Choose one of these roles."))

    def __init__(self, group: Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["role"].choices = [
            (role.value, OptionLabel(role_title(group.rule_set, role), about_role(role))) for role in group.roles
        ]

"""Forms of the page about painting and achievements."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import INCOMPLETE, error_messages


class BonusForm(forms.Form):
    """The bonus for a painted army."""

    supply_points = forms.IntegerField(
        label=_("SP for a battle with a fully painted army"), required=False,
        help_text=_("Enter 0 for no bonus."),
    )  # fmt: skip


class SideForm(forms.Form):
    """The side whose army gets the bonus."""

    side = forms.IntegerField(min_value=0, max_value=10**9, error_messages=error_messages(INCOMPLETE))

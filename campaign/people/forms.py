"""Forms for the people of a campaign."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import validate_one_script
from accounts.services import placeholders
from core.form_fields import ShortText


class PlaceholderForm(forms.Form):
    """The name of a player without an account."""

    name = ShortText(label=_("Name"), max_length=placeholders.LONGEST_NAME, validators=[validate_one_script])

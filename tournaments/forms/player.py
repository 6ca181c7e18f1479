"""Forms on a player's own pages."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import LongText, Version


class GameForm(forms.Form):
    """Which game a form is about, by its primary key, and the version of its result that the page showed."""

    game = Version()
    version = Version()


class DisputeForm(GameForm):
    """What is wrong with the reported result."""

    text = LongText(label=_("What is wrong with it?"), rows=2, max_length=1000)


class CallForm(forms.Form):
    """A call for a judge."""

    game = Version()
    question = LongText(label=_("What is it about? (optional)"), rows=2, max_length=1000)

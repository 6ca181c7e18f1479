"""Forms on a player's own pages."""

from functools import cache
from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.form_fields import LongText, Version
from tournaments.models import Entry
from tournaments.queries.trophies import opponents_to_vote_for


class GameForm(forms.Form):
    """Which game a form is about, by its primary key, and the version of its result that the page showed."""

    game = Version()
    version = Version()


class DisputeForm(GameForm):
    """What is wrong with the reported result."""

    text = LongText(label=_("What is wrong with it?"), rows=2, max_length=1000)


class VoteForm(forms.Form):
    """The vote for an opponent, whom a player met."""

    opponent = forms.ModelChoiceField(
        Entry.objects.none(), to_field_name="number", widget=forms.RadioSelect, empty_label=None
    )

    def __init__(self, entry: Entry, data: Any = None) -> None:
        super().__init__(data, initial={"opponent": entry.vote and entry.vote.number})
        self.fields["opponent"].queryset = opponents_to_vote_for(entry)
        self.fields["opponent"].label = entry.event.voted_trophy


class CallForm(forms.Form):
    """A call for a judge."""

    game = Version()
    question = LongText(label=_("What is it about? (optional)"), rows=2, max_length=1000)


@cache
def empty_question(_language: str) -> SafeString:
    """Return the field of a new `CallForm` as a page of this language shows it: polls of all players ask for it."""
    return CallForm()["question"].as_field_group()

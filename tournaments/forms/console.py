"""Forms of the organizer's console and the log."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import Figure, ShortText, error_messages
from tournaments.forms.rounds import Reason
from tournaments.models import Game
from tournaments.queries.console import Step
from tournaments.queries.tables import Zone
from tournaments.services.clock import MOST_MINUTES
from tournaments.services.entries import LONGEST_NAME

#: What can be done with a player by one button.
PLAYER_ACTS = ("drop", "rejoin", "enter_late", "no_show", "decline", "eject")


class WhatForm(forms.Form):
    """Which form of the console was sent."""

    KINDS = ("step", "player", "late", "time", "times")

    what = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)


class StepForm(forms.Form):
    """The button of a step, with the number of the `round` it named. A start without all lists needs a reason (E9)."""

    step = forms.ChoiceField(choices=[(step.value, step.value) for step in Step])
    round = forms.IntegerField(min_value=0, max_value=9999)
    reason = Reason()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="step_%s")


class UndoForm(forms.Form):
    """Why an act is undone, and the token of the act as the page showed it."""

    token = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)
    reason = Reason()


class PlayerForm(forms.Form):
    """What to do with a player. `round` is the round of a no-show."""

    do = forms.ChoiceField(choices=[(act, act) for act in PLAYER_ACTS])
    entry = forms.IntegerField(min_value=1, max_value=10**6, widget=forms.HiddenInput)
    round = forms.IntegerField(min_value=0, max_value=9999, required=False, widget=forms.HiddenInput)
    reason = Reason()


class LateEntryForm(forms.Form):
    """The name of a player who enters late (E21)."""

    name = ShortText(label=_("Name"), max_length=LONGEST_NAME)


class ExtensionForm(forms.Form):
    """More time for one table (E26)."""

    place = forms.ChoiceField(label=_("Table"), error_messages=error_messages(_("Choose a table.")))
    minutes = Figure(
        _("Extra minutes in all"), 0, MOST_MINUTES, required=True, initial=5, help_text=_("0 removes an extension.")
    )
    reason = Reason()

    def __init__(self, games: Sequence[Game], data: Any = None, place: int | None = None) -> None:
        super().__init__(data, prefix="time", initial={"place": place})
        self.games = {str(game.pk): game for game in games}
        self.fields["place"].choices = [
            (key, f"{game.table}: {game.pair[0]} – {game.pair[1]}") for key, game in self.games.items()
        ]

    @property
    def game(self) -> Game:
        """The chosen game. The form must be valid."""
        return self.games[self.cleaned_data["place"]]


#: Which players the console can show: with a game in that state, or in that group.
SHOWN = [
    ("", _("All")), (Game.State.OPEN.value, _("No result")), (Game.State.REPORTED.value, _("To confirm")),
    (Game.State.DISPUTED.value, _("Disputed")), ("in", _("In the event")), ("not_in", _("Not checked in")),
    ("out", _("Out")),
]  # fmt: skip


class SearchForm(forms.Form):
    """A search in the players, which of them are shown, the player whose actions are open, and the game (primary key)
    for which more time is asked.
    """

    q = forms.CharField(max_length=80, required=False)
    show = forms.ChoiceField(label=_("Show"), choices=SHOWN, required=False)
    player = forms.IntegerField(min_value=1, max_value=10**6, required=False)
    time = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False)

    def __init__(self, data: Any = None, *, zones: Iterable[Zone] = (), **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["show"].choices = [*SHOWN, *((each.name, each.name) for each in zones)]


class LogFilterForm(forms.Form):
    """The kind of lines that the log shows."""

    kind = forms.ChoiceField(label=_("Show"), required=False)

    def __init__(self, kinds: Iterable[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data)
        self.fields["kind"].choices = [("", _("Everything")), *kinds]

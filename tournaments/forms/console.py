"""Forms of the organizer's console, drafts, corrections and the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.form_fields import Keyed, NumbersField, error_messages
from tournaments.models import Game
from tournaments.queries.console import Step
from tournaments.services.clock import MOST_MINUTES
from tournaments.services.entries import LONGEST_NAME
from tournaments.services.rounds import LAST_TABLE, LONGEST_REASON, table_violation

#: What can be done with a player by one button.
PLAYER_ACTS = ("drop", "rejoin", "enter_late", "no_show", "decline", "eject")


class Reason(forms.CharField):
    """A reason that the public log shows. The service refuses an empty one where it is needed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Reason"), max_length=LONGEST_REASON, required=False,
            help_text=_("Everyone can read it in the log."),
            widget=forms.TextInput(attrs={"autocomplete": "off"}), **options,
        )  # fmt: skip


class WhatForm(forms.Form):
    """Which form of the console was sent."""

    KINDS = ("step", "player", "late", "time", "back")

    what = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)


class StepForm(forms.Form):
    """The button of a step; `round` is the number of the round that it named. A start without all lists needs a reason
    (E9).
    """

    step = forms.ChoiceField(choices=[(step.value, step.value) for step in Step])
    round = forms.IntegerField(min_value=0, max_value=9999)
    reason = Reason()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, label_suffix="", auto_id="step_%s")


class BackForm(forms.Form):
    """Take the pairings of a round back (E24), or the start of its clock (E26)."""

    BUTTONS = ("withdraw", "reset_clock")

    do = forms.ChoiceField(choices=[(button, button) for button in BUTTONS])
    round = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)
    reason = Reason()

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", auto_id="back_%s", **options)


class PlayerForm(forms.Form):
    """What to do with a player. `round` is the round of a no-show."""

    do = forms.ChoiceField(choices=[(act, act) for act in PLAYER_ACTS])
    entry = forms.IntegerField(min_value=1, max_value=10**6, widget=forms.HiddenInput)
    round = forms.IntegerField(min_value=0, max_value=9999, required=False, widget=forms.HiddenInput)
    reason = Reason()


class LateEntryForm(forms.Form):
    """The name of a player who enters late (E21)."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class ExtensionForm(forms.Form):
    """More time for one table (E26)."""

    place = forms.ChoiceField(label=_("Table"), error_messages=error_messages(_("Choose a table.")))
    minutes = forms.IntegerField(
        label=_("Extra minutes in all"), min_value=0, max_value=MOST_MINUTES, initial=5,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}), help_text=_("0 removes an extension."),
    )  # fmt: skip
    reason = Reason()

    def __init__(self, games: Sequence[Game], data: Any = None) -> None:
        super().__init__(data, label_suffix="", prefix="time")
        self.games = {str(game.pk): game for game in games}
        self.fields["place"].choices = [
            (key, f"{game.table}: {game.pair[0]} – {game.pair[1]}") for key, game in self.games.items()
        ]

    @property
    def game(self) -> Game:
        """The chosen game. The form must be valid."""
        return self.games[self.cleaned_data["place"]]


class DraftForm(forms.Form):
    """A change of a draft by hand (E24): two players to swap, the next bye, or tables by the place of the game."""

    BUTTONS = ("swap", "bye", "offer", "tables", "restore")

    version = forms.CharField(max_length=16, widget=forms.HiddenInput)
    do = forms.ChoiceField(choices=[(button, button) for button in BUTTONS])
    players = NumbersField()
    tables = Keyed()
    offered = forms.IntegerField(min_value=1, max_value=10**6, required=False, widget=forms.HiddenInput)
    reason = Reason()

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)

    def clean_tables(self) -> dict[int, int]:
        """Return the table numbers by place. Refuses what is no number."""
        found = {}
        for place, table in self.cleaned_data["tables"].items():
            if not (place.isdecimal() and len(place) < 6 and table.isdecimal() and len(table) < 6):
                raise forms.ValidationError(table_violation("tables").text)
            found[int(place)] = int(table)
        return found

    def clean(self) -> dict[str, Any]:
        """Check that as many players are ticked as the button needs."""
        cleaned = super().clean() or {}
        ticked = len(cleaned.get("players", ()))
        if cleaned.get("do") == "swap" and ticked != 2:
            self.add_error("players", _("Tick exactly two players of two games."))
        if cleaned.get("do") == "bye" and ticked != 1:
            self.add_error("players", _("Tick the player who gets the bye."))
        return cleaned


class PublishForm(forms.Form):
    """The draft as it was shown to who publishes it."""

    version = forms.CharField(max_length=16, widget=forms.HiddenInput)


class FixedTableForm(forms.Form):
    """A player's fixed table (E22)."""

    entry = forms.ChoiceField(label=_("Player"), error_messages=error_messages(_("Choose a player.")))
    table = forms.IntegerField(
        label=_("Table"), min_value=1, max_value=LAST_TABLE, required=False, help_text=_("Empty: no fixed table."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip
    reason = Reason()

    def __init__(self, players: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(data, label_suffix="", prefix="fixed")
        self.fields["entry"].choices = [("", "—"), *players]


class CorrectionForm(forms.Form):
    """What a correction needs next to the result (E31): a reason after the window of the Tournament Regulations, and
    the result whose effect on the standings was shown.
    """

    reason = Reason()
    shown = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


class SearchForm(forms.Form):
    """A search in the players, and the player whose actions are open."""

    q = forms.CharField(max_length=80, required=False)
    player = forms.IntegerField(min_value=1, max_value=10**6, required=False)


class LogFilterForm(forms.Form):
    """The kind of lines that the log shows."""

    kind = forms.ChoiceField(label=_("Show"), required=False)

    def __init__(self, kinds: Iterable[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        self.fields["kind"].choices = [("", _("Everything")), *kinds]

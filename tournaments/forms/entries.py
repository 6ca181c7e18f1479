"""Forms of the entries of an event: registering, players to add, a player, the check-in."""

import csv
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.form_fields import INCOMPLETE, LongText, NumbersField, ShortText, Version, error_messages
from rules.core.violations import Violation
from tournaments.models import Entry, Event
from tournaments.services.entries import (
    LARGEST_ARMY,
    LAST_TABLE,
    LONGEST_CLUB,
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_ADDED,
    NO_LEADER,
    TRANSITIONS,
    Act,
    NewPlayer,
    number_violations,
    players_violations,
)

_NUMBER = {"inputmode": "numeric"}
#: The columns, in the order in which they stand if the table has no headings.
COLUMNS = ("name", "club", "note", "paid")
#: The most letters of a table.
LONGEST = 200_000
YES = frozenset({"yes", "y", "x", "1", "true", "paid", "ja", "oui", "sí", "✓"})
NO = frozenset({"", "no", "n", "0", "false", "-", "nein", "non"})


class RegistrationForm(forms.Form):
    """A player who registers themselves."""

    name = forms.CharField(
        max_length=LONGEST_NAME, required=False, label=_("Your name"), help_text=_("Everyone sees it in the pairings."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )  # fmt: skip
    club = ShortText(label=_("Club or team"), max_length=LONGEST_CLUB)
    note = LongText(label=_("Note to the organizer"), rows=2, max_length=LONGEST_NOTE)


class NamesForm(forms.Form):
    """Players to add by name, one a line. `after` is the last number of an entry when the form was drawn."""

    after = Version(required=False)
    names = forms.CharField(
        label=_("Names, one on each line"), required=False, max_length=MOST_ADDED * 100,
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip

    def players(self) -> list[NewPlayer]:
        """Return the players of all lines that are not empty. The form must be valid."""
        return [NewPlayer(line.strip()) for line in self.cleaned_data["names"].splitlines() if line.strip()]


class TableForm(forms.Form):
    """A table of players as a file or as text."""

    after = Version(required=False)
    file = forms.FileField(
        label=_("CSV file"), required=False, max_length=200, widget=forms.FileInput(attrs={"accept": ".csv,text/csv"})
    )
    text = forms.CharField(
        label=_("or paste the table"), required=False, max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Take the text of the file, if one was sent. Refuses a file that is too large or no text."""
        words = super().clean() or {}
        file = words.get("file")
        if file is not None:
            if file.size > LONGEST:
                self.add_error("file", _("The file is too large. Send it in parts."))
                return words
            words["text"] = _text_of(file.read())
            if words["text"] is None:
                self.add_error("file", _("This file is not a text. Save it as CSV (UTF-8), or paste the table."))
                return words
        words["text"] = words.get("text", "").replace("\x00", "")
        if not words["text"].strip() and not self.errors:
            self.add_error("file", _("Choose a file, or paste a table."))
        return words


def _text_of(content: bytes) -> str | None:
    """Return the text of a file in one of the encodings of spreadsheets, by its first bytes; None for another file."""
    utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeError):
            text = content.decode(encoding)
            return None if "\0" in text else text
    return None


@dataclass(slots=True)
class PlayerLine:
    """A line of the table, from 1, with what is wrong with it."""

    number: int
    player: NewPlayer
    violations: list[Violation] = field(default_factory=list)


@dataclass(slots=True)
class PlayerFile:
    """The lines of a table, and what is wrong with all of it."""

    lines: list[PlayerLine] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether all of its players can be added."""
        return bool(self.lines) and not self.violations and not any(line.violations for line in self.lines)

    @property
    def players(self) -> list[NewPlayer]:
        """The players of all lines."""
        return [line.player for line in self.lines]


def read_players(text: str, known: Collection[str]) -> PlayerFile:
    """Return the players of a table with what is wrong, by line. `known` are the names in the event (`name_keys`)."""
    table = PlayerFile()
    if len(text) > LONGEST:
        table.violations.append(Violation("", gettext("The table is too long. Send it in parts.")))
        return table
    delimiter = max(",;\t", key=text.count)
    columns: tuple[str, ...] = COLUMNS
    try:
        rows = list(csv.reader(StringIO(text.lstrip("\ufeff")), delimiter=delimiter))
    except csv.Error:
        table.violations.append(Violation("", gettext("This is no table. Save it as CSV and send it again.")))
        return table
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if not table.lines and columns is COLUMNS and "name" in (heads := [cell.casefold() for cell in cells]):
            columns = tuple(heads)
            continue
        table.lines.append(_line(number, cells, columns))
    table.violations += number_violations(known, table.players)
    if not table.violations:
        for line, found in zip(table.lines, players_violations(known, table.players), strict=True):
            line.violations += found
    return table


def _line(number: int, cells: list[str], columns: tuple[str, ...]) -> PlayerLine:
    found = dict(zip(columns, cells, strict=False))
    paid = found.get("paid", "").casefold()
    player = NewPlayer(found.get("name", ""), found.get("club", ""), found.get("note", ""), paid in YES)
    line = PlayerLine(number, player)
    if any(cells[len(columns) :]):
        line.violations.append(Violation("", gettext("There are more columns than headings.")))
    if paid not in YES | NO:
        line.violations.append(
            Violation("", gettext("Write yes or no for paid, not “%(text)s”.") % {"text": found["paid"]})
        )
    return line


class EntryForm(forms.Form):
    """What an organizer edits of a player. Only fields that the user changed count."""

    name = ShortText(label=_("Name"), max_length=LONGEST_NAME)
    club = ShortText(label=_("Club or team"), max_length=LONGEST_CLUB)
    army_points = forms.IntegerField(
        label=_("Army points"), required=False, min_value=1, max_value=LARGEST_ARMY,
        widget=forms.NumberInput(attrs=_NUMBER), help_text=_("A submitted army list fills this in."),
    )  # fmt: skip
    fixed_table = forms.IntegerField(
        label=_("Fixed table"), required=False, min_value=1, max_value=LAST_TABLE,
        widget=forms.NumberInput(attrs=_NUMBER), help_text=_("For accessibility or a stream."),
    )  # fmt: skip
    note = LongText(label=_("Note for the organizers"), rows=2, max_length=LONGEST_NOTE)

    def __init__(self, entry: Entry, data: Any = None) -> None:
        super().__init__(data, initial={name: getattr(entry, name) for name in self.base_fields})
        for each in self.fields.values():
            each.show_hidden_initial = True
        for name, rule in (("name", "E11"), ("army_points", "E27"), ("fixed_table", "E22")):
            self.fields[name].rule = rule

    def changes(self) -> dict[str, Any]:
        """Return what the user changed. The form must be valid."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


class StateForm(forms.Form):
    """A change of a player's state by hand."""

    state = forms.ChoiceField(
        choices=[(state, state) for state in TRANSITIONS[Act.PLACE].after], error_messages=error_messages(INCOMPLETE)
    )


class ClaimForm(forms.Form):
    """An organizer's answer to a claim: by whom it was."""

    claimant = forms.ModelChoiceField(User.objects.filter(is_active=True), error_messages=error_messages(INCOMPLETE))


class CheckInForm(forms.Form):
    """The button of the check-in that was pressed: with the number of a player, or for everybody who is missing."""

    BUTTONS = ("check_in", "undo", "absent", "all", "all_absent")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        for button in self.BUTTONS:
            self.fields[button] = NumbersField()

    @property
    def pressed(self) -> tuple[str, list[int]]:
        """The button with its players; an empty name if none was pressed. The form must be valid."""
        found = ((button, self.cleaned_data[button]) for button in self.BUTTONS)
        return next(((button, numbers) for button, numbers in found if numbers), ("", []))


class PaidForm(forms.Form):
    """The button that notes whether a player has paid: the player's number, and "on" or "off"."""

    paid = forms.RegexField(r"^[0-9]{1,9} (on|off)$")

    @property
    def pressed(self) -> tuple[int, bool]:
        """The number and whether they have paid. The form must be valid."""
        number, value = self.cleaned_data["paid"].split()
        return int(number), value == "on"


class LeaderPlaysForm(forms.Form):
    """A leader who shall play against E2, and why."""

    user = forms.ModelChoiceField(User.objects.none(), label=_("Leader"), error_messages=error_messages(NO_LEADER))
    reason = LongText(label=_("Reason"), rows=2, max_length=1000, help_text=_("The public log shows it."))

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data)
        leaders = event.memberships.filter(role__in=Event.roles).values("user")
        self.fields["user"].queryset = User.objects.filter(pk__in=leaders, is_active=True)

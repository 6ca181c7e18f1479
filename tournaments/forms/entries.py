"""Forms of the entries of an event: registering, players to add, a player, the check-in."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from accounts.adapters import can_mail
from accounts.models import User
from core.form_errors import violations_on
from core.form_fields import INCOMPLETE, Figure, LongText, NumbersField, ShortText, Ticks, Version, error_messages
from core.names import folded
from core.table_forms import ColumnsForm, TableForm
from core.tables import NAMES, NO, YES, Fields, Row, name_of, unless_none
from rules.core.violations import Violation
from tournaments.models import Entry, Event
from tournaments.queries.trophies import trophy_names
from tournaments.services import entries as services

#: Letters of an army list that comes with a registration.
LONGEST_LIST = 20_000
PLAYER_FIELDS = Fields(
    labels={
        **NAMES, "club": _("Club or team"), "note": _("Note for the organizers"), "paid": _("Paid"),
    },
    in_order=("name", "club", "note", "paid"),
    needed=tuple(NAMES),
)  # fmt: skip
#: Next to an amount that was paid; other words may say that it is due.
_CURRENCY = "(?:€|[$]|£|eur|euros?|chf|fr|usd|gbp|z[łl]|pln|kr)?"
_DAY = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{0,4}")
#: Headings of addresses, which other tables leave out.
MAIL_HEADINGS = "email emails emailaddress mail mailadresse adressemail adresseemail courriel correo correoelectronico"
MAIL_HEADINGS += " emailadresse adresemail indirizzoemail"
INVITED_FIELDS = Fields(
    labels=NAMES | {"email": _("Email address")},
    in_order=("name", "email"),
    needed=("email",),
    headings=dict.fromkeys(MAIL_HEADINGS.split(), "email"),
)


class RegistrationForm(forms.Form):
    """A player who registers themselves."""

    name = forms.CharField(
        max_length=services.LONGEST_NAME, required=False, label=_("Your name"),
        help_text=_("Everyone sees it in the pairings."), widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )  # fmt: skip
    club = ShortText(label=_("Club or team (optional)"), max_length=services.LONGEST_CLUB)
    note = LongText(label=_("Note to the organizer (optional)"), rows=2, max_length=services.LONGEST_NOTE)
    army_list = LongText(
        label=_("Army list, as a link or text"), rows=2, max_length=LONGEST_LIST,
        help_text=_("You can submit it later, too."),
    )  # fmt: skip


class GuestForm(RegistrationForm):
    """A player who registers without an account. `token` is that of the personal link to come."""

    token = forms.RegexField(r"^[\w-]{22}\Z", widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))
    email = forms.EmailField(
        label=_("Email (optional)"),
        required=False,
        help_text=_("We send you your personal link, and do not keep the address."),
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if not can_mail():
            del self.fields["email"]


class WordForm(forms.Form):
    """The word that opens a player's page (E5)."""

    word = forms.CharField(
        label=_("Your word"), max_length=40, error_messages=error_messages(_("Type the word that you were given.")),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip

    def clean_word(self) -> str:
        """Return the word without spaces and capitals."""
        return "".join(self.cleaned_data["word"].split()).casefold()


class KioskCodeForm(forms.Form):
    """The code that locks or unlocks a kiosk."""

    code = forms.RegexField(
        r"^[0-9]{4,12}\Z", label=_("Code"), error_messages=error_messages(_("Enter 4 to 12 digits.")),
        widget=forms.PasswordInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )  # fmt: skip


class KioskPlayerForm(forms.Form):
    """A player who registers at the kiosk. `after` is the last number of an entry when the form was drawn."""

    after = Version(required=False)
    name = forms.CharField(max_length=services.LONGEST_NAME, required=False, label=_("Your name"))
    club = ShortText(label=_("Club or team (optional)"), max_length=services.LONGEST_CLUB)


class NamesForm(forms.Form):
    """Players to add by name, one a line. `after` is the last number of an entry when the form was drawn."""

    after = Version(required=False)
    names = forms.CharField(
        label=_("Names, one on each line"), required=False, max_length=services.MOST_ADDED * 100,
        widget=forms.Textarea(attrs={"rows": 4, "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip

    def players(self) -> list[services.NewPlayer]:
        """Return the players of all lines that are not empty. The form must be valid."""
        return [services.NewPlayer(line.strip()) for line in self.cleaned_data["names"].splitlines() if line.strip()]


class PlayerTableForm(TableForm):
    """A table of players. `after` is the last number of an entry when the form was drawn."""

    after = Version(required=False)


def people_of(columns: ColumnsForm) -> list[tuple[str, str]]:
    """Return the names and addresses of all lines of a table of people to invite. The form must be valid."""
    found = map(columns.cells_of, columns.filled_rows)
    return [
        (name_of(each)[: services.LONGEST_NAME], each.get("email", "").strip().removeprefix("mailto:"))
        for each in found
    ]


@dataclass(slots=True)
class PlayerLine:
    """A line of the table, with the number that the spreadsheet shows, and what is wrong with it."""

    number: int
    player: services.NewPlayer
    violations: list[Violation] = field(default_factory=list)


@dataclass(slots=True)
class PlayerFile:
    """The lines of a table, what is wrong with all of it, and which column holds what."""

    columns: ColumnsForm
    lines: list[PlayerLine]
    violations: list[Violation]

    @property
    def is_good(self) -> bool:
        """Whether all of its players can be added."""
        return bool(self.lines) and not self.violations and not any(line.violations for line in self.lines)

    @property
    def players(self) -> list[services.NewPlayer]:
        """The players of all lines."""
        return [line.player for line in self.lines]


def read_players(columns: ColumnsForm, known: Collection[str]) -> PlayerFile:
    """Return the players of a table with what is wrong, by line. `known` are the names in the event (`name_keys`)."""
    if not columns.is_valid():
        return PlayerFile(columns, [], violations_on(columns))
    table = PlayerFile(columns, [_line(row, columns) for row in columns.filled_rows], [])
    table.violations += services.number_violations(known, table.players)
    if not table.violations:
        for line, found in zip(table.lines, services.players_violations(known, table.players), strict=True):
            line.violations += found
    return table


def _line(row: Row, columns: ColumnsForm) -> PlayerLine:
    cells = columns.cells_of(row)
    # "Na" is a surname.
    found = {field: cell if field in NAMES and cell.istitle() else unless_none(cell) for field, cell in cells.items()}
    has_paid = _has_paid(found.get("paid", ""))
    player = services.NewPlayer(name_of(found), found.get("club", ""), found.get("note", ""), bool(has_paid))
    line = PlayerLine(row.number, player)
    if columns.has_more(row):
        line.violations.append(Violation("", gettext("There are more columns than headings.")))
    if has_paid is None:
        text = gettext("Write yes or no for paid, not “%(text)s”.")
        line.violations.append(Violation("", text % {"text": found["paid"]}))
    return line


def _has_paid(text: str) -> bool | None:
    """Return what a cell says of a payment: an amount, a day, or yes or no with more behind it; None for other text."""
    said = re.sub("[\ufe0f!]", "", folded(text).replace(" ", "")).rstrip(".")
    if amount := re.fullmatch(rf"{_CURRENCY}(\d[\d.,]*)(?:(?<=[.,])-)?{_CURRENCY}", said):
        return bool(re.search("[1-9]", amount[1]))
    if said in YES | NO or _DAY.match(said):
        return said not in NO
    word = re.split(r"[\s,;:(–-]", folded(text), maxsplit=1)[0]
    return None if word not in YES | NO or re.search(r"\d", said) or not word.isalpha() else word in YES


class EntryForm(forms.Form):
    """What an organizer edits of a player. Only fields that the user changed count."""

    name = ShortText(label=_("Name"), max_length=services.LONGEST_NAME)
    club = ShortText(label=_("Club or team"), max_length=services.LONGEST_CLUB)
    army_points = Figure(
        _("Army points"), 1, services.LARGEST_ARMY, help_text=_("A submitted army list fills this in.")
    )
    fixed_table = Figure(_("Fixed table"), 1, services.LAST_TABLE, help_text=_("For accessibility or a stream."))
    note = LongText(label=_("Note for the organizers"), rows=2, max_length=services.LONGEST_NOTE)

    def __init__(self, entry: Entry, data: Any = None) -> None:
        super().__init__(data, initial={name: getattr(entry, name) for name in self.base_fields})
        if names := trophy_names(entry.event):
            self.initial["trophies"] = entry.trophies
            self.fields["trophies"] = forms.MultipleChoiceField(
                label=_("Trophies"), required=False, choices=[(name, name) for name in names], widget=Ticks
            )  # fmt: skip
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
        choices=[(state, state) for state in services.TRANSITIONS[services.Act.PLACE].after],
        error_messages=error_messages(INCOMPLETE),
    )


class ClaimForm(forms.Form):
    """An organizer's answer to a claim: by whom it was."""

    claimant = forms.ModelChoiceField(User.objects.filter(is_active=True), error_messages=error_messages(INCOMPLETE))


class CheckInForm(forms.Form):
    """The button of the check-in that was pressed: with the number of a player, or for everybody who is missing."""

    BUTTONS = ("check_in", "undo", "all", "all_absent")

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

    user = forms.ModelChoiceField(
        User.objects.none(), label=_("Leader"), error_messages=error_messages(services.NO_LEADER)
    )
    reason = LongText(label=_("Reason"), rows=2, max_length=1000, help_text=_("The public log shows it."))

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data)
        leaders = event.memberships.filter(role__in=Event.roles).values("user")
        self.fields["user"].queryset = User.objects.filter(pk__in=leaders, is_active=True)

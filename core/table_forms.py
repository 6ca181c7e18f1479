"""Forms of a table that somebody uploads: the file or text, and which column holds what."""

import hashlib
import re
from collections.abc import Mapping
from copy import copy
from typing import Any

from django import forms
from django.contrib.sessions.backends.base import SessionBase
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, gettext_lazy as _

from core import tables
from core.form_errors import refusals_on

#: The first rows, from which the one with the headings is chosen, and the values that a column shows.
FIRST_ROWS, SHOWN = 10, 5
#: The most columns that a browser session remembers of each kind of table.
MOST_REMEMBERED = 100


class TableForm(forms.Form):
    """A table as a file or as text. `rows` are its rows, `sheets` those of a workbook that are left out."""

    file = forms.FileField(
        label=_("CSV or Excel file"), required=False, max_length=200,
        error_messages={"empty": _("This file is empty. Choose another one, or paste a table.")},
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,text/csv"}),
    )  # fmt: skip
    text = forms.CharField(
        label=_("or paste the table"), required=False, strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.data: dict[str, Any] = copy(self.data)
        self.rows: list[tables.Row] = []
        self.sheets: list[str] = []

    def clean(self) -> dict[str, Any]:
        """Take the text of the file, if one was sent, and draw it: a browser cannot send the file again. Refuses a file
        that is too large or no table, and what `rows_of` refuses.
        """
        values = super().clean() or {}
        file = values.get("file")
        if file is not None and file.size > tables.MOST_BYTES:
            self.add_error("file", gettext("The file is too large. Send it in parts."))
        elif file is not None:
            with refusals_on(self):
                values["text"], self.sheets = tables.text_of_file(file.read())
                self.data["text"] = values["text"]
        elif not values.get("text", "").strip() and not self.errors:
            self.add_error("file", gettext("Choose a file, or paste a table."))
        if not self.errors:
            with refusals_on(self):
                self.rows = tables.rows_of(values["text"])
        return values

    def columns(self, fields: tables.Fields, remembered: Any = None) -> "ColumnsForm":
        """Return which column holds what: guessed for a file, else as it was sent with the text."""
        return ColumnsForm(self.rows, fields, None if self.files else self.data, remembered)


class ColumnsForm(forms.Form):
    """Which row of a table has the headings, and which column holds what. Drawn with a guess; what was sent counts as
    long as the table has the same columns.
    """

    drawn = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, rows: list[tables.Row], fields: tables.Fields, data: Any = None, remembered: Any = None) -> None:
        """`data` are what was sent, `remembered` the fields by heading of earlier tables."""
        sent = data.get("heading") if data and data.get("drawn") else ""
        cells = [cell for cell in rows[0].cells if cell] if len(rows) == 1 and "first_name" in fields.labels else []
        self.is_one_row = len(cells) > 1 and not tables.heading_row(rows, fields, tables.HEADINGS)
        is_list = len(cells) > 2 or all(re.search(", |@", cell) for cell in cells)
        is_list = is_list and not any(tables.heading_key(cell) in tables.YES for cell in cells)
        each = self.is_one_row and (sent == "each" if sent else is_list)
        rows, halves = tables.halves_of(tables.lines_of(rows, each=each), fields)
        self.rows, self.table_fields = rows, fields
        self.known = {**tables.HEADINGS, **fields.headings, **(remembered or {})}
        found = tables.heading_row(rows, fields, self.known)
        if data and data.get("drawn"):
            found = next((row for row in rows[:FIRST_ROWS] if str(row.number) == data.get("heading")), None)
            found = found and tables.with_row_above(rows, found, self.known)
        self.heading_row, self.heading_cells = found, found.cells if found else []
        self.width = max((len(row.cells) for row in rows), default=0)
        guessed = halves or tables.guess(rows, found, fields, self.known)
        chosen = {f"column-{place}": field for place, field in enumerate(guessed)}
        heading = "each" if each else str(found.number if found else 0)
        values = {"heading": heading, "drawn": self._fingerprint(), **chosen}
        drawn = data.get("drawn") if data else ""
        #: Whether the page that was sent showed other columns.
        self.has_changed_table = bool(drawn) and drawn != values["drawn"]
        super().__init__(data if drawn and not self.has_changed_table else values)
        self._add_fields()

    def _fingerprint(self) -> str:
        return hashlib.sha256(repr((self.width, self.heading_cells)).encode()).hexdigest()[:16]

    def _add_fields(self) -> None:
        first = [(row.number, f"{row.number}: {' · '.join(filter(None, row.cells))[:80]}") for row in self.rows]
        rows: list[tuple[int | str, str]] = [(0, gettext("None: the first row is data")), *first[:FIRST_ROWS]]
        if self.is_one_row:
            rows = [(0, gettext("None: the cells are one line")), ("each", gettext("None: each cell is a line"))]
        self.fields["heading"] = forms.ChoiceField(label=_("Headings"), choices=rows)
        choices = [("", gettext("Leave out")), *self.table_fields.labels.items()]
        for place in range(self.width):
            values = format_html_join(" · ", "<bdi>{}</bdi>", ((value,) for value in self.values(place)[:SHOWN]))
            self.fields[f"column-{place}"] = forms.ChoiceField(
                label=self.label_of(place), choices=choices, required=False, help_text=format_html("{}", values)
            )

    def label_of(self, place: int) -> str:
        """Return the heading of a column, or its letter."""
        if any(self.heading_cells[place : place + 1]):
            return self.heading_cells[place]
        letter = chr(65 + place) if place < 26 else chr(64 + place // 26) + chr(65 + place % 26)
        return gettext("Column %(letter)s") % {"letter": letter}

    @property
    def data_rows(self) -> list[tables.Row]:
        """The rows below the headings, without those of `rows_left_out`."""
        return self._rows_below()[0]

    @property
    def rows_left_out(self) -> str:
        """The last rows if they sum up those above them, and headings within a list, else an empty text."""
        return ", ".join(" · ".join(filter(None, row.cells)) for row in self._rows_below()[1])

    @property
    def filled_rows(self) -> list[tables.Row]:
        """The data rows without those that wait for somebody: a number and no name."""
        needed = self.table_fields.needed

        def is_filled(row: tables.Row) -> bool:
            cells = self.cells_of(row)
            waits = all(not re.search(r"[^\W\d]", cell) or tables.heading_key(cell) in tables.NO for cell in row.cells)
            return any(tables.unless_none(cells.get(field, "")) for field in needed) or not waits

        return [row for row in self.data_rows if is_filled(row)]

    def _rows_below(self) -> tuple[list[tables.Row], list[tables.Row]]:
        head = self.heading_row
        rows = [row for row in self.rows if not head or (row.number > head.number and not tables.repeats(row, head))]
        end = len(rows)
        while head and end and (tables.is_total(rows[end - 1]) or tables.is_remark(rows, end - 1)):
            end -= 1
        is_list = all(len(row.cells) == 1 for row in rows)
        left_out = [row for row in rows[:end] if is_list and row.cells[0].endswith(":")] + rows[end:]
        return [row for row in rows if row not in left_out], left_out

    def values(self, place: int) -> list[str]:
        """Return what stands in a column below its heading, without empty cells."""
        return [row.cells[place] for row in self.data_rows if place < len(row.cells) and row.cells[place]]

    def clean(self) -> dict[str, Any]:
        """Refuse a field in two columns, and a table without a needed column."""
        values = super().clean() or {}
        places: dict[str, list[str]] = {}
        for place, field in enumerate(self.chosen(values)):
            places.setdefault(field, []).append(self.label_of(place))
        labels = self.table_fields.labels
        for field, columns in places.items():
            if field and len(columns) > 1:
                text = gettext("These columns are all set to “%(field)s”: %(columns)s. Choose one of them.")
                self.add_error(None, text % {"field": labels[field], "columns": ", ".join(columns)})
        if self.rows and not places.keys() & {*self.table_fields.needed}:
            needed = ", ".join(f"“{labels[field]}”" for field in self.table_fields.needed)
            self.add_error(None, gettext("No column is set to one of these: %(fields)s.") % {"fields": needed})
        return values

    def chosen(self, values: Mapping[str, Any] | None = None) -> list[str]:
        """Return the field of each column, or an empty text."""
        entered = self.cleaned_data if values is None else values
        return [entered.get(f"column-{place}", "") for place in range(self.width)]

    @property
    def left_out(self) -> list[str]:
        """The columns that hold something and are left out."""
        return [self.label_of(place) for place, field in enumerate(self.chosen()) if not field and self.values(place)]

    @property
    def rows_above(self) -> int:
        """The number of rows above the headings, which are left out."""
        head = self.heading_row
        return sum(row.number < head.number for row in self.rows) if head else 0

    def cells_of(self, row: tables.Row) -> dict[str, str]:
        """Return what a row says, by field."""
        return {field: cell for field, cell in zip(self.chosen(), row.cells, strict=False) if field}

    def has_more(self, row: tables.Row) -> bool:
        """Return whether a row says something right of all headings that is left out: it most likely slipped."""
        width = len(self.heading_cells) if self.heading_row else self.width
        return any(cell and not field for cell, field in [*zip(row.cells, self.chosen(), strict=False)][width:])

    def remember(self, session: SessionBase, kind: str) -> None:
        """Keep in a browser session what somebody chose for headings that mean something else, or nothing, to us."""
        cells = self.heading_cells
        chosen = {
            key: field for cell, field in zip(cells, self.chosen(), strict=False) if (key := tables.heading_key(cell))
        }
        guessed = tables.guess(
            self.rows, self.heading_row, self.table_fields, {**tables.HEADINGS, **self.table_fields.headings}
        )
        usual = {tables.heading_key(cell): field for cell, field in zip(cells, guessed, strict=False)}
        before = remembered_columns(session, kind)
        now = {key: field for key, field in (before | chosen).items() if key not in usual or usual[key] != field}
        if now != before:
            session[f"columns:{kind}"] = dict([*now.items()][-MOST_REMEMBERED:])


def remembered_columns(session: SessionBase, kind: str) -> dict[str, str]:
    """Return the fields that somebody chose for headings of this kind of table, by `heading_key`."""
    kept: dict[str, str] = session.get(f"columns:{kind}", {})
    return kept

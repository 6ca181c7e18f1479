"""Read players from a table in text: commas, semicolons or tabs, a player a line (E5)."""

from __future__ import annotations

import csv
from collections.abc import Collection
from dataclasses import dataclass, field
from io import StringIO

from rules.core.translation import gettext
from rules.core.violations import Violation
from tournaments.services.registration import MOST_ADDED, NewPlayer, players_violations

#: The columns, in the order in which they stand if the table has no headings.
COLUMNS = ("name", "club", "note", "paid")
#: The most letters of a table.
LONGEST = 200_000
YES = frozenset({"yes", "y", "x", "1", "true", "paid", "ja", "oui", "sí", "✓"})
NO = frozenset({"", "no", "n", "0", "false", "-", "nein", "non"})


@dataclass(slots=True)
class PlayerLine:
    """A line of the table, from 1, with what is wrong with it."""

    number: int
    player: NewPlayer
    violations: list[Violation] = field(default_factory=list)


@dataclass(slots=True)
class PlayerTable:
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


def read_players(text: str, known: Collection[str]) -> PlayerTable:
    """Return the players of a table with everything that is wrong, by line. `known` are the names in the event, as
    `tournaments.services.registration.name_keys` returns them.
    """
    table = PlayerTable()
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
    _check_together(table, known)
    return table


def _line(number: int, cells: list[str], columns: tuple[str, ...]) -> PlayerLine:
    found = dict(zip(columns, cells, strict=False))
    paid = found.get("paid", "").casefold()
    player = NewPlayer(found.get("name", ""), found.get("club", ""), found.get("note", ""), paid in YES)
    line = PlayerLine(number, player)
    if any(cells[len(columns) :]):
        line.violations.append(Violation("", gettext("There are more columns than headings.")))
    if paid not in YES | NO:
        line.violations.append(Violation("", gettext("Write yes or no for paid, not “{text}”.", text=found["paid"])))
    return line


def _check_together(table: PlayerTable, known: Collection[str]) -> None:
    """Add what is wrong with the players of a table to their lines."""
    if not table.lines:
        table.violations.append(Violation("", gettext("The list has no players. Add at least one.")))
        return
    if len(table.lines) > MOST_ADDED:
        table.violations.append(Violation("", gettext("Add at most {most} at once.", most=MOST_ADDED)))
        return
    earlier: set[str] = set()
    for line in table.lines:
        for violation in players_violations(known, [line.player]):
            line.violations.append(violation)
        key = " ".join(line.player.name.split()).casefold()
        if key and key in earlier:
            text = gettext("{name} is listed twice. Add a surname or a number.", name=line.player.name)
            line.violations.append(Violation("E11", text))
        earlier.add(key)

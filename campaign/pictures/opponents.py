"""Who fought whom, and how it ended: a table with a mark for each battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from registers.models import Register

from .fought import DRAWN, LOST, WON, Bout, Fought

#: More battles than that between two are told in numbers.
MARKS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """The battles of a Register against one opponent (nothing: guests), as the Register saw them."""

    opponent: Register | None
    bouts: Sequence[Bout]
    itself: bool = False

    @property
    def tally(self) -> str:
        """Won, drawn and lost, where there are too many battles for marks."""
        return _tally(self.bouts) if len(self.bouts) > MARKS else ""


@dataclass(frozen=True, slots=True)
class Row:
    """A Register against each other one, and all together."""

    register: Register
    cells: list[Cell]
    tally: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """All rows; `with_guests` if the last column is that of the guests. `count` is of battles that are over."""

    rows: list[Row]
    with_guests: bool
    count: int


def opponents(seen: Fought) -> Matrix | None:
    """The table of a campaign; nothing before its first battle is over."""
    bouts = [bout for found in seen.bouts.values() for bout in found]
    if not bouts:
        return None
    with_guests = any(bout.opponent is None for bout in bouts)
    return Matrix(
        rows=[_row(register, seen, with_guests) for register in seen.registers],
        with_guests=with_guests,
        count=len({bout.battle.pk for bout in bouts}),
    )


def _row(register: Register, seen: Fought, with_guests: bool) -> Row:
    own = seen.bouts[register.pk]
    met: dict[UUID | None, list[Bout]] = {}
    for bout in own:
        met.setdefault(bout.opponent, []).append(bout)
    cells = [Cell(other, met.get(other.pk, ()), other == register) for other in seen.registers]
    if with_guests:
        cells.append(Cell(None, met.get(None, ())))
    return Row(register, cells, _tally(own))


def _tally(bouts: Sequence[Bout]) -> str:
    results = Counter(bout.result for bout in bouts)
    return f"{results[WON]}–{results[DRAWN]}–{results[LOST]}"

"""What the reference is made of: sections of passages, a passage with words, lines and a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.terms import SWITCHES, Switch


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. `face` is that of a die (`die`: "black_attack"), `icon` a drawing before its first cell."""

    id: str
    cells: tuple[str, ...]
    face: str = ""
    die: str = ""
    icon: str = ""

    @property
    def name(self) -> str:
        """What the row is about."""
        return self.cells[0]

    @property
    def facts(self) -> tuple[str, ...]:
        """What stands between its name and its effect, without the empty ones."""
        return tuple(cell for cell in self.cells[1:-1] if cell)

    @property
    def effect(self) -> str:
        """What the row says of it."""
        return self.cells[-1]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; where its last column is `prose`, its rows run on as sentences on the printed sheet."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    prose: bool = False

    @property
    def lines(self) -> tuple[tuple[Row, tuple[tuple[str, str], ...]], ...]:
        """Each row with its cells after the first, each under the name of its column."""
        return tuple((row, tuple(zip(self.columns[1:], row.cells[1:], strict=True))) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Passage:
    """Something one can be led to, at the anchor `id`.

    `text` and `lines` are Markdown; `number` is that of a ruling. `ordered` lines are done one after the other.
    `on_sheet` says whether it stands on the printed sheet.
    """

    id: str
    heading: str
    text: str = ""
    lines: tuple[str, ...] = ()
    table: Table | None = None
    number: str = ""
    ordered: bool = False
    on_sheet: bool = True

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The gaps in the printed text that the ruling fills, where a campaign may read it otherwise."""
        return tuple(switch for switch in SWITCHES if self.number and switch.rule == self.number)


@dataclass(frozen=True, slots=True)
class Section:
    """Passages that belong together, at an anchor of their own. `step` is the number of one of the ten, else 0."""

    id: str
    name: str
    passages: tuple[Passage, ...]
    step: int = 0

    @property
    def on_sheet(self) -> tuple[Passage, ...]:
        """Those of its passages that are printed."""
        return tuple(passage for passage in self.passages if passage.on_sheet)


def ruling(number: int, heading: str, text: str, *, on_sheet: bool = False) -> Passage:
    """The passage of a ruling, at the anchor of its number ("R34"); the sheet has what it says among the lines."""
    return Passage(f"R{number}", heading, text, number=f"R{number}", on_sheet=on_sheet)


def in_short(section: str, heading: str, lines: Iterable[str]) -> Passage:
    """What a section asks one to do, step by step."""
    return Passage(f"{section}-in-short", heading, lines=tuple(lines), ordered=True)

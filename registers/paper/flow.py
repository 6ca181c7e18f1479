"""A sheet on which one thing follows the other in two columns, each as high as what stands on it. In millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .fitting import NORMAL, SIZES, Card, Part, at_size, height_in_mm
from .stock import EDGE, FOOT_LINE, GUTTER, Paper

COLUMNS = 2
#: What an entry has around it, and what lies between two of them.
INSET, BETWEEN = 2.0, 2.5
#: The sizes of letters that a sheet may have; it is read at arm's length.
FLOW_SIZES = tuple(size for size in SIZES if 7.5 <= size <= NORMAL)
#: By how much the columns are shortened until they are as even as they can be.
STEP = 3.0


@dataclass(frozen=True, slots=True)
class FlowStock:
    """What the class of such a page is called."""

    slug: str = "flow"


@dataclass(frozen=True, slots=True)
class FlowLeaf:
    """A page: a part over its whole width on top of the first one, and two columns."""

    banners: Sequence[Part]
    columns: Sequence[Sequence[Part]]
    stock: FlowStock = FlowStock()


@dataclass(frozen=True, slots=True)
class _Poured:
    top: Part
    parts: Sequence[Part]
    columns: Sequence[Sequence[Part]]

    @property
    def pages(self) -> int:
        return -(-len(self.columns) // COLUMNS)


def flow(banner: Card, cards: Sequence[Card], paper: Paper) -> list[FlowLeaf]:
    """A banner and what follows it, on as few pages as possible, then in the largest letters, its columns even."""
    options = [_poured(banner, cards, paper, size) for size in FLOW_SIZES]
    best = min(options, key=lambda poured: (_below(poured.top, _height(paper)) < 0, poured.pages))
    columns = _evened(best, paper)
    leaves = [
        FlowLeaf((), columns[start : start + COLUMNS]) for start in range(COLUMNS, len(columns), COLUMNS)
    ]
    return [FlowLeaf((best.top,), columns[:COLUMNS]), *leaves]


def _poured(banner: Card, cards: Sequence[Card], paper: Paper, size: float) -> _Poured:
    height = _height(paper)
    wide = paper.width - 2 * EDGE
    narrow = (wide - GUTTER * (COLUMNS - 1)) / COLUMNS
    (top,) = at_size(banner, wide - 2 * INSET, float("inf"), size)
    below = _below(top, height)
    # A giant is torn so that it can begin on the first page, unless hardly anything can.
    highest = (below if below > height / 3 else height) - 2 * INSET
    parts = [part for card in cards for part in at_size(card, narrow - 2 * INSET, highest, size)]
    return _Poured(top, parts, _in_columns(parts, below, height))


def _evened(poured: _Poured, paper: Paper) -> Sequence[Sequence[Part]]:
    """The columns as short as they can be on as many pages."""
    height = _height(paper)
    columns, limit = poured.columns, height - STEP
    below = _below(poured.top, height)
    while limit > 0:
        shorter = _in_columns(poured.parts, min(below, limit), limit)
        if len(shorter) > COLUMNS * poured.pages or _overfull(shorter, limit):
            break
        columns, limit = shorter, limit - STEP
    return columns


def _height(paper: Paper) -> float:
    return paper.height - 2 * EDGE - FOOT_LINE


def _below(top: Part, height: float) -> float:
    return height - height_in_mm(top) - 2 * INSET - BETWEEN


def _in_columns(parts: Sequence[Part], first: float, others: float) -> list[list[Part]]:
    """The parts in columns: the two on the first page are `first` high, all others `others`."""
    columns: list[list[Part]] = [[]]
    used = 0.0
    for part in parts:
        high = height_in_mm(part) + 2 * INSET + BETWEEN
        while used + high - BETWEEN > (room := first if len(columns) <= COLUMNS else others):
            if room == others and not columns[-1]:
                break  # it is as high as a page
            columns.append([])
            used = 0.0
        columns[-1].append(part)
        used += high
    return columns


def _overfull(columns: Sequence[Sequence[Part]], limit: float) -> bool:
    return any(
        sum(height_in_mm(part) + 2 * INSET + BETWEEN for part in column) - BETWEEN > limit
        for column in columns
    )

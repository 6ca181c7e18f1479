"""Paper sizes and sheets, and how cards are poured onto them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import TypeVar

from registers.print.typesetting import NORMAL, SIZES, Card, Part, at_size, fit, height_in_mm

Thing = TypeVar("Thing")

#: What a sheet leaves free at its edges, between its forms, and for the line at its foot.
EDGE, GUTTER, FOOT_LINE = 10.0, 4.0, 6.0
#: How far cutting marks stay off the cards, and how long they are.
MARK_OFF, MARK = 1.0, 3.0
FORM_COLUMNS = 2
#: Rows of forms on a sheet: as few as do, so that there is room to write.
FORM_ROWS = (3, 4, 5)


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright."""

    slug: str
    width: float
    height: float


A4, LETTER = Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4)
PAPERS = {paper.slug: paper for paper in (A4, LETTER)}


@dataclass(frozen=True, slots=True)
class Stock:
    """Equal cards on a page, `gutter` apart, with `inset` to what they hold, in letters of at most `largest`
    points.
    """

    slug: str
    width: float
    height: float
    columns: int
    rows: int
    inset: float
    gutter: float = 0.0
    largest: float = NORMAL

    @property
    def room(self) -> int:
        """How many there are on a page."""
        return self.columns * self.rows

    def set(self, card: Card) -> list[Part]:
        """A card on this stock: one part, or several where its texts need them."""
        return fit(card, self.width - 2 * self.inset, self.height - 2 * self.inset, self.largest)


SMALL = Stock("small", 63.0, 88.0, columns=3, rows=3, inset=4.0)
LARGE = Stock("large", 70.0, 120.0, columns=2, rows=2, inset=4.5, largest=10.5)
CARDS = {stock.slug: stock for stock in (SMALL, LARGE)}


def forms(paper: Paper, rows: int) -> Stock:
    """A sheet of paper with so many rows of forms."""
    width = (paper.width - 2 * EDGE - GUTTER) / FORM_COLUMNS
    height = (paper.height - 2 * EDGE - FOOT_LINE - GUTTER * (rows - 1)) / rows
    return Stock(f"forms-{rows}", width, height, FORM_COLUMNS, rows, inset=2.5, gutter=GUTTER)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of equal cards, below forms that go over its whole width; `marks` is the path of its cutting marks."""

    stock: Stock
    parts: Sequence[Part]
    banners: Sequence[Part] = ()
    marks: str = ""


def card_leaves(cards: Iterable[Card], stock: Stock, paper: Paper) -> list[Leaf]:
    """Cards for sleeves on as few pages as possible, about as many on each."""
    parts = [part for card in cards for part in stock.set(card)]
    return [
        Leaf(stock, some, marks=_marks(len(some), stock, paper))
        for some in shared_out(parts, ceil(len(parts) / stock.room))
    ]


def form_leaves(banners: Sequence[Card], cards: Sequence[Card], paper: Paper) -> list[Leaf]:
    """Return forms on as few pages as possible, about as many and as high on each; banners first, in full width."""
    return min((_in_rows(banners, cards, forms(paper, rows)) for rows in FORM_ROWS), key=len)


def shared_out(things: Sequence[Thing], number: int) -> Iterator[Sequence[Thing]]:
    """Things in so many runs, none longer than another by more than one: no last page is nearly empty."""
    ends = [ceil(len(things) * place / number) for place in range(number + 1)] if things else []
    return (things[start:end] for start, end in pairwise(ends))


def _in_rows(banners: Sequence[Card], cards: Sequence[Card], stock: Stock) -> list[Leaf]:
    whole = replace(stock, width=stock.columns * stock.width + (stock.columns - 1) * stock.gutter)
    on_top = [part for card in banners for part in whole.set(card)]
    parts = [part for card in cards for part in stock.set(card)]
    rows: list[Sequence[Part]] = [[part] for part in on_top]
    rows += [parts[start : start + stock.columns] for start in range(0, len(parts), stock.columns)]
    leaves = []
    for some in shared_out(rows, ceil(len(rows) / stock.rows)):
        wide, on_top = on_top[: len(some)], on_top[len(some) :]
        leaves.append(Leaf(stock, [part for row in some[len(wide) :] for part in row], wide))
    return leaves


def _marks(number: int, stock: Stock, paper: Paper) -> str:
    """Return cutting marks outside the cards, as the path of an SVG."""
    left = (paper.width - stock.columns * stock.width) / 2
    top = (paper.height - stock.rows * stock.height) / 2
    columns, rows = min(number, stock.columns), ceil(number / stock.columns)
    right, bottom = left + columns * stock.width, top + rows * stock.height
    off = MARK_OFF + MARK
    across = [
        f"M{left + place * stock.width:g} {y:g}v{MARK:g}"
        for place in range(columns + 1)
        for y in (top - off, bottom + MARK_OFF)
    ]
    down = [
        f"M{x:g} {top + place * stock.height:g}h{MARK:g}"
        for place in range(rows + 1)
        for x in (left - off, right + MARK_OFF)
    ]
    return "".join([*across, *down])


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
    best = min(options, key=lambda poured: (_height(paper) < _high(poured.top), poured.pages))
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
    below = height - _high(top)
    # A giant is torn so that it can begin on the first page, unless hardly anything can.
    highest = (below if below > height / 3 else height) - 2 * INSET
    parts = [part for card in cards for part in at_size(card, narrow - 2 * INSET, highest, size)]
    return _Poured(top, parts, _in_columns(parts, below, height))


def _evened(poured: _Poured, paper: Paper) -> Sequence[Sequence[Part]]:
    height = _height(paper)
    columns, limit = poured.columns, height - STEP
    below = height - _high(poured.top)
    while limit > 0:
        shorter = _in_columns(poured.parts, min(below, limit), limit)
        highest = max(sum(map(_high, column), -BETWEEN) for column in shorter)
        if len(shorter) > COLUMNS * poured.pages or highest > limit:
            break
        columns, limit = shorter, limit - STEP
    return columns


def _height(paper: Paper) -> float:
    return paper.height - 2 * EDGE - FOOT_LINE


def _high(part: Part) -> float:
    return height_in_mm(part) + 2 * INSET + BETWEEN


def _in_columns(parts: Sequence[Part], first: float, others: float) -> list[list[Part]]:
    """Return the parts in columns: the two on the first page are `first` high, all others `others`."""
    columns: list[list[Part]] = [[]]
    used = 0.0
    for part in parts:
        high = _high(part)
        while used + high - BETWEEN > (room := first if len(columns) <= COLUMNS else others):
            if room == others and not columns[-1]:
                break  # it is as high as a page
            columns.append([])
            used = 0.0
        columns[-1].append(part)
        used += high
    return columns

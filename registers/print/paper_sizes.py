"""Paper sizes and sheets, and the layout of cards on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import TypeVar

from registers.print.typesetting import NORMAL, SIZES, Card, Part, at_size, fit, height_in_mm

Thing = TypeVar("Thing")

#: Margins of a sheet, gaps between its forms, and the height of the line at its foot, in mm.
EDGE, GUTTER, FOOT_LINE = 10.0, 4.0, 6.0
#: Distance of cutting marks from the cards, and their length, in mm.
MARK_OFF, MARK = 1.0, 3.0
FORM_COLUMNS = 2
#: Rows of forms on a sheet. As few as possible, so that there is space to write.
FORM_ROWS = (3, 4, 5)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper size in portrait format."""

    slug: str
    width: float
    height: float


A4, LETTER = Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4)
PAPERS = {paper.slug: paper for paper in (A4, LETTER)}


@dataclass(frozen=True, slots=True)
class Stock:
    """Cards of equal size on a page.

    They are `gutter` apart, with an `inset` around their contents, in letters of at most `largest` points.
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
        """The number of cards on a page."""
        return self.columns * self.rows

    def set(self, card: Card) -> list[Part]:
        """Return a card on this stock: one part, or several if its texts need them."""
        return fit(card, self.width - 2 * self.inset, self.height - 2 * self.inset, self.largest)


SMALL = Stock("small", 63.0, 88.0, columns=3, rows=3, inset=4.0)
LARGE = Stock("large", 70.0, 120.0, columns=2, rows=2, inset=4.5, largest=10.5)
CARDS = {stock.slug: stock for stock in (SMALL, LARGE)}


def forms(paper: Paper, rows: int) -> Stock:
    """Return a sheet of paper with so many rows of forms."""
    width = (paper.width - 2 * EDGE - GUTTER) / FORM_COLUMNS
    height = (paper.height - 2 * EDGE - FOOT_LINE - GUTTER * (rows - 1)) / rows
    return Stock(f"forms-{rows}", width, height, FORM_COLUMNS, rows, inset=2.5, gutter=GUTTER)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of equal cards, below forms of full width. `marks` is the SVG path of its cutting marks."""

    stock: Stock
    parts: Sequence[Part]
    banners: Sequence[Part] = ()
    marks: str = ""


def card_leaves(cards: Iterable[Card], stock: Stock, paper: Paper) -> list[Leaf]:
    """Return cards for sleeves on as few pages as possible, with about as many on each page."""
    parts = [part for card in cards for part in stock.set(card)]
    return [
        Leaf(stock, some, marks=_marks(len(some), stock, paper))
        for some in shared_out(parts, ceil(len(parts) / stock.room))
    ]


def form_leaves(banners: Sequence[Card], cards: Sequence[Card], paper: Paper) -> list[Leaf]:
    """Return forms on as few pages as possible, about as many and as high on each; banners first, in full width."""
    return min((_in_rows(banners, cards, forms(paper, rows)) for rows in FORM_ROWS), key=len)


def shared_out(things: Sequence[Thing], number: int) -> Iterator[Sequence[Thing]]:
    """Yield things in this number of runs, whose lengths differ by at most one: no last page is nearly empty."""
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
#: Space around an entry, and between two entries, in mm.
INSET, BETWEEN = 2.0, 2.5
#: Letter sizes that a sheet may use; people read it at arm's length.
FLOW_SIZES = tuple(size for size in SIZES if 7.5 <= size <= NORMAL)
#: Step by which columns are shortened to make them even, in mm.
STEP = 3.0


@dataclass(frozen=True, slots=True)
class FlowStock:
    """The CSS class of such a page."""

    slug: str = "flow"


@dataclass(frozen=True, slots=True)
class FlowLeaf:
    """A page of two columns; the first page has a banner of full width above them."""

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
    """Return a banner and its cards on as few pages as possible, then in the largest letters, with even columns."""
    options = [_poured(banner, cards, paper, size) for size in FLOW_SIZES]
    best = min(options, key=lambda poured: (_height(paper) < _high(poured.top), poured.pages))
    columns = _evened(best, paper)
    leaves = [FlowLeaf((), columns[start : start + COLUMNS]) for start in range(COLUMNS, len(columns), COLUMNS)]
    return [FlowLeaf((best.top,), columns[:COLUMNS]), *leaves]


def _poured(banner: Card, cards: Sequence[Card], paper: Paper, size: float) -> _Poured:
    height = _height(paper)
    wide = paper.width - 2 * EDGE
    narrow = (wide - GUTTER * (COLUMNS - 1)) / COLUMNS
    (top,) = at_size(banner, wide - 2 * INSET, float("inf"), size)
    below = height - _high(top)
    # Split a card that is higher than a page, so that it can begin on the first page if there is enough space.
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

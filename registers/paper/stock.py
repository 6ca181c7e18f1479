"""Paper and what it is divided into: cards for sleeves with marks to cut along, and forms on a sheet. In millimetres.

`static/css/paper/paper.css` draws the same measures; a test holds both together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import TypeVar

from .fitting import NORMAL, Card, Part, fit

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
    """Equal cards on a page: so many beside and above each other, `gutter` apart, with `inset` to what they hold.

    Their letters have at most `largest` points.
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
    """Forms on as few pages as possible, about as many on each, and as high as that allows.

    The banners go over the whole width, each in a row of its own, before all others.
    """
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
    """Short lines outside the cards, where a ruler is laid to cut them apart, as the path of an SVG."""
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

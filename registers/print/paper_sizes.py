"""Paper sizes and sheets, and the layout of cards on them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil
from typing import TypeVar

from registers.print.typesetting import NORMAL, SIZES, Card, CardFace, at_size, fit, fit_in_one_size, height_in_mm
from rules.core.values import Value

Thing = TypeVar("Thing")

#: Margins of a sheet, gaps between its forms, and the height of the line at its foot, in mm.
EDGE, GUTTER, FOOT_LINE = 10.0, 4.0, 6.0
#: Distance of cutting marks from the cards, and their length, in mm.
MARK_OFF, MARK = 1.0, 3.0
FORM_COLUMNS = 2
#: Rows of forms on a sheet. As few as possible, so that there is space to write.
FORM_ROWS = (3, 4)


class Paper(Value):
    """A paper size in portrait format."""

    slug: str
    width: float
    height: float


A4, LETTER = Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4)
PAPERS = {paper.slug: paper for paper in (A4, LETTER)}


class CardFormat(Value):
    """Cards of equal size on a page.

    They are `gutter` apart, with an `inset` around their contents, in letters of at most `largest` points, and of at
    least `smallest` points where all cards have letters of one size.
    """

    slug: str
    width: float
    height: float
    columns: int
    rows: int
    inset: float
    gutter: float = 0.0
    largest: float = NORMAL
    smallest: float = SIZES[-1]

    @property
    def room(self) -> int:
        """The number of cards on a page."""
        return self.columns * self.rows

    def set(self, card: Card) -> list[CardFace]:
        """Return a card in this format: one face, or several if its texts need them."""
        return fit(card, self.width - 2 * self.inset, self.height - 2 * self.inset, self.largest)

    def set_in_one_size(self, cards: Sequence[Card]) -> list[CardFace]:
        """Return the faces of cards in this format, all in letters of one size."""
        width, height = self.width - 2 * self.inset, self.height - 2 * self.inset
        return [face for faces in fit_in_one_size(cards, width, height, self.largest, self.smallest) for face in faces]


SMALL = CardFormat("small", 63.0, 88.0, columns=3, rows=3, inset=4.0, smallest=7.5)
LARGE = CardFormat("large", 70.0, 120.0, columns=2, rows=2, inset=4.5, largest=10.5, smallest=8.5)
CARDS = {card_format.slug: card_format for card_format in (SMALL, LARGE)}


def forms(paper: Paper, rows: int) -> CardFormat:
    """Return a sheet of paper with so many rows of forms."""
    width = (paper.width - 2 * EDGE - GUTTER) / FORM_COLUMNS
    height = (paper.height - 2 * EDGE - FOOT_LINE - GUTTER * (rows - 1)) / rows
    return CardFormat(f"forms-{rows}", width, height, FORM_COLUMNS, rows, inset=2.5, gutter=GUTTER)


class CardPage(Value):
    """A page of equal cards, below forms of full width. `marks` is the SVG path of its cutting marks."""

    card_format: CardFormat
    faces: Sequence[CardFace]
    banners: Sequence[CardFace] = ()
    marks: str = ""


def card_pages(
    cards: Iterable[Card], card_format: CardFormat, paper: Paper, alike: Sequence[Card] = ()
) -> list[CardPage]:
    """Return cards for sleeves on as few pages as possible, with about as many on each page.

    Those in `alike` come last, and have letters of one size.
    """
    faces = [face for card in cards for face in card_format.set(card)] + card_format.set_in_one_size(alike)
    return [
        CardPage(card_format, some, marks=_marks(len(some), card_format, paper))
        for some in split_evenly(faces, ceil(len(faces) / card_format.room))
    ]


def form_pages(
    banners: Sequence[Card], cards: Sequence[Card], paper: Paper, blank: Card | None = None
) -> list[CardPage]:
    """Return forms on as few pages as possible, about as many and as high on each; banners first, in full width.

    The cards have letters of one size. `blank` is a card that fills what is left of the last page.
    """
    pages = min((_in_rows(banners, cards, forms(paper, rows)) for rows in FORM_ROWS), key=len)
    if blank and pages:
        last = pages[-1]
        rows = last.card_format.rows - len(last.banners)
        free = rows * last.card_format.columns - len(last.faces)
        faces = [*last.faces, *last.card_format.set_in_one_size([blank] * free)]
        pages[-1] = replace(last, faces=faces)
    return pages


def split_evenly(things: Sequence[Thing], number: int) -> Iterator[Sequence[Thing]]:
    """Yield things in this number of runs, whose lengths differ by at most one: no last page is nearly empty."""
    ends = [ceil(len(things) * place / number) for place in range(number + 1)] if things else []
    return (things[start:end] for start, end in pairwise(ends))


def _in_rows(banners: Sequence[Card], cards: Sequence[Card], card_format: CardFormat) -> list[CardPage]:
    whole = replace(
        card_format, width=card_format.columns * card_format.width + (card_format.columns - 1) * card_format.gutter
    )
    on_top = [face for card in banners for face in whole.set(card)]
    faces = card_format.set_in_one_size(cards)
    rows: list[Sequence[CardFace]] = [[face] for face in on_top]
    rows += [faces[start : start + card_format.columns] for start in range(0, len(faces), card_format.columns)]
    pages = []
    for some in split_evenly(rows, ceil(len(rows) / card_format.rows)):
        wide, on_top = on_top[: len(some)], on_top[len(some) :]
        pages.append(CardPage(card_format, [face for row in some[len(wide) :] for face in row], wide))
    return pages


def _marks(number: int, card_format: CardFormat, paper: Paper) -> str:
    """Return cutting marks outside the cards, as the path of an SVG."""
    left = (paper.width - card_format.columns * card_format.width) / 2
    top = (paper.height - card_format.rows * card_format.height) / 2
    columns, rows = min(number, card_format.columns), ceil(number / card_format.columns)
    right, bottom = left + columns * card_format.width, top + rows * card_format.height
    off = MARK_OFF + MARK
    across = [
        f"M{left + place * card_format.width:g} {y:g}v{MARK:g}"
        for place in range(columns + 1)
        for y in (top - off, bottom + MARK_OFF)
    ]
    down = [
        f"M{x:g} {top + place * card_format.height:g}h{MARK:g}"
        for place in range(rows + 1)
        for x in (left - off, right + MARK_OFF)
    ]
    return "".join([*across, *down])


COLUMNS = 2
#: Space around an entry, and between two entries, in mm.
INSET, BETWEEN = 2.0, 2.5
#: Letter sizes that a sheet may use; people read it at arm's length.
FLOW_SIZES = tuple(size for size in SIZES if size >= 7.5)
#: Step by which columns are shortened to make them even, and the least height of what closes a page, in mm.
STEP, LEAST_CLOSING = 3.0, 22.0


class ColumnFormat(Value):
    """The CSS class of such a page."""

    slug: str = "flow"


class ColumnPage(Value):
    """A page of two columns: the first has a banner of full width above them, the last may have one below them."""

    banners: Sequence[CardFace]
    columns: Sequence[Sequence[CardFace]]
    closing: CardFace | None = None
    card_format: ColumnFormat = ColumnFormat()


class _Layout(Value):
    top: CardFace
    faces: Sequence[CardFace]
    columns: Sequence[Sequence[CardFace]]

    @property
    def pages(self) -> int:
        return -(-len(self.columns) // COLUMNS)


def column_pages(banner: Card, cards: Sequence[Card], paper: Paper, closing: Card | None = None) -> list[ColumnPage]:
    """Return a banner and its cards on as few pages as possible, then in the largest letters, with even columns.

    `closing` is a card of full width with lines to write on. It fills the last page, if there is enough space.
    """
    options = [_layout_in(banner, cards, paper, size) for size in FLOW_SIZES]
    best = min(options, key=lambda layout: (_height(paper) < _high(layout.top), layout.pages))
    columns = _with_even_columns(best, paper)
    pages = [ColumnPage((), columns[start : start + COLUMNS]) for start in range(COLUMNS, len(columns), COLUMNS)]
    pages.insert(0, ColumnPage((best.top,), columns[:COLUMNS]))
    pages[-1] = replace(pages[-1], closing=_closing(pages[-1], closing, paper, best.top.size))
    return pages


def _closing(page: ColumnPage, card: Card | None, paper: Paper, size: float) -> CardFace | None:
    used = sum(map(_high, page.banners)) + max(sum(map(_high, column)) for column in page.columns)
    left = _height(paper) - used - 2 * INSET
    if card is None or left < LEAST_CLOSING:
        return None
    faces = at_size(card, paper.width - 2 * EDGE - 2 * INSET, left, size)
    return faces[0] if len(faces) == 1 else None


def _layout_in(banner: Card, cards: Sequence[Card], paper: Paper, size: float) -> _Layout:
    height = _height(paper)
    wide = paper.width - 2 * EDGE
    narrow = (wide - GUTTER * (COLUMNS - 1)) / COLUMNS
    (top,) = at_size(banner, wide - 2 * INSET, float("inf"), size)
    below = height - _high(top)
    # Split a card that is higher than a page, so that it can begin on the first page if there is enough space.
    highest = (below if below > height / 3 else height) - 2 * INSET
    faces = [face for card in cards for face in at_size(card, narrow - 2 * INSET, highest, size)]
    return _Layout(top, faces, _in_columns(faces, below, height))


def _with_even_columns(layout: _Layout, paper: Paper) -> Sequence[Sequence[CardFace]]:
    height = _height(paper)
    columns, limit = layout.columns, height - STEP
    below = height - _high(layout.top)
    while limit > 0:
        shorter = _in_columns(layout.faces, min(below, limit), limit)
        highest = max(sum(map(_high, column), -BETWEEN) for column in shorter)
        if len(shorter) > COLUMNS * layout.pages or highest > limit:
            break
        columns, limit = shorter, limit - STEP
    return columns


def _height(paper: Paper) -> float:
    return paper.height - 2 * EDGE - FOOT_LINE


def _high(face: CardFace) -> float:
    return height_in_mm(face) + 2 * INSET + BETWEEN


def _in_columns(faces: Sequence[CardFace], first: float, others: float) -> list[list[CardFace]]:
    """Return the faces in columns: the two on the first page are `first` high, all others `others`."""
    columns: list[list[CardFace]] = [[]]
    used = 0.0
    for face in faces:
        high = _high(face)
        while used + high - BETWEEN > (room := first if len(columns) <= COLUMNS else others):
            if room == others and not columns[-1]:
                break  # it is as high as a page
            columns.append([])
            used = 0.0
        columns[-1].append(face)
        used += high
    return columns

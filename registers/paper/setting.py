"""What stands on a card, and how high it is once its lines are broken.

All lengths are em of the card's letters, so that a smaller size is a wider and higher card. The style sheet
draws each kind of piece in exactly the height that is said here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from django.utils.translation import gettext as _

from .letters import Line, Run, broken

LINE = 1.2
#: Room above a piece, above a caption, and between two columns.
ABOVE, ABOVE_CAPTION, BELOW_CAPTION, BETWEEN = 0.25, 0.55, 0.15, 0.9
#: The letters of a title and of a caption, beside those of the text.
TITLE, CAPTION = 1.3, 0.85
#: A line to write on, a box to tick with the room around it, the room for a number, how far a clause is set in.
TO_WRITE, BOX, AMOUNT, SET_IN = 1.9, 1.1, 2.6, 0.9
#: Room that a title leaves for a mark ("2/2") in the corner.
CORNER = 2.4
DEEPEST = 4
#: A text goes on elsewhere only after so many lines.
LEAST_LINES = 2
#: Sums of tenths are not exact.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Title:
    """The name on a card."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, which may begin with a word in bold; `depth` says how far it is set in.

    What ends with a colon is the head of what is set in deeper below it.
    """

    text: str
    lead: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Caption:
    """What a field is called."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and a number at the right."""

    text: str
    amount: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes to tick, so many of them ticked already; round ones for what is collected. `spoken` says it in words."""

    text: str
    done: int
    total: int
    spoken: str = ""
    is_round: bool = False


@dataclass(frozen=True, slots=True)
class ToWrite:
    """Empty lines to write on, the first one after a word."""

    text: str = ""
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Columns:
    """Fields side by side; `kind` says how wide they are."""

    kind: str
    columns: tuple[tuple[Block, ...], ...]


Block = Title | Text | Caption | Pair | Boxes | ToWrite | Columns

#: Kind of columns to the part of the card that each has.
SHARES: Mapping[str, tuple[float, ...]] = {
    "halves": (0.5, 0.5),
    "ranks": (0.46, 0.32, 0.22),
    "thirds": (0.33, 0.33, 0.33),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block with its lines broken. `bound` when it must not be the last on a card, `below` when its boxes stand in a
    line of their own. `again` are the lines of a head when it stands on a further card."""

    kind: str
    height: float
    lines: tuple[Line, ...] = ()
    bound: bool = False
    depth: int = 0
    amount: str = ""
    ticked: tuple[bool, ...] = ()
    spoken: str = ""
    columns: tuple[tuple[Piece, ...], ...] = ()
    columns_kind: str = ""
    below: bool = False
    again: tuple[Line, ...] = ()


def set_blocks(blocks: Iterable[Block], room: float) -> tuple[Piece, ...]:
    """The blocks with their lines broken for a width of `room` em; those that say nothing are left out."""
    pieces = (_set(block, room) for block in blocks)
    return tuple(piece for piece in pieces if piece.height)


def height_of(pieces: Iterable[Piece]) -> float:
    """How high pieces are, one below the other, in em."""
    return sum(piece.height for piece in pieces)


def cut(pieces: Sequence[Piece], height: float) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """What fits into a height (em), and the rest. The first piece counts as fitting, however little room there is.

    What is below a head goes to the next card with it, if all of it fits there. If not, the head stands there again.
    """
    fitting, rest = _filled(pieces, height)
    if not fitting:
        return tuple(pieces[:1]), tuple(pieces[1:])
    heads = _heads(fitting, rest)
    for number, place in enumerate(heads):
        whole = _group((*fitting[place:], *rest))
        before = _unbound(fitting[:place])
        if before and height_of(whole) <= height + ROUNDING:
            rest = (*fitting[len(before) :], *rest)
            return before, _with_heads(fitting, heads[:number], rest, height)
    return fitting, _with_heads(fitting, heads, rest, height)


def _heads(fitting: Sequence[Piece], rest: Sequence[Piece]) -> list[int]:
    """The places of the pieces that the first one of the rest is set in below, the outermost first."""
    found: list[int] = []
    depth = rest[0].depth if rest else 0
    for place in reversed(range(len(fitting))):
        if not depth:
            break
        if fitting[place].depth < depth:
            depth = fitting[place].depth
            found.insert(0, place)
    return found


def _group(pieces: Sequence[Piece]) -> list[Piece]:
    """A head and all that is set in below it."""
    head, *others = pieces
    return [head, *takewhile(lambda piece: piece.depth > head.depth, others)]


def _unbound(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Pieces up to the last one after which a card may end."""
    end = next((place for place in range(len(pieces), 0, -1) if not pieces[place - 1].bound), 0)
    return tuple(pieces[:end])


def _with_heads(
    fitting: Sequence[Piece], heads: Sequence[int], rest: tuple[Piece, ...], height: float
) -> tuple[Piece, ...]:
    """The rest below the heads that it has, unless they would leave no room for any of it."""
    again = [
        replace(head, lines=head.again, height=_lines_high(head.again))
        for head in (fitting[place] for place in heads)
        if head.again
    ]
    below = (*again, *rest)
    return below if len(_filled(below, height)[0]) > len(again) else rest


def _filled(pieces: Sequence[Piece], height: float) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    fitting, rest = [], list(pieces)
    while rest and rest[0].height <= height + ROUNDING:
        height -= rest[0].height
        fitting.append(rest.pop(0))
    if rest:
        first, remainder = _torn(rest[0], height)
        if first:
            fitting.append(first)
            rest[0] = remainder
        kept = _unbound(fitting)
        return kept, (*fitting[len(kept) :], *rest)
    return tuple(fitting), ()


def _torn(piece: Piece, height: float) -> tuple[Piece | None, Piece]:
    """As much of a piece as fits, or None, and what is left of it."""
    if piece.kind == "columns":
        return _torn_columns(piece, height)
    number = int((height - ABOVE + ROUNDING) / LINE)
    if piece.kind != "text" or number < min(LEAST_LINES, len(piece.lines)):
        return None, piece
    first, others = (
        replace(piece, lines=lines, height=ABOVE + LINE * len(lines))
        for lines in (piece.lines[:number], piece.lines[number:])
    )
    return replace(first, bound=False), others


def _torn_columns(piece: Piece, height: float) -> tuple[Piece | None, Piece]:
    torn = [_filled(column, height) for column in piece.columns]
    first, rest = (tuple(half) for half in zip(*torn, strict=True))
    if not any(first):
        return None, piece
    return _side_by_side(first, piece.columns_kind), _side_by_side(rest, piece.columns_kind)


def _side_by_side(columns: tuple[tuple[Piece, ...], ...], kind: str) -> Piece:
    height = max(height_of(column) for column in columns)
    return Piece(kind="columns", height=height, columns=columns, columns_kind=kind)


def _set(block: Block, room: float) -> Piece:
    match block:
        case Title(text):
            lines = broken([Run(text, bold=True)], (room - CORNER) / TITLE)
            return Piece(kind="title", height=LINE * TITLE * len(lines), lines=lines)
        case Text(text, lead, depth):
            depth = min(depth, DEEPEST)
            wide = room - depth * SET_IN
            lines = broken([Run(lead, bold=True), Run(text)], wide)
            again = _again(text, lead, wide)
            return Piece(
                kind="text",
                height=_lines_high(lines),
                lines=lines,
                depth=depth,
                bound=bool(again),
                again=again,
            )
        case Caption(text):
            lines = broken([Run(text, bold=True)], room / CAPTION)
            height = ABOVE_CAPTION + LINE * CAPTION * len(lines) + BELOW_CAPTION
            return Piece(kind="caption", height=height, lines=lines, bound=True)
        case Pair(text, amount, bold):
            lines = broken([Run(text, bold)], room - AMOUNT)
            return Piece(kind="pair", height=_lines_high(lines), lines=lines, amount=amount)
        case Boxes():
            return _set_boxes(block, room)
        case ToWrite(text, number):
            lines = broken([Run(text)], room)[:1]
            return Piece(kind="to-write", height=TO_WRITE * number, lines=lines, ticked=(False,) * number)
        case Columns(kind, columns):
            rooms = [room * share - BETWEEN for share in SHARES[kind]]
            set_ = (set_blocks(column, wide) for column, wide in zip(columns, rooms, strict=True))
            return _side_by_side(tuple(set_), kind)


def _again(text: str, lead: str, room: float) -> tuple[Line, ...]:
    """The lines of a head where it stands again; none of what is no head."""
    if not (text or lead).endswith(":"):
        return ()
    words = _("%(head)s (continued):") % {"head": (text or lead).removesuffix(":")}
    return tuple(broken([Run(lead, bold=True), Run(words)] if text else [Run(words, bold=True)], room))


def _set_boxes(block: Boxes, room: float) -> Piece:
    wide = BOX * block.total
    beside = wide < room / 2 or not block.text
    lines = broken([Run(block.text)], room - wide - BETWEEN if beside else room)
    ticked = tuple(place < block.done for place in range(block.total))
    return Piece(
        kind="rings" if block.is_round else "boxes",
        height=ABOVE + LINE * (max(1, len(lines)) if beside else len(lines) + 1),
        lines=lines,
        ticked=ticked,
        spoken=block.spoken,
        below=not beside,
    )


def _lines_high(lines: Sequence[Line]) -> float:
    return ABOVE + LINE * len(lines) if lines else 0

"""Text widths and line breaks for printed pages, from the metrics of their fonts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile

from django.utils.translation import gettext as _
from fontTools.ttLib import TTFont

from ops.paths import BASE_DIR

FOLDER = BASE_DIR / "static" / "fonts" / "fira-sans-condensed"
SCRIPTS = ("latin", "latin-ext", "cyrillic", "greek")
REGULAR, BOLD = 400, 600

#: Width, in em, of a letter that our fonts do not have: the user's machine draws it in a font of its own.
UNKNOWN = 1.4


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one weight."""

    text: str
    bold: bool = False


Line = tuple[Run, ...]


def width(text: str, *, bold: bool = False) -> float:
    """Return the width of a text, in em."""
    known = _advances(BOLD if bold else REGULAR)
    return sum(known.get(letter, UNKNOWN) for letter in text)


def broken(runs: Sequence[Run], room: float) -> tuple[Line, ...]:
    """Return the lines of a text, none wider than `room` (em), broken between words where possible."""
    lines: list[list[Run]] = [[]]
    used = 0.0
    for word in _words(runs, room):
        wide, space = _word_width(word.text, word.bold), _word_width(" ", word.bold) if lines[-1] else 0.0
        if lines[-1] and used + space + wide > room:
            lines.append([])
            used = space = 0.0
        lines[-1].append(word)
        used += space + wide
    return tuple(_joined(line) for line in lines if line)


@cache
def _advances(weight: int) -> Mapping[str, float]:
    advances: dict[str, float] = {}
    for script in reversed(SCRIPTS):
        with TTFont(FOLDER / f"{script}-{weight}.woff2") as font:
            em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
            advances |= {chr(code): metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}
    return advances


@lru_cache(maxsize=20_000)
def _word_width(word: str, bold: bool) -> float:
    return width(word, bold=bold)


def _words(runs: Sequence[Run], room: float) -> Iterator[Run]:
    for run in runs:
        for word in run.text.split():
            if _word_width(word, run.bold) <= room:
                yield Run(word, run.bold)
            else:
                yield from (Run(part, run.bold) for part in _parts(word, room, bold=run.bold))


def _parts(word: str, room: float, *, bold: bool) -> Iterator[str]:
    """Yield a word that is too wide in parts that fit; each has at least one letter."""
    start, used = 0, 0.0
    for position, letter in enumerate(word):
        wide = width(letter, bold=bold)
        if position > start and used + wide > room:
            yield word[start:position]
            start, used = position, 0.0
        used += wide
    yield word[start:]


def _joined(words: Sequence[Run]) -> Line:
    line = [words[0]]
    for word in words[1:]:
        if word.bold == line[-1].bold:
            line[-1] = Run(f"{line[-1].text} {word.text}", word.bold)
        else:
            line += [Run(f" {word.text}", word.bold)]
    return tuple(line)


LINE = 1.2
#: Space above a piece, above and below a caption, and between two columns, in em.
ABOVE, ABOVE_CAPTION, BELOW_CAPTION, BETWEEN = 0.25, 0.55, 0.15, 0.9
#: Letter sizes of a title and a caption, relative to the text.
TITLE, CAPTION = 1.3, 0.85
#: Heights and widths in em: a line to write on, a box to tick, the space for a number, an indent.
TO_WRITE, BOX, AMOUNT, SET_IN = 1.9, 1.1, 2.6, 0.9
#: Space that a title leaves for a mark ("2/2") in the corner.
CORNER = 2.4
DEEPEST = 4
#: Fewest lines of a text before it may break to another card.
LEAST_LINES = 2
#: Sums of tenths are not exact.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Title:
    """The name on a card."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, optionally with a bold first word. `depth` is its indent.

    A paragraph that ends with a colon is the head of deeper ones.
    """

    text: str
    lead: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Caption:
    """The label of a field."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A text with a number at the right."""

    text: str
    amount: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes to tick, some ticked already; round ones for collected counts. `spoken` is the text for screen readers."""

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
    """Fields side by side; `kind` sets their widths."""

    kind: str
    columns: tuple[tuple[Block, ...], ...]


Block = Title | Text | Caption | Pair | Boxes | ToWrite | Columns

#: Parts of a card's width that its columns take, by kind.
SHARES: Mapping[str, tuple[float, ...]] = {
    "halves": (0.5, 0.5),
    "ranks": (0.46, 0.32, 0.22),
    "thirds": (0.33, 0.33, 0.33),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block with its lines broken.

    `bound` if it must not be last on a card, `below` if its boxes are on a separate line, `again` its lines for when a
    head is repeated.
    """

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
    """Return the blocks with their lines broken for a width of `room` em. Empty ones are left out."""
    stories = (_set(block, room) for block in blocks)
    return tuple(story for story in stories if story.height)


def height_of(stories: Iterable[Piece]) -> float:
    """Return the height of pieces one below the other, in em."""
    return sum(story.height for story in stories)


def cut(stories: Sequence[Piece], height: float) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return what fits into a height (em), and the rest; the first piece always counts as fitting.

    A head moves to the next card with what is below it, if that fits there; else it is repeated.
    """
    fitting, rest = _filled(stories, height)
    if not fitting:
        return tuple(stories[:1]), tuple(stories[1:])
    heads = _heads(fitting, rest)
    for number, place in enumerate(heads):
        head = fitting[place]
        under = takewhile(lambda story, head=head: story.depth > head.depth, (*fitting[place + 1 :], *rest))
        before = _unbound(fitting[:place])
        if before and height_of((head, *under)) <= height + ROUNDING:
            rest = (*fitting[len(before) :], *rest)
            return before, _with_heads(fitting, heads[:number], rest, height)
    return fitting, _with_heads(fitting, heads, rest, height)


def _heads(fitting: Sequence[Piece], rest: Sequence[Piece]) -> list[int]:
    """Return the places of the heads of the first piece of the rest, the outermost first."""
    found: list[int] = []
    depth = rest[0].depth if rest else 0
    for place in reversed(range(len(fitting))):
        if not depth:
            break
        if fitting[place].depth < depth:
            depth = fitting[place].depth
            found.insert(0, place)
    return found


def _unbound(stories: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces up to the last one after which a card may end."""
    end = next((place for place in range(len(stories), 0, -1) if not stories[place - 1].bound), 0)
    return tuple(stories[:end])


def _with_heads(
    fitting: Sequence[Piece], heads: Sequence[int], rest: tuple[Piece, ...], height: float
) -> tuple[Piece, ...]:
    """Return the rest below its heads, unless they would leave no space for any of it."""
    again = [
        replace(head, lines=head.again, height=_lines_high(head.again))
        for head in (fitting[place] for place in heads)
        if head.again
    ]
    below = (*again, *rest)
    return below if len(_filled(below, height)[0]) > len(again) else rest


def _filled(stories: Sequence[Piece], height: float) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    fitting, rest = [], list(stories)
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


def _torn(story: Piece, height: float) -> tuple[Piece | None, Piece]:
    """Return as much of a piece as fits, or None, and the rest of it."""
    if story.kind == "columns":
        torn = [_filled(column, height) for column in story.columns]
        halves = [tuple(half) for half in zip(*torn, strict=True)]
        if not any(halves[0]):
            return None, story
        upper, lower = (_side_by_side(half, story.columns_kind) for half in halves)
        return upper, lower
    number = int((height - ABOVE + ROUNDING) / LINE)
    if story.kind != "text" or number < min(LEAST_LINES, len(story.lines)):
        return None, story
    first, rest = story.lines[:number], story.lines[number:]
    return (
        replace(story, lines=first, height=_lines_high(first), bound=False),
        replace(story, lines=rest, height=ABOVE + LINE * len(rest)),
    )


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
            high = _lines_high(lines)
            return Piece(kind="text", height=high, lines=lines, depth=depth, bound=bool(again), again=again)
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


#: Millimeters in a point, and letter sizes (points) down to the smallest legible one.
MM = 25.4 / 72
SIZES = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)
#: The default text size.
NORMAL = 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The contents of a card. Head and foot repeat on each of its parts; the body continues from one to the next."""

    head: tuple[Block, ...] = ()
    body: tuple[Block, ...] = ()
    foot: tuple[Block, ...] = ()
    corner: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A card as drawn. `corner` is "2/2" on the second of two, `size` that of its letters in points."""

    size: float
    head: tuple[Piece, ...]
    body: tuple[Piece, ...]
    foot: tuple[Piece, ...]
    corner: str

    @property
    def letters(self) -> str:
        """The CSS class for its letter size."""
        return f"letters-{round(self.size * 10)}"


def fit(card: Card, width: float, height: float, largest: float = NORMAL) -> list[Part]:
    """Return the parts of a card on paper of this size (mm), as few as possible.

    Letters have at most `largest` points.
    """
    best: list[Part] = []
    rank: tuple[bool, float] = (True, float("inf"))
    for size in (size for size in SIZES if size <= largest):
        parts = at_size(card, width, height, size)
        # A head that is too high leaves no space for a line. Smaller letters make it lower.
        too_high = max(map(height_in_mm, parts)) > height + ROUNDING
        if (too_high, len(parts)) < rank:
            best, rank = parts, (too_high, len(parts))
        if rank == (False, 1):
            break
    return best


def height_in_mm(part: Part) -> float:
    """Return the height of a card's contents in mm, without its margins."""
    return height_of((*part.head, *part.body, *part.foot)) * part.size * MM


def at_size(card: Card, width: float, height: float, size: float) -> list[Part]:
    """Return the parts of a card on paper of this size (mm), in letters of this size (points)."""
    wide = width / (size * MM)
    head, body, foot = (set_blocks(blocks, wide) for blocks in (card.head, card.body, card.foot))
    room = height / (size * MM) - height_of(head) - height_of(foot)
    bodies, rest = [], body
    while rest or not bodies:
        body, rest = cut(rest, room)
        bodies.append(body)
    several = len(bodies) > 1
    return [
        Part(size, head, body, foot, f"{number}/{len(bodies)}" if several else card.corner)
        for number, body in enumerate(bodies, start=1)
    ]

"""Text widths and line breaks for printed pages, from the metrics of their fonts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile

from django.utils.translation import gettext as _

from ops.paths import BASE_DIR
from rules.core.values import KeywordValue, Value

FOLDER = BASE_DIR / "static" / "fonts" / "fira-sans-condensed"
SCRIPTS = ("latin", "latin-ext", "cyrillic", "greek")
REGULAR, BOLD = 400, 600

#: Width, in em, of a letter that our fonts do not have: the user's machine draws it in a font of its own.
UNKNOWN = 1.4
#: Em by which another font may make a line higher, of the letters of a card.
RISE = 0.07


class Run(Value):
    """A stretch of text in one weight."""

    text: str
    bold: bool = False


Line = tuple[Run, ...]


def width(text: str, *, bold: bool = False) -> float:
    """Return the width of a text, in em."""
    known = _advances(BOLD if bold else REGULAR)
    return sum(known.get(letter, UNKNOWN) for letter in text)


def break_lines(runs: Sequence[Run], room: float) -> tuple[Line, ...]:
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
    from fontTools.ttLib import TTFont  # lazy: rare

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
#: Space above a block, above and below a caption, and between two columns, in em.
ABOVE, ABOVE_CAPTION, BELOW_CAPTION, BETWEEN = 0.25, 0.55, 0.15, 0.9
#: Letter sizes of a title and a figure, relative to the text.
TITLE, FIGURE = 1.3, 1.6
#: Heights and widths in em: a line to write on, a box to tick, the space for a number, an indent.
TO_WRITE, BOX, AMOUNT, SET_IN = 1.9, 1.1, 2.6, 0.9
#: The same for text and captions on a dense card, which has more text than two cards would otherwise hold.
DENSE_ABOVE, DENSE_ABOVE_CAPTION, DENSE_BELOW_CAPTION, DENSE_SET_IN = 0.12, 0.3, 0.1, 0.5
DENSE_LINE = 1.1
#: Width of a box with a number in it, and of the gap between two groups of boxes, in em.
NUMBERED, GROUP = 1.7, 0.5
#: Space that a title leaves for a mark ("2/2") in the corner.
CORNER = 2.4
#: Widths in em that a plate gives to its icon, to each mark at its right, and to a picture, and what it adds below.
ICON, MARK, BELOW_PLATE = 3.0, 2.3, 0.5
#: Edge of a picture in em, and the space next to it.
PICTURE, LARGE_PICTURE, BESIDE_PICTURE = 4.4, 5.0, 0.6
#: Width of one point of Experience on its track, of a Veteran Rank with its box, and the height of a row, in em.
STEP, RANK, TRACK_ROW = 0.68, 3.5, 1.35
#: Most lines of a title in its large letters.
LARGE_LINES = 3
DEEPEST = 4
#: Fewest lines of a text before it may break to another card.
LEAST_LINES = 2
#: Kinds of blocks that belong to the caption above them.
CAPTIONED = ("text", "pair", "boxes", "rings", "to-write")
#: Sums of tenths are not exact.
ROUNDING = 1e-6


class Picture(Value):
    """An uploaded picture: its address, the text for screen readers, whether it is upright, and `uploads` focus."""

    address: str
    alt: str
    tall: bool = False
    focus: str = ""


class Plate(KeywordValue):
    """The title plate of a card: an icon, the name with smaller lines below it, marks and a picture at the right.

    `icon` and `marks` are names of icons. `to_write` is the label of a line to write on below the name. `amount` is at
    the right of the title.
    """

    title: str
    lines: tuple[str, ...] = ()
    icon: str = ""
    marks: tuple[str, ...] = ()
    picture: Picture | None = None
    large_picture: bool = False
    to_write: str = ""
    amount: str = ""

    @property
    def right_class(self) -> str:
        """The CSS class for the space that its marks and its picture take; empty without any."""
        edge = ("large" if self.large_picture else "small") if self.picture else "none"
        return f"right-{len(self.marks)}-{edge}" if self.marks or self.picture else ""


class Text(Value):
    """A paragraph, optionally with a bold first word. `depth` is its indent.

    A paragraph that ends with a colon is the head of deeper ones.
    """

    text: str
    lead: str = ""
    depth: int = 0


class Caption(Value):
    """The label of a field, with a value at the right if it has one."""

    text: str
    amount: str = ""


class Figure(Value):
    """A number in large letters below its label; without a number there is space to write one."""

    label: str
    number: str = ""


class Pair(Value):
    """A text with a number at the right."""

    text: str
    amount: str
    bold: bool = False


class Boxes(Value):
    """Boxes to tick, some ticked already; round ones for collected counts. `spoken` is the text for screen readers.

    There is a gap after every `group` of them, if that is not 0. `is_numbered` boxes have their number in them, and are
    as large as `is_large` ones. The `spare` boxes come last, and have a dashed edge and a plus. `to_write` is for
    boxes at the end of a line to write on.
    """

    text: str
    done: int
    total: int
    spoken: str = ""
    is_round: bool = False
    group: int = 0
    is_numbered: bool = False
    is_large: bool = False
    spare: int = 0
    to_write: bool = False


class Track(Value):
    """Experience as boxes to tick, up to each of the `thresholds`, where a box for the Veteran Rank follows (R12).

    `is_short` leaves out all Veteran Ranks but the next one.
    """

    experience: int
    veteran_rank: int
    thresholds: tuple[int, ...]
    spoken: str = ""
    is_short: bool = False


class ToWrite(Value):
    """Empty lines to write on, the first one after a word; `fills`: as many more as its card has space for."""

    text: str = ""
    lines: int = 1
    fills: bool = False


class Columns(Value):
    """Fields side by side; `kind` sets their widths."""

    kind: str
    columns: "tuple[tuple[Block, ...], ...]"


Block = Plate | Text | Caption | Figure | Pair | Boxes | Track | ToWrite | Columns

#: Parts of a card's width that its columns take, by kind.
SHARES: Mapping[str, tuple[float, ...]] = {
    "halves": (0.5, 0.5),
    "thirds": (0.33, 0.33, 0.33),
    "fourths": (0.25, 0.25, 0.25, 0.25),
}


class Segment(Value):
    """A stretch of a track: `done` of `steps` points, and then the box of a Veteran Rank, ticked if it is reached."""

    steps: int
    done: int
    rank: int
    reached: bool

    @property
    def boxes(self) -> str:
        """The SVG path of the points that are not reached yet, one unit each."""
        return "".join(f"M{place + 0.08:g} .08h.84v.84h-.84z" for place in range(self.done, self.steps))

    @property
    def filled(self) -> str:
        """The SVG path of the points that are reached."""
        return "".join(f"M{place + 0.08:g} .08h.84v.84h-.84z" for place in range(self.done))


class TypesetBlock(KeywordValue):
    """A block with its lines broken.

    `bound` if it must not be last on a card, `below` if its boxes are on a separate line, `again` its lines for when a
    head or a caption is repeated, `line` is the height of one, `fills` if the block grows to the end of its card.
    """

    kind: str
    height: float
    lines: tuple[Line, ...] = ()
    bound: bool = False
    depth: int = 0
    amount: str = ""
    ticked: tuple[bool, ...] = ()
    spoken: str = ""
    columns: "tuple[tuple[TypesetBlock, ...], ...]" = ()
    columns_kind: str = ""
    below: bool = False
    again: tuple[Line, ...] = ()
    line: float = LINE
    group: int = 0
    is_numbered: bool = False
    is_large: bool = False
    spare: int = 0
    to_write: bool = False
    fills: bool = False
    segments: tuple[tuple[Segment, ...], ...] = ()
    small: tuple[Line, ...] = ()
    plate: Plate | None = None
    large_title: bool = False

    @property
    def boxes(self) -> list[tuple[str, str]]:
        """What is in each of its boxes, and its CSS classes: for a gap that follows it, and for a spare one."""
        all_ = [
            (str(number) if self.is_numbered else "×" if ticked else "", "")
            for number, ticked in enumerate(self.ticked, 1)
        ]
        all_ += [("+", "spare")] * self.spare
        return [
            (text, f"{kind} gap".strip() if self.group and number % self.group == 0 and number < len(all_) else kind)
            for number, (text, kind) in enumerate(all_, start=1)
        ]

    @property
    def classes(self) -> str:
        """The CSS classes for its kind, its indent, and the place of its boxes."""
        marks = {
            f"in-{self.depth}": self.depth, "ticks-below": self.below, "numbered": self.is_numbered,
            "large": self.is_large, "ruled": self.to_write,
        }  # fmt: skip
        return " ".join([self.kind, *(name for name, is_so in marks.items() if is_so)])


def typeset(blocks: Iterable[Block], room: float, *, dense: bool = False) -> tuple[TypesetBlock, ...]:
    """Return the blocks with their lines broken for a width of `room` em. Empty ones are left out."""
    broken_blocks = (_typeset(block, room, dense) for block in blocks)
    return tuple(block for block in broken_blocks if block.height or block.fills)


def filled_up(blocks: Sequence[TypesetBlock], height: float) -> tuple[TypesetBlock, ...]:
    """Return blocks whose lines to write on reach down to `height` (em), where they have any that may grow."""
    extra = height - height_of(blocks)
    grown: list[TypesetBlock] = []
    for block in blocks:
        after = block
        if block.kind == "columns":
            columns = tuple(filled_up(column, block.height + extra) for column in block.columns)
            after = _side_by_side(columns, block.columns_kind)
        elif block.fills and (more := int((extra + ROUNDING) / TO_WRITE)) > 0:
            lines = len(block.ticked) + more
            after = replace(block, height=TO_WRITE * lines, ticked=(False,) * lines)
        extra -= after.height - block.height
        grown.append(after)
    return tuple(grown)


def height_of(blocks: Iterable[TypesetBlock]) -> float:
    """Return the height of blocks one below the other, in em."""
    return sum(block.height for block in blocks)


def cut(blocks: Sequence[TypesetBlock], height: float) -> tuple[tuple[TypesetBlock, ...], tuple[TypesetBlock, ...]]:
    """Return what fits into a height (em), and the rest; the first block always counts as fitting.

    A head moves to the next card with what is below it, if that fits there; else it is repeated, as is a caption.
    """
    fitting, rest = _filled(blocks, height)
    if not fitting:
        return tuple(blocks[:1]), tuple(blocks[1:])
    heads = _heads(fitting, rest)
    for number, place in enumerate(heads):
        head = fitting[place]
        under = takewhile(lambda block, head=head: block.depth > head.depth, (*fitting[place + 1 :], *rest))
        before = _unbound(fitting[:place])
        if before and height_of((head, *under)) <= height + ROUNDING:
            rest = (*fitting[len(before) :], *rest)
            return before, _with_heads(
                [*_caption(before, rest), *(fitting[each] for each in heads[:number])], rest, height
            )
    return fitting, _with_heads([*_caption(fitting, rest), *(fitting[each] for each in heads)], rest, height)


def _caption(fitting: Sequence[TypesetBlock], rest: Sequence[TypesetBlock]) -> list[TypesetBlock]:
    """Return the caption that the first block of the rest is below, if it is on the card that ends before it."""
    if not rest or rest[0].kind not in CAPTIONED:
        return []
    return [block for block in fitting if block.kind == "caption"][-1:]


def _heads(fitting: Sequence[TypesetBlock], rest: Sequence[TypesetBlock]) -> list[int]:
    """Return the places of the heads of the first block of the rest, the outermost first."""
    found: list[int] = []
    depth = rest[0].depth if rest else 0
    for place in reversed(range(len(fitting))):
        if not depth:
            break
        if fitting[place].depth < depth:
            depth = fitting[place].depth
            found.insert(0, place)
    return found


def _unbound(blocks: Sequence[TypesetBlock]) -> tuple[TypesetBlock, ...]:
    """Return blocks up to the last one after which a card may end."""
    end = next((place for place in range(len(blocks), 0, -1) if not blocks[place - 1].bound), 0)
    return tuple(blocks[:end])


def _with_heads(
    heads: Sequence[TypesetBlock], rest: tuple[TypesetBlock, ...], height: float
) -> tuple[TypesetBlock, ...]:
    """Return the rest below its heads, unless they would leave no space for any of it."""
    again = [
        replace(head, lines=head.again, height=head.height + head.line * (len(head.again) - len(head.lines)))
        for head in heads
        if head.again
    ]
    below = (*again, *rest)
    return below if len(_filled(below, height)[0]) > len(again) else rest


def _filled(
    blocks: Sequence[TypesetBlock], height: float, *, is_whole: bool = True
) -> tuple[tuple[TypesetBlock, ...], tuple[TypesetBlock, ...]]:
    """Return what fits into a height, and the rest. `is_whole` if it is the height of a card, not what is left of it.

    A text goes to the next card as a whole. Only one that is higher than a card is torn.
    """
    fitting, rest = [], list(blocks)
    while rest and rest[0].height <= height + ROUNDING:
        height -= rest[0].height
        fitting.append(rest.pop(0))
    if rest:
        first, remainder = _torn(rest[0], height, is_first=is_whole and not _unbound(fitting))
        if first:
            fitting.append(first)
            rest[0] = remainder
        kept = _unbound(fitting)
        return kept, (*fitting[len(kept) :], *rest)
    return tuple(fitting), ()


def _torn(block: TypesetBlock, height: float, *, is_first: bool) -> tuple[TypesetBlock | None, TypesetBlock]:
    """Return as much of a block as fits, or None, and its rest. A text is torn only if it is first on a card."""
    if block.kind == "columns":
        torn = [_filled(column, height, is_whole=is_first) for column in block.columns]
        torn = [(upper, _with_heads(_caption(upper, lower), lower, height)) for upper, lower in torn]
        halves = [tuple(half) for half in zip(*torn, strict=True)]
        if not any(halves[0]):
            return None, block
        upper, lower = (_side_by_side(half, block.columns_kind) for half in halves)
        return upper, lower
    above = block.height - block.line * len(block.lines)
    number = int((height - above + ROUNDING) / block.line)
    if block.kind != "text" or not is_first or number < min(LEAST_LINES, len(block.lines)):
        return None, block
    first, rest = block.lines[:number], block.lines[number:]
    return (
        replace(block, lines=first, height=above + block.line * len(first), bound=False),
        replace(block, lines=rest, height=above + block.line * len(rest)),
    )


def _side_by_side(columns: tuple[tuple[TypesetBlock, ...], ...], kind: str) -> TypesetBlock:
    height = max(height_of(column) for column in columns)
    return TypesetBlock(kind="columns", height=height, columns=columns, columns_kind=kind)


def _typeset(block: Block, room: float, dense: bool) -> TypesetBlock:
    found = _typeset_any(block, room, dense)
    known = _advances(REGULAR)
    foreign = sum(any(letter not in known for run in line for letter in run.text) for line in found.lines + found.small)
    return replace(found, height=found.height + RISE * foreign) if foreign else found


def _typeset_any(block: Block, room: float, dense: bool) -> TypesetBlock:
    match block:
        case Plate():
            return _typeset_plate(block, room)
        case Boxes():
            return _typeset_boxes(block, room)
        case Track():
            return _typeset_track(block, room)
        case ToWrite(text, number, fills):
            lines = break_lines([Run(text)], room)[:1]
            ticked = (False,) * number
            return TypesetBlock(kind="to-write", height=TO_WRITE * number, lines=lines, ticked=ticked, fills=fills)
        case Columns(kind, columns):
            shares = SHARES[kind]
            rooms = [
                room * share - (BETWEEN if place < len(shares) else 0) for place, share in enumerate(shares, start=1)
            ]
            set_ = (typeset(column, wide, dense=dense) for column, wide in zip(columns, rooms, strict=True))
            return _side_by_side(tuple(set_), kind)
        case _:
            return _typeset_words(block, room, dense)


def _typeset_words(block: Text | Caption | Figure | Pair, room: float, dense: bool) -> TypesetBlock:
    line = DENSE_LINE if dense else LINE
    match block:
        case Text(text, lead, depth):
            depth = min(depth, DEEPEST)
            wide = room - depth * (DENSE_SET_IN if dense else SET_IN)
            lines = break_lines([Run(lead, bold=True), Run(text)], wide)
            again = _again(text, lead, wide)
            return TypesetBlock(
                kind="text", height=_lines_high(lines, dense), lines=lines, depth=depth, bound=bool(again),
                again=again, line=line,
            )  # fmt: skip
        case Caption(text, amount):
            lines = break_lines([Run(text, bold=True)], room - (AMOUNT if amount else 0))
            space = DENSE_ABOVE_CAPTION + DENSE_BELOW_CAPTION if dense else ABOVE_CAPTION + BELOW_CAPTION
            height = space + line * len(lines)
            words = _("%(head)s (continued)") % {"head": text}
            again = break_lines([Run(words, bold=True)], room - (AMOUNT if amount else 0))
            return TypesetBlock(
                kind="caption", height=height, lines=lines, bound=True, amount=amount, again=again, line=line
            )
        case Figure(label, number):
            lines = break_lines([Run(label, bold=True)], room)
            figure = break_lines([Run(number, bold=True)], room / FIGURE)
            height = ABOVE_CAPTION + LINE * len(lines) + LINE * FIGURE * max(1, len(figure))
            return TypesetBlock(kind="figure", height=height, lines=lines, small=figure)
        case Pair(text, amount, bold):
            lines = break_lines([Run(text, bold)], room - AMOUNT)
            return TypesetBlock(kind="pair", height=_lines_high(lines, dense), lines=lines, amount=amount)


def _typeset_plate(plate: Plate, room: float) -> TypesetBlock:
    edge = LARGE_PICTURE if plate.large_picture else PICTURE
    right = MARK * len(plate.marks) + ((edge + BESIDE_PICTURE) if plate.picture else 0)
    wide = room - (ICON if plate.icon else 0) - right
    amount = width(plate.amount, bold=True) + BETWEEN if plate.amount else 0
    lines, scale = break_lines([Run(plate.title, bold=True)], (wide - CORNER) / TITLE - amount), TITLE
    if len(lines) > LARGE_LINES:
        lines, scale = break_lines([Run(plate.title, bold=True)], wide - CORNER - amount), 1.0
    small = tuple(line for text in plate.lines for line in break_lines([Run(text)], wide))
    words = LINE * scale * len(lines) + LINE * len(small) + (TO_WRITE if plate.to_write else 0)
    height = max(words, ICON if plate.icon else 0, edge if plate.picture else 0) + BELOW_PLATE
    return TypesetBlock(kind="plate", height=height, lines=lines, small=small, plate=plate, large_title=scale == TITLE)


def _typeset_track(track: Track, room: float) -> TypesetBlock:
    starts = (0, *track.thresholds)
    segments = [
        Segment(end - start, max(0, min(track.experience, end) - start), rank, rank <= track.veteran_rank)
        for rank, (start, end) in enumerate(pairwise(starts), start=1)
    ]
    if track.is_short:
        segments = [each for each in segments if not each.reached][:1]
    rows: list[tuple[Segment, ...]] = []
    used = room + 1
    for each in segments:
        wide = STEP * each.steps + RANK
        if used + wide > room:
            rows.append(())
            used = 0.0
        rows[-1] += (each,)
        used += wide
    return TypesetBlock(kind="track", height=TRACK_ROW * len(rows), segments=tuple(rows), spoken=track.spoken)


def _again(text: str, lead: str, room: float) -> tuple[Line, ...]:
    if not (text or lead).endswith(":"):
        return ()
    words = _("%(head)s (continued):") % {"head": (text or lead).removesuffix(":")}
    return tuple(break_lines([Run(lead, bold=True), Run(words)] if text else [Run(words, bold=True)], room))


def _typeset_boxes(block: Boxes, room: float) -> TypesetBlock:
    total = block.total + block.spare
    gaps = GROUP * ((total - 1) // block.group) if block.group else 0
    is_large = block.is_numbered or (block.is_large and NUMBERED * total + gaps <= room)
    wide = (NUMBERED if is_large else BOX) * total + gaps
    at_right = wide < room / 2 or wide < room - BETWEEN - width(block.text, bold=True) or not block.text
    lines = break_lines([Run(block.text)], room - wide - BETWEEN if at_right else room)
    ticked = tuple(place < block.done for place in range(block.total))
    taller = LINE * (NUMBERED / BOX - 1) if is_large else 0
    height = ABOVE + LINE * max(1, len(lines)) + taller + (0 if at_right else LINE)
    if block.to_write:
        height = TO_WRITE
    return TypesetBlock(
        kind="rings" if block.is_round else "boxes",
        height=height,
        lines=lines,
        ticked=ticked,
        spoken=block.spoken,
        below=not at_right,
        group=block.group,
        is_numbered=block.is_numbered,
        is_large=is_large,
        spare=block.spare,
        to_write=block.to_write,
    )


def _lines_high(lines: Sequence[Line], dense: bool) -> float:
    if not lines:
        return 0
    return DENSE_ABOVE + DENSE_LINE * len(lines) if dense else ABOVE + LINE * len(lines)


#: Millimeters in a point, and letter sizes (points) down to the smallest legible one.
MM = 25.4 / 72
SIZES = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
#: The default text size.
NORMAL = 9.0


class Card(KeywordValue):
    """The contents of a card. The body continues from one of its faces to the next; head and foot repeat.

    Only the name of its head repeats. `tight` is a lower body, used where this one does not fit on a single face.
    """

    head: tuple[Block, ...] = ()
    body: tuple[Block, ...] = ()
    tight: tuple[Block, ...] = ()
    foot: tuple[Block, ...] = ()
    corner: str = ""


class CardFace(Value):
    """A card as drawn. `corner` is "2/2" on the second of two, `size` that of its letters in points."""

    size: float
    head: tuple[TypesetBlock, ...]
    body: tuple[TypesetBlock, ...]
    foot: tuple[TypesetBlock, ...]
    corner: str
    dense: bool = False

    @property
    def letters(self) -> str:
        """The CSS classes for its letter size and its spaces."""
        return f"letters-{round(self.size * 10)}{' dense' if self.dense else ''}"

    @property
    def right_class(self) -> str:
        """The CSS class that keeps the mark in the corner off what its title plate has at the right."""
        return next((block.plate.right_class for block in self.head if block.plate), "")


def fit(card: Card, width: float, height: float, largest: float = NORMAL) -> list[CardFace]:
    """Return the faces of a card on paper of this size (mm), as few as possible. See `fit_in_one_size`."""
    [faces] = fit_in_one_size([card], width, height, largest)
    return faces


def fit_in_one_size(
    cards: Sequence[Card], width: float, height: float, largest: float = NORMAL, smallest: float = SIZES[-1]
) -> list[list[CardFace]]:
    """Return the faces of cards that all have letters of one size: as few faces as possible, then the largest letters.

    Letters have at most `largest` points. They have fewer than `smallest` only if a head is too high otherwise. Cards
    are dense if that saves a face, and those that still do not fit on one face have their tight body.
    """
    best: list[list[CardFace]] = []
    rank: tuple[bool, float] = (True, float("inf"))
    for dense, tight in ((False, False), (True, False), (True, True)):
        for size in (size for size in SIZES if size <= largest):
            if rank == (False, len(cards)) or (size < smallest and not rank[0]):
                break
            faces = [at_size(card, width, height, size, dense=dense, tight=tight) for card in cards]
            # A head that is too high leaves no space for a line. Smaller letters make it lower.
            highest = max((height_in_mm(face) for each in faces for face in each), default=0)
            if (highest > height + ROUNDING, sum(map(len, faces))) < rank:
                best, rank = faces, (highest > height + ROUNDING, sum(map(len, faces)))
    return best


def height_in_mm(face: CardFace) -> float:
    """Return the height of a card's contents in mm, without its margins."""
    return height_of((*face.head, *face.body, *face.foot)) * face.size * MM


def at_size(
    card: Card, width: float, height: float, size: float, *, dense: bool = False, tight: bool = False
) -> list[CardFace]:
    """Return the faces of a card on paper of this size (mm), in letters of this size (points). `tight`: with its tight
    body, if that saves a face.
    """
    if tight and card.tight:
        lower = replace(card, body=card.tight, tight=())
        return min((at_size(each, width, height, size, dense=dense) for each in (card, lower)), key=len)
    wide = width / (size * MM)
    head, rest, foot = (typeset(blocks, wide, dense=dense) for blocks in (card.head, card.body, card.foot))
    names = [Plate(title=block.title, icon=block.icon) for block in card.head if isinstance(block, Plate)]
    shorter = typeset(names or card.head, wide, dense=dense)
    space = height / (size * MM) - height_of(foot)
    contents = []
    while rest or not contents:
        top = shorter if contents else head
        body, rest = cut(rest, space - height_of(top))
        contents.append((top, body))
    top, body = contents[-1]
    if space < float("inf"):
        contents[-1] = (top, filled_up(body, space - height_of(top)))
    several = len(contents) > 1
    return [
        CardFace(size, top, body, foot, f"{number}/{len(contents)}" if several else card.corner, dense)
        for number, (top, body) in enumerate(contents, start=1)
    ]

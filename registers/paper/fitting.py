"""The size at which a card holds its texts; where none does, the card goes on on another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .setting import ROUNDING, Block, Piece, cut, height_of, set_blocks

#: Millimetres in a point, and the sizes of letters (points) down to the smallest that can be read.
MM = 25.4 / 72
SIZES = (10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)
#: The size that text has where nothing asks for another.
NORMAL = 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is to stand on a card. Head and foot stand on each of its parts, the body goes on from one to the next."""

    head: tuple[Block, ...] = ()
    body: tuple[Block, ...] = ()
    foot: tuple[Block, ...] = ()
    corner: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A card as it is drawn; `corner` is "2/2" on the second of two. `size` is that of its letters in points."""

    size: float
    head: tuple[Piece, ...]
    body: tuple[Piece, ...]
    foot: tuple[Piece, ...]
    corner: str

    @property
    def letters(self) -> str:
        """The class that draws it in its size."""
        return f"letters-{round(self.size * 10)}"


def fit(card: Card, width: float, height: float, largest: float = NORMAL) -> list[Part]:
    """The parts of a card on paper of this size (mm): as few as possible, in the largest letters that allow it.

    The letters have at most `largest` points.
    """
    best: list[Part] = []
    rank: tuple[bool, float] = (True, float("inf"))
    for size in (size for size in SIZES if size <= largest):
        parts = at_size(card, width, height, size)
        # A head that is too high leaves no room for a line; it is lower in smaller letters.
        too_high = max(map(height_in_mm, parts)) > height + ROUNDING
        if (too_high, len(parts)) < rank:
            best, rank = parts, (too_high, len(parts))
        if rank == (False, 1):
            break
    return best


def height_in_mm(part: Part) -> float:
    """How high what stands on a card is, without its edges."""
    return height_of((*part.head, *part.body, *part.foot)) * part.size * MM


def at_size(card: Card, width: float, height: float, size: float) -> list[Part]:
    """The parts of a card on paper of this size (mm), in letters of so many points."""
    wide = width / (size * MM)
    head, body, foot = (set_blocks(blocks, wide) for blocks in (card.head, card.body, card.foot))
    room = height / (size * MM) - height_of(head) - height_of(foot)
    bodies, rest = [], body
    while rest or not bodies:
        body, rest = cut(rest, room)
        bodies.append(body)
    return [
        Part(size, head, body, foot, _corner(card, number, bodies))
        for number, body in enumerate(bodies, start=1)
    ]


def _corner(card: Card, number: int, bodies: Sequence[object]) -> str:
    return f"{number}/{len(bodies)}" if len(bodies) > 1 else card.corner

"""Sets of systems with placeholder names, with which a star map can start, and the places on the drawing."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product

from rules.core.values import Value

#: Labels of systems nearer to the edge than this, in percent, are not centered.
NEAR_THE_EDGE = 16
#: How many letters of a name fit on the drawing.
LETTERS = 16
#: On the drawing of a phone (312 by 390 pixels), in percent: the width of a letter, the width and height of what a
#: finger can hit, the height of a name, how far it is below its system, and half the width of a drawn circle.
_LETTER, _WIDE, _HIGH, _NAME_HIGH, _NAME_BELOW, _CIRCLE = 2.4, 14.2, 11.5, 3.9, 7.9, 4.5
#: Where a system can be moved to, in percent.
_FREE = list(product(range(8, 93, 3), range(6, 92, 4)))
_CELLS = list(product(range(9, 92, 16), range(8, 91, 16)))


class Layout(Value):
    """A set of systems with placeholder names: their places in percent, and lanes by number in the list."""

    slug: str
    places: Sequence[tuple[int, int]]
    lanes: Sequence[tuple[int, int]]


#: The sets that a new map can start with, by the number of systems.
LAYOUTS = {
    "6": Layout("6", [(16, 30), (40, 16), (72, 22), (86, 56), (58, 78), (24, 70)], [*pairwise(range(6)), (5, 0)]),
    "9": Layout(
        "9",
        [(14, 22), (14, 74), (34, 46), (42, 14), (50, 82), (58, 46), (78, 16), (86, 72), (76, 46)],
        [(0, 2), (1, 2), (0, 3), (1, 4), (2, 5), (3, 5), (4, 5), (5, 8), (3, 6), (4, 7), (6, 8), (7, 8)],
    ),
    "12": Layout(
        "12",
        [
            (12, 20), (10, 52), (16, 84), (32, 34), (32, 70), (50, 16), (50, 50), (50, 84), (68, 34), (68, 70),
            (88, 22), (88, 80),
        ],
        [
            (0, 1), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (3, 6), (4, 6), (4, 7), (5, 8), (6, 8), (6, 9),
            (7, 9), (8, 10), (9, 11), (8, 9), (10, 11),
        ],
    ),
}  # fmt: skip


def shortened(name: str) -> str:
    """Return a name as the drawing has room for it."""
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…"


class Spot(Value):
    """A system on the drawing: its place in percent, and its `label`."""

    x: int
    y: int
    label: str

    @property
    def anchor(self) -> str:
        """Where the label begins (a value of `text-anchor`), so that it does not leave the drawing."""
        if self.x < NEAR_THE_EDGE:
            return "start"
        return "end" if self.x > 100 - NEAR_THE_EDGE else "middle"

    @property
    def _name(self) -> tuple[float, float]:
        """Where the label begins and ends, in percent."""
        wide = len(self.label) * _LETTER
        left = self.x - wide * {"start": 0, "middle": 0.5, "end": 1}[self.anchor]
        return left, left + wide

    def touches(self, other: "Spot") -> bool:
        """Return whether a finger could hit both."""
        return abs(self.x - other.x) < _WIDE and abs(self.y - other.y) < _HIGH

    def overlaps(self, other: "Spot") -> bool:
        """Return whether a finger could hit both, or the label of one is over the circle or the label of the other."""
        if self.touches(other):
            return True
        down = other.y - self.y
        (left, right), (start, end) = self._name, other._name
        if abs(down) < _NAME_HIGH and left < end and start < right:
            return True
        upper, lower = (self, other) if down > 0 else (other, self)
        left, right = upper._name
        return abs(abs(down) - _NAME_BELOW) < _NAME_HIGH + 2 and left - _CIRCLE < lower.x < right + _CIRCLE


@lru_cache
def spread(wished: tuple[Spot, ...]) -> list[Spot]:
    """Return where systems are drawn so that no two overlap on a phone: at their own places, or as near as possible.
    Where the names leave no room for that, each has a cell of a grid, and only names may overlap.
    """
    drawn: list[Spot] = []
    for spot in wished:
        if any(map(spot.overlaps, drawn)):
            free = (each for each in _moved(spot, _FREE) if not any(map(each.overlaps, drawn)))
            spot = next(free, spot)
            if any(map(spot.overlaps, drawn)):
                return _in_cells(wished)
        drawn.append(spot)
    return drawn


def _in_cells(wished: Sequence[Spot]) -> list[Spot]:
    drawn: list[Spot] = []
    for spot in wished:
        free = (each for each in _moved(spot, _CELLS) if not any(map(each.touches, drawn)))
        drawn.append(next(free, spot))
    return drawn


def _moved(spot: Spot, places: Sequence[tuple[int, int]]) -> Iterator[Spot]:
    """Yield a system at these places, the nearest first."""
    nearest = sorted(places, key=lambda at: (at[0] - spot.x) ** 2 + (at[1] - spot.y) ** 2)
    return (Spot(x, y, spot.label) for x, y in nearest)

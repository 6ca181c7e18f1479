"""Sets of systems with placeholder names, with which a star map can start, and the places on the drawing."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path

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
    slug: Layout(slug, **layout)
    for slug, layout in json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")).items()
}


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

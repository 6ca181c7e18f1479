"""Scales, columns and room for words; nothing here knows what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: How narrow a picture becomes, in px: the narrowest phones have 320, and a sheet keeps 16 on both sides.
NARROWEST = 280

#: The widest that a figure or letter of an axis gets, in px: its words are 11 px high.
LETTER = 6.8


@dataclass(frozen=True, slots=True)
class Scale:
    """From numbers to places: `low` stands at `start`, `high` at `end`, which may be the smaller one."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, number: float) -> float:
        if self.high == self.low:
            return self.start
        return self.start + (self.end - self.start) * (number - self.low) / (self.high - self.low)

    def length(self, number: float) -> float:
        """How long a bar of so many is."""
        return abs(self(self.low + number) - self.start)


@dataclass(frozen=True, slots=True)
class Columns:
    """So many columns side by side between two places, as wide as there is room, with a part of each left free."""

    count: int
    start: float
    end: float
    free: float = 0.0

    @property
    def step(self) -> float:
        """From one column to the next."""
        return (self.end - self.start) / max(1, self.count)

    @property
    def width(self) -> float:
        """How wide what stands in a column is."""
        return self.step * (1 - self.free)

    def left(self, place: int) -> float:
        """Where what stands in a column begins."""
        return self.start + self.step * (place + self.free / 2)

    def middle(self, place: int) -> float:
        """The middle of a column."""
        return self.start + self.step * (place + 0.5)


def per_cent(place: float) -> str:
    """A place or length across, for an attribute: in every language with a point."""
    return f"{_short(place)}%"


def px(place: float) -> str:
    """A place or length down, for an attribute."""
    return _short(place)


def room_of(letters: int) -> float:
    """How much of the width, in per cent, so many letters need where the picture is narrowest."""
    return 100 * letters * LETTER / NARROWEST


def readable(places: Sequence[float], room: float) -> list[int]:
    """Which of some places (ascending) have room for a word: the last one, and as many of the others as fit."""
    chosen: list[int] = []
    for index, place in enumerate(places[:-1]):
        after_the_one_before = not chosen or place - places[chosen[-1]] >= room
        if after_the_one_before and places[-1] - place >= room:
            chosen.append(index)
    return [*chosen, len(places) - 1] if places else []


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places (ascending) moved as little as needed to stand `gap` apart, or as far apart as there is room."""
    if len(places) > 1:
        gap = min(gap, (high - low) / (len(places) - 1))
    moved: list[float] = []
    for place in places:
        least = moved[-1] + gap if moved else low
        moved.append(max(place, least))
    most = high
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], most)
        most = moved[index] - gap
    return moved


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")

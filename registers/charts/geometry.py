"""Scales, columns and text widths for all charts."""

from collections.abc import Sequence

from rules.core.values import Value

#: Narrowest width of a chart, in px: the narrowest phones have 320, minus a margin of 16 on both sides.
NARROWEST = 280

#: Most width of a figure or letter on an axis, in px, at a text size of 12 px.
LETTER = 7.4


class Scale(Value):
    """A linear scale from numbers to places: `low` is at `start`, `high` at `end`, which may be the smaller place."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, number: float) -> float:
        if self.high == self.low:
            return self.start
        return self.start + (self.end - self.start) * (number - self.low) / (self.high - self.low)

    def length(self, number: float) -> float:
        """Return the length of a bar for this number."""
        return abs(self(self.low + number) - self.start)


class ColumnLayout(Value):
    """Columns side by side between two places, as wide as possible, with a part of each left free."""

    count: int
    start: float
    end: float
    free: float = 0.0

    @property
    def step(self) -> float:
        """The distance from one column to the next."""
        return (self.end - self.start) / max(1, self.count)

    @property
    def width(self) -> float:
        """The width of a column without its gap."""
        return self.step * (1 - self.free)

    def left(self, place: int) -> float:
        """Return the left edge of a column without its gap."""
        return self.start + self.step * (place + self.free / 2)

    def middle(self, place: int) -> float:
        """Return the middle of a column."""
        return self.start + self.step * (place + 0.5)


def per_cent(place: float) -> str:
    """Return a horizontal place or length for an attribute: with a decimal point in every language."""
    return f"{_short(place)}%"


def px(place: float) -> str:
    """Return a vertical place or length for an attribute."""
    return _short(place)


def room_of(letters: int) -> float:
    """Return the width of so many letters in per cent, where the chart is narrowest."""
    return 100 * letters * LETTER / NARROWEST


def readable(places: Sequence[float], room: float) -> list[int]:
    """Return the indexes of places (ascending) that can be labeled: the last, and as many others as fit."""
    chosen: list[int] = []
    for index, place in enumerate(places[:-1]):
        after_the_one_before = not chosen or place - places[chosen[-1]] >= room
        if after_the_one_before and places[-1] - place >= room:
            chosen.append(index)
    return [*chosen, len(places) - 1] if places else []


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places (ascending) moved as little as needed to be `gap` apart, or as far apart as they can be."""
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

"""Whole numbers that come with a request: anybody may send anything."""

from __future__ import annotations

#: More digits than any number has that is asked for; Python itself reads no more than 4,300.
MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The whole number (0 or more) that was sent; None for what is none, or is longer than any that is asked for."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None

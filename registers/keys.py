"""Primary keys that somebody sent."""

from __future__ import annotations

from uuid import UUID


def key_in(text: str) -> UUID | None:
    """The primary key that a text is, or None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None

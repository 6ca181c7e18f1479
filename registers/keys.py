"""Primary keys that somebody sent, and where they lead."""

from __future__ import annotations

from uuid import UUID

from django.urls import reverse


def key_in(text: str) -> UUID | None:
    """The primary key that a text is, or None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def entry_address(register: object, position: object) -> str:
    """Return the address of an entry in the history of a Register; empty if these are no key and no position."""
    key = key_in(str(register))
    if key is None or not isinstance(position, int) or position < 1:
        return ""
    return f"{reverse('registers:ledger', args=[key])}?entry={position}#entry-{position}"

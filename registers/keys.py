"""Primary keys in requests, and the addresses they lead to."""

from uuid import UUID

from django.urls import reverse


def key_in(text: str) -> UUID | None:
    """Return the primary key that `text` spells, or None if it is not a primary key."""
    try:
        return UUID(text)
    except ValueError:
        return None


def entry_address(register: object, position: object) -> str:
    """Return the address of a ledger entry; empty unless `register` is a key and `position` a position."""
    key = key_in(str(register))
    if key is None or not isinstance(position, int) or position < 1:
        return ""
    return f"{reverse('registers:ledger', args=[key])}?entry={position}#entry-{position}"

"""Addresses of events' pages for other apps, which list events among other things."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import NoReverseMatch, reverse


def event_address(name: str, event: UUID, *arguments: Any) -> str:
    """Return the address of an event's page by the name of its URL, or of its public page if there is no such page."""
    try:
        return reverse(f"tournaments:{name}", args=[event, *arguments])
    except NoReverseMatch:
        return f"/events/{event}/"

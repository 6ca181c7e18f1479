"""Addresses of pages, each put together once: `reverse` goes a long way to each, and a page has thirty of them."""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID

from django.urls import reverse


@lru_cache(maxsize=10_000)
def address(name: str, *args: UUID | str | int) -> str:
    """The address of the page `name` ("campaign:battle") for these arguments."""
    return reverse(name, args=args)

"""Phones and laptops for the browser tests of events, as in tests/browser."""

from __future__ import annotations

from tests.browser.conftest import book, phone

__all__ = ["book", "phone"]

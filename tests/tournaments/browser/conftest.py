"""Phones and laptops for the browser tests of events, as in tests/browser."""

from tests.browser.conftest import book, phone

__all__ = ["book", "phone"]

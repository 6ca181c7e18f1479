"""Phones and laptops for the browser tests of events, as in tests/browser."""

from __future__ import annotations

from tests.browser.conftest import book, django_db_setup, phone

__all__ = ["book", "django_db_setup", "phone"]

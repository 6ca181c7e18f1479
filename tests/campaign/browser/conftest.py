"""Phones on which somebody has signed in."""

from tests.browser.conftest import phone

__all__ = ["phone"]

"""What the browser tests of whole evenings share: the catalogue, and phones on which somebody has signed in."""

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page

from accounts.models import User
from tests.registers.conftest import book

__all__ = ["book"]

Phone = Callable[..., Page]


def sign_in(context: BrowserContext, user: User, url: str) -> None:
    """Give a browser the session of a user, instead of the one that it has."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": url}])


@pytest.fixture
def phone(new_context: Callable[..., BrowserContext], live_server) -> Phone:
    """`phone(user, …)`: a browser of their own, signed in; further words go to Playwright's new_context."""

    def signed_in(user: User, **words: object) -> Page:
        context = new_context(**words)
        sign_in(context, user, live_server.url)
        return context.new_page()

    return signed_in

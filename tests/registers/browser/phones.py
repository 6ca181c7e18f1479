"""A phone on which a Register is built."""

import pytest
from playwright.sync_api import Page

from tests.registers.factories import make_player


@pytest.fixture
def phone(page: Page, book) -> Page:
    """A browser in which a player has signed in."""
    make_player("ada")
    page.goto("/accounts/login/?next=/registers/new/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill("steel-4-parade")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/registers/new/")
    return page

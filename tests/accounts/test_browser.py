"""The sign-in page on a laptop's plain http, where browsers offer no passkeys."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]


@pytest.mark.parametrize("secure", [True, False])
def test_a_passkey_is_offered_only_where_a_browser_allows_it(page: Page, secure):
    page.add_init_script(f"Object.defineProperty(window, 'isSecureContext', {{value: {str(secure).lower()}}})")
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Use a passkey")).to_be_visible(visible=secure)
    expect(page.get_by_text("Here, sign in with your password.")).to_be_visible(visible=not secure)


def test_the_password_comes_right_after_the_name(page: Page):
    page.goto("/accounts/login/")
    page.get_by_label("Username").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Password")).to_be_focused()

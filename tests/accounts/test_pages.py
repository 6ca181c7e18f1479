"""The sign-in pages in a browser."""

from playwright.sync_api import Page, expect

from accounts.models import User


def test_a_player_signs_up_and_stays_signed_in(page: Page):
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("leia")
    page.get_by_label("Password", exact=False).first.fill("a-field-of-poppies")
    page.get_by_label("again", exact=False).fill("a-field-of-poppies")

    page.get_by_role("button", name="Sign up").last.click()

    expect(page).to_have_url(page.url.replace("accounts/signup/", ""))
    expect(page.get_by_text("leia").first).to_be_visible()
    assert list(User.objects.values_list("username")) == [("leia",)]

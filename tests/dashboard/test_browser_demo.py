"""The landing page and the demo, in a browser on a phone."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.legible import faults

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_visitor_tries_the_demo_and_leaves(page: Page, book, settings):
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto("/")
        assert faults(page) == []
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_text("deleted after two hours")).to_be_visible()
    assert faults(page) == []
    page.goto("/rules/")
    page.get_by_role("link", name="Musterbook").first.click()
    page.wait_for_url("**/sequence/blue/")
    page.get_by_role("button", name="Leave demo").click()
    expect(page.get_by_text("The demo is deleted.")).to_be_visible()
    assert not User.objects.exists()
    assert errors == []

"""The landing page and the demo, in a browser on a phone."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from campaign.models import Campaign
from tests.browser.legible import faults
from tests.browser.walking import Player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

MOST_TAPS = 14


@pytest.fixture
def messages(page: Page, settings) -> list[str]:
    """What the console says, of the demo too."""
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    return found


@pytest.mark.parametrize(("motion", "moving"), [("no-preference", 2), ("reduce", 0)])
def test_the_reveal_of_the_landing_page_moves_unless_one_wants_none(page: Page, book, motion, moving):
    page.emulate_media(reduced_motion=motion)
    page.goto("/")
    expect(page.locator(".landing-reveal .stamp")).to_be_visible()
    reveal = page.locator(".landing-reveal")
    assert reveal.evaluate("each => each.getAnimations({ subtree: true }).length") == moving


def test_a_visitor_tries_the_demo_and_leaves(page: Page, book, messages):
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
    assert messages == []


def test_a_visitor_plays_it_to_its_end_shows_a_friend_and_keeps_it(page: Page, book, messages, new_context):
    page.goto("/")
    visitor = Player(page, names=["Long Watch", "Third Moon", "Grim Wall"])
    visitor.touch(page.get_by_role("button", name="Try the demo"))
    expect(page.get_by_text("You won a battle as Ashen Patrol.")).to_be_visible()
    page.goto("/demo/")
    friend = new_context().new_page()
    friend.on("console", lambda message: messages.append(message.text))
    friend.goto(page.locator("#link").input_value())
    friend.get_by_role("button", name="Open demo").tap()
    expect(friend.get_by_text("This is what the other side sees")).to_be_visible()
    page.get_by_role("link", name="Back to the demo").tap()
    page.wait_for_url("**/sequence/blue/")
    while not visitor.is_done:
        visitor.answer()
    expect(friend.get_by_text("Hero of the day")).to_be_visible()  # by itself
    visitor.touch(page.get_by_role("link", name="Show after-action report"))
    expect(page.get_by_role("heading", name="Do this with your club")).to_be_visible()
    assert visitor.taps <= MOST_TAPS
    page.get_by_role("button", name="Create account and keep it").tap()
    page.get_by_label("Username").fill("nova")
    for field in page.locator("[type='password']").all():
        field.fill("wide open skies")
    page.get_by_role("button", name="Sign up").tap()
    page.get_by_role("button", name="Keep campaign").tap()
    expect(page.get_by_text("The campaign of the demo is yours now. Invite your club under People.")).to_be_visible()
    assert Campaign.objects.get().memberships.get().user.username == "nova"
    assert messages == []

"""Building a Register on a phone: by taps, with HTMX, and legible to everyone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from registers.models import Register
from registers.projection import state_of
from registers.services import building
from tests.registers.browser.phones import phone
from tests.registers.factories import make_register

__all__ = ["phone"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_field_that_is_wanted_is_not_hidden_by_the_tally(phone: Page):
    register = make_register(owner(), commissioned=False)
    phone.goto(f"/registers/{register.pk}/building/?unit=imperial-officer-ruthless-efficiency")
    phone.locator(".action-bar .button--primary").click()  # without the name that it needs
    name = phone.get_by_label("Name (required)")
    expect(name).to_be_focused()
    tally = phone.locator(".tally").element_handle()
    below = "([field, tally]) => field.getBoundingClientRect().top > tally.getBoundingClientRect().bottom"
    phone.wait_for_function(below, arg=[name.element_handle(), tally])  # once the page has scrolled there


@pytest.mark.nightly
def test_a_search_stands_in_the_address_once(phone: Page):
    phone.goto(f"/registers/{make_register(owner(), commissioned=False).pk}/building/?q=storm")
    phone.get_by_label("Search units and upgrades").fill("scout")
    phone.wait_for_url("**/building/?q=scout")
    expect(phone.locator("#shelves")).to_contain_text("Scout Troopers")


SEARCH, TAP = re.compile("[?]q=officer$"), re.compile("[?]unit=")


@pytest.mark.nightly
@pytest.mark.parametrize("first", ["searched", "tapped"])
def test_what_is_tapped_goes_before_what_a_search_brings(phone: Page, first: str):
    phone.goto(f"/registers/{make_register(owner(), commissioned=False).pk}/building/?q=offic")
    search = phone.get_by_label("Search units and upgrades")
    unit = phone.get_by_role("link", name="Imperial Officer, Ruthless Efficiency").first
    slow: list[Route] = []
    phone.route(SEARCH if first == "searched" else TAP, lambda route: slow.append(route))
    search.fill("officer")
    if first == "searched":
        with phone.expect_event("requestfailed", lambda asked: SEARCH.search(asked.url)):
            search.press("Enter")
            unit.click()
    else:
        with phone.expect_request(TAP):
            unit.click()
        search.press("Enter")
        slow[0].continue_()
    phone.get_by_label("Name (required)").fill("Captain Sorne")
    expect(phone).to_have_url(TAP)


def owner() -> User:
    return User.objects.get(username="ada")


def test_the_whole_way(phone: Page):
    complaints: list[str] = []
    phone.on("console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None)
    phone.emulate_media(reduced_motion="reduce")  # so that it scrolls at once
    phone.get_by_role("button", name="Empire").click()
    phone.get_by_role("link", name="Imperial Officer, Ruthless Efficiency").first.click()
    in_sight(phone, "Imperial Officer, Ruthless Efficiency")
    phone.get_by_label("Name (required)").fill("Captain Sorne")
    phone.get_by_label("Defend in Depth").check()
    phone.locator("summary", has_text="Command").click()
    phone.get_by_label("Strict Orders").check()
    phone.get_by_role("button", name="Add Imperial Officer").click()
    expect(phone.get_by_role("link", name="Captain Sorne")).to_be_visible()
    in_sight(phone, "Add units")
    for number in (1, 2):  # the shelf of what is missing stands open: one tap adds a bare corps unit
        add = phone.get_by_role("button", name="Add Stormtroopers", exact=True)
        add.scroll_into_view_if_needed()
        before = phone.evaluate("scrollY")
        add.click()
        expect(phone.get_by_role("button", name="Remove Stormtroopers")).to_have_count(number)
        assert phone.evaluate("scrollY") == before
    phone.get_by_role("link", name="Next: Aid Requests").click()
    in_sight(phone, "Aid Requests")
    phone.get_by_text("Request Strategic Asset").click()
    phone.get_by_role("button", name="Request Medevac").click()
    expect(phone.get_by_text("Received Medevac")).to_be_visible()
    phone.get_by_role("link", name="Next: Story Arc").click()
    in_sight(phone, "Story Arc")
    phone.get_by_role("button", name="Choose Bring Peace to the Galaxy").click()
    in_sight(phone, "Name")
    phone.get_by_label("Name of the Register").fill("Ashen Patrol")
    phone.get_by_role("button", name="Create Register").click()
    expect(phone.get_by_role("heading", name="Register created")).to_be_visible()
    state = state_of(Register.objects.get())
    assert (state.commissioned, state.supply_points, len(state.dossiers)) == (True, 4, 3)
    assert complaints == []  # the policy forbids HTMX to carry styles from one swap to the next


def in_sight(phone: Page, name: str) -> None:
    """The heading has the focus, and no sticky bar covers it."""
    heading = phone.get_by_role("heading", name=name)
    expect(heading).to_be_focused()
    tally = phone.locator(".tally").element_handle()
    below = "([heading, tally]) => heading.getBoundingClientRect().top >= tally.getBoundingClientRect().bottom"
    phone.wait_for_function(below, arg=[heading.element_handle(), tally])


@pytest.mark.nightly
def test_a_starter_takes_ten_taps_at_most(phone: Page):
    taps = [
        phone.get_by_role("button", name="Empire"),
        phone.get_by_role("button", name="Use starter"),
        phone.get_by_role("link", name="Next: Aid Requests"),
        phone.get_by_role("link", name="Next: Story Arc"),
        phone.get_by_role("button", name="Choose Bring Peace to the Galaxy"),
        phone.get_by_label("Name of the Register"),
        phone.get_by_role("button", name="Create Register"),
    ]
    for target in taps:
        target.tap()
        if target is taps[1]:
            in_sight(phone, "Your Register")
        if target is taps[5]:
            target.fill("Ashen Patrol")
    expect(phone.get_by_role("heading", name="Register created")).to_be_visible()
    assert (len(taps) <= 10, len(state_of(Register.objects.get()).dossiers)) == (True, 8)


@pytest.mark.nightly
def test_search_as_you_type(phone: Page):
    register = building.open_register(actor=owner(), owner=owner(), faction="empire")
    phone.goto(f"/registers/{register.pk}/building/")
    phone.get_by_label("Search units and upgrades").press_sequentially("snow")
    expect(phone.get_by_role("button", name="Add Snowtroopers")).to_be_visible()
    expect(phone.get_by_role("button", name="Add Stormtroopers", exact=True)).to_have_count(0)
    assert phone.evaluate("document.activeElement.name") == "q"


@pytest.mark.nightly
def test_a_bare_corps_unit_takes_three_taps_at_most(phone: Page):
    register = make_register(owner())
    phone.goto(f"/registers/{register.pk}/edit/")
    taps = 0
    for target in (
        phone.locator("summary", has_text="Corps").first,
        phone.get_by_role("button", name="Add Snowtroopers"),
    ):
        target.tap()
        taps += 1
    expect(phone.get_by_text("181 of 600")).to_be_visible()
    assert taps <= 3
    assert state_of(Register.objects.get()).dossiers["4"].card == "snowtroopers"


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_legible_to_everyone(phone: Page, scheme: str):
    register = make_register(owner())
    unfinished = make_register(owner(), commissioned=False)
    phone.emulate_media(color_scheme=scheme)
    for path in (
        "new/",
        f"{register.pk}/",
        f"{register.pk}/dossiers/1/",
        f"{register.pk}/ledger/?of=supply_points",
        f"{register.pk}/edit/?rank=corps",
        f"{unfinished.pk}/building/?rank=commander",
        f"{unfinished.pk}/building/?unit=imperial-officer-ruthless-efficiency",
        f"{unfinished.pk}/building/?change=1",
        f"{unfinished.pk}/building/?stage=aid&request=request-strategic-asset",
        f"{unfinished.pk}/building/?stage=arc",
        f"{unfinished.pk}/building/?stage=name",
    ):
        phone.goto(f"/registers/{path}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, path
        found = Axe().run(phone)
        assert found.violations_count == 0, f"{path}\n{found.generate_report()}"

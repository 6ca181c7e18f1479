"""The front of a campaign: on a phone its first screen says where everybody stands, what is next, what happened."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from tests.browser.complaints import complaints
from tests.campaign.factories import Table, enlisted, make_table, planned
from tests.campaign.fights import gain_reputation, over

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    """Six Registers, of which a phone shows four; a battle that is over and one that is to come."""
    table = make_table()
    for number in range(4):
        enlisted(table.campaign, table.mia, f"The Long Watch of Moon {number}")
    gain_reputation(table.bravo, 2, over(table, "red"))
    planned(table)
    return table


def seen(page: Page, found: Locator) -> bool:
    """Whether all of it is on the screen and nothing lies on it."""
    box, bar = found.bounding_box(), page.locator(".action-bar").bounding_box()
    assert box
    assert bar
    return box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]


@pytest.mark.nightly
def test_one_screen_on_a_phone(phone, table):
    page: Page = phone(table.ada)
    page.goto(table.campaign.get_absolute_url())
    rows = page.locator(".standings tbody tr:visible")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("Ashen Patrol")
    parts = [rows.last, page.locator(".front__rows > li").first, page.locator(".chronicle__line").first]
    assert [seen(page, part) for part in parts] == [True, True, True]
    ends = page.locator(".standings tbody tr:visible .standings__potential").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert len(set(ends)) == 1
    lines = page.locator(".standings tbody tr:visible > *").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).borderInlineStartWidth)"
    )
    assert set(lines) == {"0px"}  # two lines a Register: the rules between columns would be broken bits


@pytest.mark.nightly
def test_sorted_and_unfolded_in_place(phone, table):
    page: Page = phone(table.ada)
    page.goto(table.campaign.get_absolute_url())
    page.evaluate("window.stayed = true")
    page.get_by_role("link", name="All 6").tap()
    expect(page.locator(".standings tbody tr:visible")).to_have_count(6)
    page.get_by_role("link", name="battles won, drawn, lost").tap()
    expect(page.locator("[aria-sort=descending] > #sort-won")).to_be_focused()
    assert page.evaluate("window.stayed")
    assert page.url.endswith("?sort=won&all=1")


@pytest.mark.nightly
def test_without_scripts_links_sort(phone, table):
    page: Page = phone(table.ada, java_script_enabled=False)
    page.goto(table.campaign.get_absolute_url())
    page.get_by_role("link", name="Register", exact=True).tap()
    expect(page.locator("[aria-sort=ascending]")).to_have_text("Register")
    assert page.url.endswith("?sort=register#standings")


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_and_axe_finds_nothing(phone, table, scheme):
    page: Page = phone(table.ada, color_scheme=scheme)
    compare = reverse("battles:compare", args=[table.campaign.pk])
    addresses = (f"{table.campaign.get_absolute_url()}?all=1", f"{compare}?one={table.alpha.pk}&other={table.bravo.pk}")
    found = []
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        found += [each for at in addresses for each in complaints(page, at)]
    assert found == []


@pytest.mark.nightly
def test_two_registers_are_side_by_side_on_a_phone(phone, table):
    page: Page = phone(table.ada)
    page.goto(reverse("battles:compare", args=[table.campaign.pk]))
    page.get_by_label("Second Register").select_option("Dune Wardens")
    expect(page.get_by_text("may bring up to 100 more points")).to_be_visible()
    heads = page.locator(".versus thead th").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(set(heads)) == 1


@pytest.mark.nightly
def test_in_the_colors_of_the_system(phone, table):
    page: Page = phone(table.ada, forced_colors="active")
    page.goto(table.campaign.get_absolute_url())
    own = page.locator(".standings .standings__own").first
    assert own.evaluate("row => getComputedStyle(row).outlineStyle") == "solid"
    weave = page.locator(".standings tbody .standings__place").first
    looks = "place => { const { backgroundImage, forcedColorAdjust } = getComputedStyle(place, '::before'); "
    looks += "return [backgroundImage !== 'none', forcedColorAdjust]; }"
    assert weave.evaluate(looks) == [True, "none"]
    page.goto(reverse("campaign:standings", args=[table.campaign.pk]))
    tiles = page.locator(".outcome-tile[aria-hidden]").evaluate_all(
        "all => all.map((tile) => getComputedStyle(tile)).map((look) => [look.background, look.borderStyle].join())"
    )
    assert len(set(tiles)) == 3  # won, drawn, lost


@pytest.mark.nightly
def test_names_of_standings_over_time_are_easy_to_tap(phone, table):
    page: Page = phone(table.ada)
    page.goto(reverse("campaign:standings", args=[table.campaign.pk]))
    heights = page.locator(".course__name a").evaluate_all("all => all.map((each) => each.offsetHeight)")
    assert heights
    assert min(heights) >= 44

"""The pictures on a phone and on a desk: they fit, their words can be read, and axe finds nothing."""

from itertools import product

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from campaign.battles.services.contenders import Contender
from rules.register import effects as e
from tests.browser.complaints import complaints
from tests.campaign.factories import Table, enlisted, happen, make_table
from tests.campaign.fights import gain_reputation, over

pytestmark = pytest.mark.django_db(transaction=True)

SMALLER = """all => all.filter(
    (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
        && parseFloat(getComputedStyle(one).fontSize) < 11
).map((one) => one.outerHTML)"""
OVERLAPPING = """all => all.flatMap((svg) => {
    const words = [...svg.querySelectorAll(":scope > text")].map((word) => word.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 4 && b.top < a.bottom - 4;
    return words.filter((one, place) => words.slice(place + 1).some((other) => meet(one, other))).map(String);
})"""


@pytest.fixture
def table(book) -> Table:
    """Two Registers with a history, and some that have none."""
    table = make_table()
    for number in range(5):
        enlisted(table.campaign, table.cora, f"The Long Watch of Moon {number}")
    for number in range(30):
        battle = over(table, ("blue", "", "red")[number % 3])
        if number % 4 == 0:
            gain_reputation(table.alpha, 1, battle)
    over(table, "red", red=Contender(guest_name="Sal", guest_points=500))
    for number in range(14):
        happen(
            table.alpha,
            e.ExperienceGained(unit="1", amount=3, rule="R39"),
            e.SetbackGained(unit="1", setback="downtrodden", rule="R36"),
        )
        happen(table.alpha, e.FieldTaken(battle=str(number), rule="R11"), e.FieldLeft(rule="R11"))
    return table


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_and_can_be_read(phone, table, scheme):
    page: Page = phone(table.ada, color_scheme=scheme)
    addresses = (
        reverse("campaign:standings", args=[table.campaign.pk]),
        reverse("registers:supply", args=[table.alpha.pk]),
        reverse("registers:detail", args=[table.alpha.pk]),
        reverse("registers:dossier", args=[table.alpha.pk, 1]),
    )
    found = []
    for width, address in product((320, 360, 1280), addresses):
        page.set_viewport_size({"width": width, "height": 800})
        found += complaints(page, address)
        assert page.locator("figure svg").count(), address
        found += page.eval_on_selector_all("figure *", SMALLER)
        found += page.eval_on_selector_all("figure svg", OVERLAPPING)
    assert found == []

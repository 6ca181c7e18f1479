"""Mustering on a phone with a slow line: nothing that somebody enters is lost, and what is open stays open."""

from contextlib import suppress

import pytest
from django.urls import reverse
from playwright.sync_api import Error, Route, expect

from tests.campaign.factories import Table, hold, make_table, planned, side_of

pytestmark = pytest.mark.django_db(transaction=True)


#: Cards by their fields, as somebody quick chooses them.
PICKS = {
    "#id_hand-1-1": 1, "#id_hand-1-2": 2, "#id_hand-2-1": 1,
    "#id_deck-objective-1": 1, "#id_deck-objective-2": 2, "#id_deck-secondary-1": 1,
}  # fmt: skip


class Line:
    """A line on which nothing is answered before it is let go."""

    def __init__(self) -> None:
        self.waiting: list[Route] = []
        self.free = False

    def take(self, route: Route) -> None:
        """Hold a request, or let it through."""
        if self.free:
            route.continue_()
        else:
            self.waiting.append(route)

    def let_go(self) -> None:
        """Let everything through; most of it nobody waits for any more."""
        self.free = True
        for route in self.waiting:
            with suppress(Error):
                route.continue_()


@pytest.fixture
def table(book) -> Table:
    return make_table()


def test_quick_hands_and_a_slow_line(phone, table):
    hold(table.alpha, "request-assistance")
    battle = planned(table, size=1000)
    page = phone(table.ada)
    url = reverse("battles:army", args=[side_of(battle, "blue").pk])
    page.goto(url)
    line = Line()
    page.route(f"**{url}", line.take)

    for fold in ("#hand", "#deck", ".plain"):
        page.locator(f"{fold} > summary").tap()
    chosen = {}
    for name, option in PICKS.items():
        page.locator(name).focus()
        [chosen[name]] = page.locator(name).select_option(index=option)
    # A unit changes what the hand may hold. Its answer comes while the next list is open.
    page.get_by_text("Stormtroopers (no. 2)").tap()
    last = page.locator("#id_hand-3-1")
    last.focus()
    line.let_go()
    expect(page.locator("#tally")).to_contain_text("Army: 2 units")
    expect(last).to_be_focused()
    [chosen["#id_hand-3-1"]] = last.select_option(index=1)
    expect(page.locator("#hand-count")).to_have_text("5 of 7 cards")
    expect(page.locator("#deck-count")).to_have_text("3 of 9 cards")
    assert {name: page.locator(name).input_value() for name in chosen} == chosen
    for fold in ("#hand", "#deck", ".plain"):
        expect(page.locator(fold)).to_have_attribute("open", "")


@pytest.mark.nightly
def test_a_refusal_is_in_sight_wherever_it_stands(phone, table):
    """R21: nothing was chosen for an asset, and the button to save stands at the foot of a long page."""
    hold(table.alpha, "request-assistance")
    battle = planned(table)
    page = phone(table.ada)
    page.goto(reverse("battles:army", args=[side_of(battle, "blue").pk]))
    page.get_by_text("Request Assistance").tap()
    page.get_by_role("button", name="Save army").tap()
    expect(page.get_by_text("Choose what Request Assistance brings, or untick it.")).to_be_in_viewport()

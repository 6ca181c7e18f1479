"""Pages that ask again by themselves: how often, and not while nobody sees them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page

from campaign.models import Battle
from campaign.services import mustering, reports
from tests.campaign.factories import Table, army_of, make_table, mustered, planned, reported, side_of

pytestmark = pytest.mark.django_db(transaction=True)

#: A page whose visibility the test decides; while it is hidden, `unseen` is true.
UNSEEN = "Object.defineProperty(document, 'hidden', {get: () => window.unseen === true})"


@pytest.fixture
def table(book) -> Table:
    return make_table()


def seen_by_nobody(page: Page, address: str) -> list[str]:
    """Open a page at the hour 0, its clock stopped after ten seconds; what it has asked for stands in the list."""
    page.add_init_script(UNSEEN)
    page.clock.install(time=0)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("window.unseen = true")
    page.clock.pause_at(10)
    return asked


def look(page: Page) -> None:
    page.evaluate("window.unseen = false")


def test_how_often_each_part_asks():
    """What every page carries asks each half minute; what two people wait for at the table asks more often."""
    found = {}
    for directory in settings.TEMPLATES[0]["DIRS"]:
        for path in Path(directory).rglob("*.html"):
            if every := re.findall(r'hx-trigger="every (\d+)s', path.read_text()):
                found[path.relative_to(directory).as_posix()] = {int(seconds) for seconds in every}
    assert found == {
        "components/badge.html": {30},
        "campaign/battle.html": {10},
        "campaign/_reported.html": {10},
        "campaign/table/poll.html": {5},
        "components/waiting.html": {3},
        "campaign/sequence/other.html": {3},
    }


def test_the_badge_asks_each_half_minute_while_it_is_seen(phone, table):
    page = phone(table.ada)
    asked = seen_by_nobody(page, "/")
    page.clock.run_for(120_000)
    look(page)
    page.clock.run_for(20_000)  # 150 seconds: the fifth time
    with page.expect_request("**/waiting/"):
        page.clock.run_for(2_000)
    assert [address.partition("/waiting/")[1] for address in asked] == ["/waiting/"]


def test_no_page_of_a_battle_asks_while_nobody_looks(phone, table):
    battle = planned(table)
    page = address(battle)
    muster_blue(table, battle)
    assert rests_and_wakes(phone(table.ada), page)
    mustered(battle)
    assert rests_and_wakes(phone(table.ada), page)
    mustering.begin(actor=table.ada, battle_id=battle.pk)
    assert rests_and_wakes(phone(table.ada), page)
    assert rests_and_wakes(phone(table.ada), address(battle, "table"))
    battle.refresh_from_db()
    reported(battle, table.ada)
    assert rests_and_wakes(phone(table.ada), page)
    reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
    assert rests_and_wakes(phone(table.ada), address(battle, "sequence_side", "blue"))


def address(battle: Battle, name: str = "battle", *more: str) -> str:
    return reverse(f"campaign:{name}", args=[battle.pk, *more])


def muster_blue(table: Table, battle: Battle) -> None:
    side = side_of(battle, "blue")
    mustering.muster(actor=table.ada, side_id=side.pk, army=army_of(table.alpha))


def rests_and_wakes(page: Page, there: str) -> bool:
    """Whether a page asks nothing while nobody looks, and asks again as soon as somebody does."""
    asked = seen_by_nobody(page, there)
    page.clock.run_for(120_000)
    rested = not asked
    look(page)
    with page.expect_request(re.compile(r"\?seen=")):
        page.clock.run_for(10_000)
    page.context.close()
    return rested

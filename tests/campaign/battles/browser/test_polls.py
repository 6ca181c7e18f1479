"""Pages that ask again by themselves: how often, and not while nobody sees them."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from campaign.battles.models import Battle
from campaign.battles.services import army as army_service, reports
from registers.services import building
from tests.campaign.factories import Table, army_chosen, army_of, in_play, make_table, planned, reported, side_of

pytestmark = pytest.mark.django_db(transaction=True)

#: A page whose visibility the test decides; while it is hidden, `unseen` is true.
UNSEEN = "Object.defineProperty(document, 'hidden', {get: () => window.unseen === true})"
#: Where everything on the cover stands.
PLACES = """(cover) => [...cover.querySelectorAll(".cover__brand, .badge, summary")]
  .map((each) => Object.values(each.getBoundingClientRect().toJSON()))"""


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
    page.on("request", lambda request: request.url.endswith("/offline/") or asked.append(request.url))
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
            assert 'hx-trigger="every ' not in path.read_text(), "polls.js sets the pace"
            if every := re.findall(r'data-poll="(\d+)"', path.read_text()):
                found[path.relative_to(directory).as_posix()] = {int(seconds) for seconds in every}
    assert found == {
        "components/badge.html": {30},
        "battles/detail.html": {10},
        "battles/_reported.html": {10},
        "battles/table/poll.html": {4},
        "components/waiting.html": {4},
        "battles/sequence/other.html": {4},
        "battles/sequence/results.html": {4},
        "campaign/webhook.html": {2},
        "tournaments/console/_now.html": {10},
        "tournaments/clock/_clock.html": {15},
        "tournaments/rounds/_pairings.html": {20},
        "tournaments/display/_screen.html": {10},
    }


@pytest.mark.nightly
def test_the_badge_asks_once_the_page_is_there_and_again_when_it_is_seen(phone, table):
    page = phone(table.ada)
    with page.expect_response("**/waiting/"):
        page.goto(reverse("campaign:new"))
    expect(page.get_by_role("link", name="Your turn")).to_be_visible()
    building.open_register(actor=table.ada, owner=table.ada)
    asked = seen_by_nobody(page, "/")
    page.clock.run_for(120_000)
    assert asked == []
    look(page)
    with page.expect_request("**/waiting/"):
        page.clock.run_for(40_000)
    expect(page.get_by_role("link", name="Your turn 1")).to_be_visible()


@pytest.mark.nightly
def test_the_number_moves_nothing(phone, table):
    planned(table)
    page = phone(table.ada)
    page.route("**/waiting/", lambda route: route.abort(), times=1)
    page.goto(reverse("campaign:new"))
    before = page.locator(".cover").evaluate(PLACES)
    page.reload()
    expect(page.get_by_role("link", name="Your turn 1")).to_be_visible()
    assert page.locator(".cover").evaluate(PLACES) == before


@pytest.mark.nightly
def test_no_page_of_a_battle_asks_while_nobody_looks(phone, table):
    battle = planned(table)
    page = address(battle)
    choose_blue_army(table, battle)
    assert rests_and_wakes(phone(table.ada), page)
    army_chosen(battle)
    assert rests_and_wakes(phone(table.ada), page)
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    assert rests_and_wakes(phone(table.ada), page)
    assert rests_and_wakes(phone(table.ada), address(battle, "battles:table"))
    battle.refresh_from_db()
    reported(battle, table.ada)
    assert rests_and_wakes(phone(table.ada), page)
    reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
    assert rests_and_wakes(phone(table.ada), address(battle, "battles:sequence_side", "blue"))


def address(battle: Battle, name: str = "battles:detail", *more: str) -> str:
    return reverse(name, args=[battle.pk, *more])


def choose_blue_army(table: Table, battle: Battle) -> None:
    side = side_of(battle, "blue")
    army_service.choose_army(actor=table.ada, side_id=side.pk, army=army_of(table.alpha))


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


#: Chance that is none, and when each question for news about the table was sent.
WATCHED = """
Math.random = () => 0.5;
window.asked = [];
document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (detail.pathInfo.requestPath.includes("/table/")) window.asked.push(Date.now());
});
"""


class AtTable:
    """A phone at the table whose clock stands still; its questions for news wait until the test answers them."""

    def __init__(self, page: Page, there: str) -> None:
        self.page = page
        self.held: list[Route] = []
        page.add_init_script(WATCHED)
        page.clock.install(time=0)
        page.goto(there)
        page.wait_for_load_state("networkidle")
        page.clock.pause_at(1_000)
        self.page.route("**/table/?seen=*", lambda route: self.held.append(route))
        for _ in range(2):  # quick answers: the page may have found the server slow when it was opened
            self.pause()
            self.answer(after=10)

    def asked(self) -> list[int]:
        return self.page.evaluate("asked")

    def pause(self) -> float:
        """Let time pass until the next question; the seconds since now."""
        began, before = self.page.evaluate("Date.now()"), len(self.asked())
        with self.page.expect_request("**/table/?seen=*"):
            while len(self.asked()) == before:
                self.page.clock.run_for(100)
        return round((self.asked()[-1] - began) / 1000)

    def answer(self, *, after: int, **words: object) -> None:
        """Answer the question that is under way after some milliseconds."""
        self.page.clock.run_for(after)
        with self.page.expect_event("requestfinished"):
            self.held.pop().fulfill(**{"status": 204, **words})


@pytest.fixture
def at_table(phone, table) -> AtTable:
    return AtTable(phone(table.ada), address(in_play(planned(table)), "battles:table"))


@pytest.mark.nightly
def test_the_pause_grows_while_answers_are_slow(at_table):
    at_table.pause()
    pauses = []
    for took in (10, 1_500, 1_500, 1_500, 10, 10, 10):
        at_table.answer(after=took)
        pauses.append(at_table.pause())
    assert pauses == [4, 8, 16, 16, 8, 4, 4]


@pytest.mark.nightly
def test_the_console_says_nothing_when_one_leaves_while_the_page_asks(at_table):
    said: list[str] = []
    at_table.page.on("console", lambda message: said.append(message.text))
    at_table.pause()
    at_table.page.locator(".table-strip a").click()
    at_table.page.wait_for_url("**?details")
    assert said == []


@pytest.mark.nightly
@pytest.mark.parametrize("seconds", [1, 12])
def test_a_busy_server_is_asked_again_when_it_says(at_table, seconds):
    at_table.pause()
    at_table.answer(after=10, headers={"Retry-After": str(seconds)})
    assert at_table.pause() == seconds


@pytest.mark.nightly
def test_no_question_is_sent_while_one_is_under_way(at_table):
    at_table.pause()
    before = at_table.asked()
    at_table.page.clock.run_for(14_000)
    assert at_table.asked() == before


def test_a_question_steps_aside_for_a_tap(at_table):
    at_table.pause()
    with at_table.page.expect_event("requestfailed") as failed, at_table.page.expect_response("**/table/") as tap:
        at_table.page.locator("#mark-blue-2-defeated").tap()
    assert ("seen=" in failed.value.url, tap.value.status) == (True, 200)
    expect(at_table.page.get_by_role("alert").locator("p:visible")).to_have_count(0)
    assert at_table.pause() == 4

"""An answer given without a connection stays in its form, says so, and arrives once."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from campaign.battles.models import Battle
from campaign.battles.services import reports, sequence
from campaign.models import Activity
from rules.adjustments.corrections import WantedValue
from tests.browser.legible import open_folds
from tests.campaign.battles.closing import blue_to_step_5, red_to_step_5
from tests.campaign.battles.fixes import fixed
from tests.campaign.factories import Table, army_chosen, in_play, make_table, planned, reported, side_of
from tests.campaign.first_blood import Fought, Stacked, begin, fall

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fought(book, monkeypatch) -> Fought:
    fall(monkeypatch, Stacked("corps", "heavy"))
    return begin()


@pytest.fixture
def table(book) -> Table:
    return make_table()


UNSENT = "No connection. Your entries are still here. Send them again: they count only once."
MOVED = "This page is out of date. Copy your text if you need it, then reload the page."
AWAY = "No connection. This page updates as soon as you are online."


def alarmed(page: Page, words: str) -> None:
    """This and nothing else is said aloud to have gone wrong."""
    expect(page.get_by_role("alert").locator("p:visible")).to_have_text([words], timeout=15_000)


def all_is_well(page: Page) -> None:
    expect(page.get_by_role("alert").locator("p:visible")).to_have_count(0)


def again(page: Page) -> None:
    page.get_by_role("alert").get_by_role("button", name="Send again").tap()


def lose_answer(page: Page, url: str) -> None:
    """The next answer sent to that address arrives, but what the server says to it does not."""
    lost = []

    def lose(route: Route) -> None:
        if lost or route.request.method != "POST" or "reckon=" in (route.request.post_data or ""):
            route.fallback()
            return
        lost.append(route.fetch(max_redirects=0))
        route.abort("connectionreset")

    page.route(f"**{url}", lose)


def of_sequence(fought: Fought, colour: str) -> str:
    return reverse("battles:sequence_side", args=[fought.battle.pk, colour])


def awarding(fought: Fought) -> None:
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")


def finished(fought: Fought) -> list[int]:
    return [entry.step for entry in sequence.finished_steps(fought.blue)]


def test_what_was_typed_and_chosen_waits_for_the_connection(fought, phone):
    awarding(fought)
    ada = phone(fought.ada)
    ada.goto(of_sequence(fought, "blue"))
    ada.get_by_label("Name").fill("Grim Hounds")
    open_folds(ada)
    ada.context.set_offline(True)
    ada.get_by_role("button", name="Resilient").tap()
    alarmed(ada, UNSENT)
    expect(ada.locator("[data-unsent]")).to_contain_text("Resilient")
    expect(ada.get_by_label("Name")).to_have_value("Grim Hounds")
    again(ada)  # still away
    alarmed(ada, UNSENT)
    ada.context.set_offline(False)
    again(ada)
    expect(ada.get_by_role("heading", name="7 Make Aid Requests")).to_be_visible()
    all_is_well(ada)
    expect(ada.locator("[data-unsent]")).to_have_count(0)
    assert finished(fought) == [1, 2, 3, 4, 5, 6]


@pytest.mark.nightly
def test_a_tapped_choice_is_sent_again_as_it_was(fought, phone):
    """Also when the first one did arrive: the turn it carries says that it is answered already."""
    blue_to_step_5(fought)
    red_to_step_5(fought)
    url = of_sequence(fought, "red")
    ben = phone(fought.ben)
    ben.goto(url)
    ben.route("**/poll/**", lambda route: route.abort())  # no poll finds out first
    lose_answer(ben, url)
    turn = fought.red.turn
    ben.get_by_role("button", name="Captain Sorne").tap()
    alarmed(ben, UNSENT)
    again(ben)
    expect(ben.get_by_text("already saved")).to_be_visible()
    all_is_well(ben)
    fought.red.refresh_from_db()
    assert fought.red.turn == turn + 1


@pytest.mark.nightly
def test_a_poll_that_finds_the_answer_on_the_books_ends_the_alarm(fought, phone):
    blue_to_step_5(fought)
    red_to_step_5(fought)
    url = of_sequence(fought, "red")
    ben = phone(fought.ben)
    ben.goto(url)
    lose_answer(ben, url)
    ben.get_by_role("button", name="Captain Sorne").tap()
    alarmed(ben, UNSENT)
    expect(ben.get_by_role("button", name="Captain Sorne")).to_have_count(0, timeout=15_000)
    all_is_well(ben)


@pytest.mark.nightly
def test_an_unsent_answer_outlives_a_correction(fought, phone):
    """The question is drawn anew with another turn: what was tapped for it must not go with the old form."""
    blue_to_step_5(fought)
    red_to_step_5(fought)
    url = of_sequence(fought, "red")
    ben = phone(fought.ben)
    ben.goto(url)
    ben.route(f"**{url}", lambda route: route.abort(), times=1)
    ben.get_by_role("button", name="Captain Sorne").tap()
    alarmed(ben, UNSENT)
    fixed(fought.red.register, WantedValue("supply_points", 9))
    with ben.expect_response("**/poll/**") as poll:
        pass
    assert poll.value.headers["x-same-question"] == "true"
    alarmed(ben, UNSENT)
    expect(ben.locator("[data-unsent]")).to_contain_text("Captain Sorne")
    again(ben)
    expect(ben.locator("[data-unsent]")).to_have_count(0)
    expect(ben.get_by_role("button", name="Captain Sorne")).to_be_visible()
    ben.get_by_role("button", name="Captain Sorne").tap()
    expect(ben.get_by_role("button", name="Captain Sorne")).to_have_count(0)


@pytest.mark.nightly
def test_a_ticked_box_is_not_swept_away_by_news(table, phone):
    """A page that looks for news is not loaded again while something is entered that is not text."""
    battle = reported(in_play(planned(table)), table.ada)
    ben = phone(table.ben)
    ben.goto(battle.get_absolute_url())
    ben.locator("main form").first.evaluate(
        "(form) => form.insertAdjacentHTML('beforeend', '<input type=checkbox id=ticked>')"
    )
    ben.locator("#ticked").check()
    reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
    alarmed(ben, MOVED)
    expect(ben.locator("#ticked")).to_be_checked()


@pytest.mark.nightly
def test_a_server_that_broke_is_asked_again(fought, phone):
    url = of_sequence(fought, "blue")
    ada = phone(fought.ada)
    ada.goto(url)
    ada.route(f"**{url}", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)
    ada.get_by_role("button", name="Draw 2 tokens").tap()
    alarmed(ada, "The server did not answer. Your entries are still here. Send them again: they count only once.")
    again(ada)
    expect(ada.get_by_text("which unit?")).to_be_visible()
    all_is_well(ada)


@pytest.mark.nightly
def test_a_page_that_only_looks_for_news_says_that_it_catches_up(fought, phone):
    ada = phone(fought.ada)
    ada.goto(of_sequence(fought, "blue"))
    ada.context.set_offline(True)
    alarmed(ada, AWAY)
    expect(ada.get_by_role("button", name="Send again")).to_have_count(0)
    ada.context.set_offline(False)
    all_is_well(ada)


@pytest.mark.nightly
def test_an_army_is_mustered_once(table, phone):
    battle = planned(table)
    side = side_of(battle, "blue")
    url = reverse("battles:army", args=[side.pk])
    ada = phone(table.ada)
    ada.goto(url)
    ada.get_by_text("Stormtroopers (no. 3)").tap()
    expect(ada.locator("#tally")).to_contain_text("Army: 2 units")
    ada.context.set_offline(True)
    ada.get_by_role("button", name="Save army").tap()
    alarmed(ada, UNSENT)
    expect(ada.get_by_label("Stormtroopers (no. 2)").first).to_be_checked()
    ada.context.set_offline(False)
    expect(ada.locator("#tally")).to_contain_text("Army: 2 units")
    lose_answer(ada, url)
    again(ada)
    alarmed(ada, UNSENT)
    side.refresh_from_db()
    version = side.version
    again(ada)
    ada.wait_for_url(f"**{battle.get_absolute_url()}")
    side.refresh_from_db()
    assert (sorted(side.army["fielded"]), side.version) == (["1", "2"], version)


@pytest.mark.nightly
def test_what_could_not_be_reckoned_is_reckoned_later(table, phone):
    ada = phone(table.ada)
    ada.goto(reverse("battles:army", args=[side_of(planned(table), "blue").pk]))
    ada.route("**/waiting/", lambda route: route.fulfill(status=204))
    ada.context.set_offline(True)
    ada.get_by_text("Stormtroopers (no. 2)").tap()
    alarmed(ada, AWAY)
    with ada.expect_response("**/waiting/"):  # asked for before the connection was lost, and answered only now
        ada.evaluate("htmx.trigger('#badge', 'poll')")
    alarmed(ada, AWAY)
    expect(ada.locator("#tally")).to_contain_text("Army: 3 units")
    ada.context.set_offline(False)
    expect(ada.locator("#tally")).to_contain_text("Army: 2 units")
    all_is_well(ada)


@pytest.mark.nightly
def test_a_report_is_written_once(table, phone):
    battle = in_play(planned(table))
    url = reverse("battles:report", args=[battle.pk])
    ada = phone(table.ada)
    ada.goto(url)
    ada.get_by_label("Draw").check()
    ada.get_by_text("Mission and notes").tap()
    ada.get_by_label("Notes").fill("A long evening.")
    lose_answer(ada, url)
    ada.get_by_role("button", name="Report battle").tap()
    alarmed(ada, UNSENT)
    expect(ada.get_by_label("Notes")).to_have_value("A long evening.")
    again(ada)
    expect(ada.get_by_text("Waiting for ben").or_(ada.get_by_text("Current report"))).to_be_visible()
    battle.refresh_from_db()
    assert (battle.status, battle.version, battle.notes) == (Battle.Status.REPORTED, 1, "A long evening.")


@pytest.mark.nightly
def test_a_battle_starts_once(table, phone):
    battle = planned(table)
    army_chosen(battle)
    ada = phone(table.ada)
    ada.goto(battle.get_absolute_url())
    lose_answer(ada, reverse("battles:begin", args=[battle.pk]))
    ada.get_by_role("button", name="Start battle").tap()
    again(ada)
    expect(ada.get_by_role("link", name="Report battle")).to_be_visible()
    assert Activity.objects.filter(battle=battle, facts__act="begin").count() == 1


@pytest.mark.nightly
def test_a_plain_form_stays_where_it_is(table, phone):
    cora = phone(table.cora)
    cora.goto(reverse("campaign:new"))
    cora.get_by_label("Name").first.fill("Inner Rim Summer")
    cora.context.set_offline(True)
    cora.get_by_role("main").get_by_role("button").last.tap()
    alarmed(cora, UNSENT)
    expect(cora.get_by_label("Name").first).to_have_value("Inner Rim Summer")
    cora.context.set_offline(False)
    again(cora)
    expect(cora.get_by_role("heading", name="Inner Rim Summer")).to_be_visible()

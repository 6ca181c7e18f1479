"""Taps at the table without a connection: they wait, survive a reload, and arrive in order."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from campaign.battles.models import Battle, CommandHand, Tally
from campaign.battles.services import army as army_service
from campaign.battles.services.table import count_tokens, mark_unit
from tests.browser.conftest import sign_in
from tests.campaign.battles.hands import HAND
from tests.campaign.factories import Table, agendas_chosen, army_of, make_table, planned, reported, side_of

pytestmark = pytest.mark.django_db(transaction=True)

ONE, TWO = "1 unsent change", "2 unsent changes"
BROUGHT = {"agenda": "keep-them-in-line"}


@pytest.fixture
def table(book) -> Table:
    return make_table()


@pytest.fixture
def battle(table) -> Battle:
    battle = planned(table)
    for colour, player, register in (("blue", table.ada, table.alpha), ("red", table.ben, table.bravo)):
        army = army_of(register)
        army_service.choose_army(actor=player, side_id=side_of(battle, colour).pk, army=army, hand=HAND)
    agendas_chosen(battle, blue="keep-them-in-line", red="keep-them-in-line")
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    battle.refresh_from_db()
    return battle


@pytest.fixture
def ada(phone, table, battle) -> Page:
    page = phone(table.ada)
    page.goto(reverse("battles:table", args=[battle.pk]))
    return page


def waiting(page: Page, words: str) -> None:
    expect(page.get_by_role("alert").locator("p:visible")).to_contain_text([words])


def nothing_waits(page: Page) -> None:
    expect(page.get_by_role("alert").locator("p:visible")).to_have_count(0, timeout=20_000)


def mark(page: Page, unit: str, word: str):
    return page.locator(f"#mark-blue-{unit}-{word}")


def pressed(page: Page, unit: str, word: str, yes: bool = True) -> None:
    expect(mark(page, unit, word)).to_have_attribute("aria-pressed", str(yes).lower())


def tally(battle: Battle) -> Tally:
    return Tally.objects.get(side=side_of(battle, "blue"))


def refuse_connections(route: Route) -> None:
    """Lose every tap, as a server behind a dead wifi does: the browser believes that it is online."""
    if route.request.method == "POST":
        route.abort("connectionreset")
    else:
        route.fallback()


def test_a_tap_waits_for_the_connection_whatever_the_other_phone_does(ada, table, battle):
    ada.context.set_offline(True)
    mark(ada, "2", "defeated").tap()
    waiting(ada, ONE)
    pressed(ada, "2", "defeated")
    mark(ada, "1", "contesting").tap()
    waiting(ada, TWO)
    mark_unit(actor=table.ben, side_id=side_of(battle, "blue").pk, word="defeated", unit="3", yes=True)
    ada.context.set_offline(False)
    nothing_waits(ada)
    for unit, word in (("2", "defeated"), ("1", "contesting"), ("3", "defeated")):
        pressed(ada, unit, word)
    expect(ada.locator("[data-unsent]")).to_have_count(0)
    found = tally(battle)
    assert (sorted(found.defeated), found.contesting) == (["2", "3"], ["1"])


@pytest.mark.nightly
def test_taps_on_one_unit_arrive_in_their_order(ada, battle):
    ada.context.set_offline(True)
    for word, yes in (("contesting", True), ("defeated", True), ("defeated", False)):
        mark(ada, "2", word).tap()
        pressed(ada, "2", word, yes)
    waiting(ada, "3 unsent changes")
    ada.context.set_offline(False)
    nothing_waits(ada)
    found = tally(battle)
    assert (found.defeated, found.contesting) == ([], [])  # whoever falls leaves the objective


@pytest.mark.nightly
def test_what_waits_survives_a_reload(ada, battle):
    ada.route("**/table/**", refuse_connections)
    mark(ada, "2", "defeated").tap()
    waiting(ada, ONE)
    ada.reload()
    pressed(ada, "2", "defeated")
    waiting(ada, ONE)
    ada.unroute_all()
    nothing_waits(ada)
    assert tally(battle).defeated == ["2"]


def test_a_tap_whose_answer_was_lost_counts_once(ada, battle):
    lost = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.fallback()
            return
        lost.append(route.fetch())
        route.abort("connectionreset")

    ada.route("**/table/**", lose)
    ada.get_by_role("button", name="One token more").first.tap()
    waiting(ada, ONE)
    nothing_waits(ada)
    expect(ada.locator("#tokens-blue output")).to_have_text("1")
    assert (len(lost), tally(battle).tokens) == (1, 1)


@pytest.mark.nightly
def test_tokens_are_counted_on_without_a_connection(ada, battle):
    ada.context.set_offline(True)
    for _ in range(3):
        ada.get_by_role("button", name="One token more").first.tap()
    ada.get_by_role("button", name="One token less").first.tap()
    expect(ada.locator("#tokens-blue output")).to_have_text("2")
    waiting(ada, "4 unsent changes")
    ada.context.set_offline(False)
    nothing_waits(ada)
    assert tally(battle).tokens == 2


@pytest.mark.nightly
def test_what_the_server_refuses_is_dropped_with_a_sentence(ada, table, battle):
    ada.context.set_offline(True)
    ada.get_by_role("button", name="One token more").first.tap()
    mark(ada, "2", "defeated").tap()
    waiting(ada, "2 unsent changes")
    side = side_of(battle, "blue").pk
    count_tokens(actor=table.ben, side_id=side, before=0, after=1)
    count_tokens(actor=table.ben, side_id=side, before=1, after=7)
    ada.context.set_offline(False)
    expect(ada.get_by_text("7 now.")).to_be_visible()
    nothing_waits(ada)
    expect(ada.locator("#tokens-blue output")).to_have_text("7")
    assert (tally(battle).tokens, tally(battle).defeated) == (7, ["2"])


@pytest.mark.nightly
def test_a_battle_that_has_gone_on_drops_what_waits_with_a_sentence(ada, table, battle):
    ada.route("**/table/**", refuse_connections)
    mark(ada, "2", "defeated").tap()
    waiting(ada, ONE)
    reported(battle, table.ben, blue=BROUGHT, red=BROUGHT)
    ada.unroute_all()
    ada.reload()
    ada.wait_for_url(f"**{battle.get_absolute_url()}")
    expect(ada.get_by_text("This battle is not in play")).to_be_visible()
    nothing_waits(ada)
    assert ada.evaluate("localStorage.length") == 0
    assert not Tally.objects.exists()


@pytest.mark.nightly
def test_what_waits_is_sent_from_any_page(ada, battle):
    ada.route("**/table/**", refuse_connections)
    mark(ada, "2", "defeated").tap()
    waiting(ada, ONE)
    ada.unroute_all()
    ada.goto("/")
    nothing_waits(ada)
    ada.evaluate("async () => { while (localStorage.length) await new Promise(requestAnimationFrame); }")
    assert tally(battle).defeated == ["2"]


@pytest.mark.nightly
def test_another_user_of_the_phone_does_not_send_them(ada, table, battle, live_server):
    ada.route("**/table/**", refuse_connections)
    mark(ada, "2", "defeated").tap()
    waiting(ada, ONE)
    ada.unroute_all()
    hers = ada.context.cookies()
    sign_in(ada.context, table.ben, live_server.url)
    ada.goto(reverse("battles:table", args=[battle.pk]))
    pressed(ada, "2", "defeated", yes=False)
    nothing_waits(ada)
    assert not Tally.objects.exists()
    ada.context.add_cookies(hers)
    ada.goto("/")
    ada.evaluate("async () => { while (localStorage.length) await new Promise(requestAnimationFrame); }")
    assert tally(battle).defeated == ["2"]


@pytest.mark.nightly
def test_a_card_is_played_later(ada, battle):
    ada.get_by_text("Your Command Hand: 7 cards").tap()
    ada.context.set_offline(True)
    ada.get_by_role("button", name="Play Ambush").tap()
    waiting(ada, ONE)
    ada.context.set_offline(False)
    expect(ada.get_by_role("button", name="Undo playing Ambush")).to_be_visible(timeout=20_000)
    nothing_waits(ada)
    assert CommandHand.objects.get(side=side_of(battle, "blue")).discarded == ["ambush"]


def stored(page: Page, words: str) -> None:
    """Wait until the browser has stored the page with these words."""
    page.evaluate(
        """async (words) => {
          while (!(await (await caches.match(location.pathname))?.text())?.includes(words))
            await new Promise(requestAnimationFrame);
        }""",
        words,
    )


NOTHING_STORED = """async () => {
  while ((await caches.keys()).some((name) => name.startsWith("table:"))) await new Promise(requestAnimationFrame);
}"""


@pytest.mark.nightly
def test_the_page_is_read_without_a_connection_and_gone_after_signing_out(ada, battle):
    stored(ada, 'name="round" value="2"')
    ada.get_by_role("button", name="Next round").tap()
    expect(ada.locator("#round output")).to_have_text("2")
    stored(ada, 'name="round" value="3"')
    ada.context.set_offline(True)
    ada.goto(battle.get_absolute_url())  # leads to the table without a connection too
    expect(ada.locator("#round output")).to_have_text("2")
    ada.goto(reverse("battles:report", args=[battle.pk]))
    expect(ada.get_by_role("heading", name="No connection")).to_be_visible()
    ada.context.set_offline(False)
    ada.context.clear_cookies()
    ada.goto("/")
    ada.evaluate(NOTHING_STORED)

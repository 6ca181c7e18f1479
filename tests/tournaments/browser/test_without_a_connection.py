"""A player reports without a connection: the report waits on the phone, and arrives once."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.tournaments.factories import account_entry, make_event, organizer, published_round, started
from tests.tournaments.table_world import GC, entry, game_of, paired_event, won
from tournaments.models import Entry, Game
from tournaments.queries.history import result_of
from tournaments.scenarios.play import usual_result
from tournaments.services import rounds
from tournaments.services.results import report_result, save_result

pytestmark = pytest.mark.django_db(transaction=True)

STORED = """async ([path]) => {
  await navigator.serviceWorker.ready;
  while (!(await caches.match(path))) await new Promise(requestAnimationFrame);
}"""


def test_a_report_and_a_confirmation_wait_for_the_connection(phone):
    _olga, event = paired_event(GC)
    asha = User.objects.create_user("asha")
    Entry.objects.filter(event=event, name="Asha").update(user=asha)
    page, own = phone(asha), f"/events/{event.pk}/me/"
    page.goto(own)
    page.evaluate(STORED, [f"{own}report/"])
    page.reload()  # the worker answers from the next page on
    waiting = page.get_by_text("Your result waits on this phone")

    page.context.set_offline(True)
    page.get_by_role("link", name="Report result").tap()
    for name, value in (("winner", "Asha"), ("how", "Victory")):
        page.locator(f"label:has(input[name={name}])", has_text=value).tap()
    for player, points, tokens in (("Asha", "500", "5"), ("Ben", "300", "3")):
        side = page.locator(".result__figures fieldset", has=page.locator("legend", has_text=player))
        side.get_by_label("Points defeated").fill(points)
        side.get_by_label("Victory tokens").fill(tokens)
    for _ in range(2):
        page.get_by_role("button", name="Report result").tap()
        expect(waiting).to_be_visible()
    assert game_of(event, "Asha").state == Game.State.OPEN
    page.goto(own)  # Chromium lets a page that opens send for a moment, and loses the answer
    expect(waiting).to_be_visible()

    page.context.set_offline(False)
    expect(page.get_by_text("Result reported. Your opponent confirms it.")).to_be_visible()
    game = game_of(event, "Asha")
    assert (game.state, game.version, result_of(game)) == (Game.State.REPORTED, 1, won(event, "Asha"))

    # The opponent has reported, and the phone confirms without a connection.
    Game.objects.filter(pk=game.pk).update(state=Game.State.OPEN, how="", reported_by=None, version=0)
    report_result(actor=None, entry=entry(event, "Ben"), game=game, result=won(event, "Asha"), version=0)
    page.goto(own)
    page.context.set_offline(True)
    page.get_by_role("button", name="Confirm result").tap()
    expect(waiting).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Result confirmed.")).to_be_visible()
    assert game_of(event, "Asha").state == Game.State.CONFIRMED
    page.goto("about:blank")


def test_news_replace_neither_a_choice_nor_an_unsent_call(phone):
    """The round is closed while somebody chooses whom to vote for, and a result comes while a call is not sent."""
    asha = User.objects.create_user("asha")
    event = make_event(players=3, rounds=1, voted_trophy="Favorite opponent")
    account_entry(event, asha)
    current = published_round(started(event))
    page = phone(asha)
    page.goto(f"/events/{event.pk}/me/")
    page.context.set_offline(True)
    page.get_by_role("button", name="Call").tap()
    expect(page.locator("[data-trouble=unsent]")).to_be_visible()
    page.context.set_offline(False)
    for game in current.games.all():
        save_result(actor=organizer(), game=game, result=usual_result(game, first_wins=True))
    for _twice in range(2):  # the page that comes is not taken, so it comes again
        with page.expect_response(lambda answer: answer.status == 200 and "x-poll" in answer.request.headers):
            pass
    expect(page.locator("[data-trouble=unsent]")).to_be_visible()

    page.reload()
    page.locator(".choice__option").first.tap()
    rounds.close_round(actor=organizer(), event=event)
    expect(page.get_by_text("That was the last round.")).to_be_visible()
    expect(page.locator(".choice__option input").first).to_be_checked()
    page.goto("about:blank")

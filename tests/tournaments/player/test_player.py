"""A player's own pages (E2–E6, E25, E26, E28, E45)."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.results import Ending, Result
from tests.html import html_of
from tests.tournaments.factories import (
    games_of,
    make_event,
    organizer,
    played_round,
    published_round,
    started,
    usual_result,
)  # fmt: skip
from tests.tournaments.table_world import (
    GC,
    TR,
    as_posted,
    entry,
    game_of,
    new_event,
    paired_event,
    without_tokens,
    won,
)  # fmt: skip
from tournaments.models import Entry, Event, Game, JudgeCall, LogLine, Round, SubmittedList
from tournaments.pages.player import place_of, table_of
from tournaments.services import bracket, clock, entries, events, judging, pairing, rounds
from tournaments.services.results import report_result, save_result

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def phone(event, name):
    """The phone of a player without an account, who has followed the personal link (E5)."""
    client = Client()
    found = entry(event, name)
    answer = client.post(reverse("tournaments:personal", args=[found.token]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("tournaments:player", args=[event.pk]))
    return client


def me(event, page="player"):
    return reverse(f"tournaments:{page}", args=[event.pk])


def text_of(answer):
    return " ".join(answer.content.decode().split())


def finish_round(olga, event):
    for game in Game.objects.filter(round__event=event, round__state="published").exclude(second=None):
        full = Game.objects.select_related("round__event", "first", "second").get(pk=game.pk)
        result = Result(how=Ending.VICTORY, winner=full.first.key, points=(500, 300), tokens=(5, 3))
        save_result(actor=olga, game=full, result=result)
    rounds.close_round(actor=olga, event=event)


def test_the_page_is_the_players_alone():
    _olga, event = paired_event()
    assert Client().get(me(event)).status_code == 404
    assert Client().get(reverse("tournaments:personal", args=["no-such-token"])).status_code == 404
    stranger = Client()
    stranger.force_login(User.objects.create_user("mallory"))
    for page in ("player", "player_report", "player_drop", "player_setup", "player_figures"):
        assert stranger.get(me(event, page)).status_code == 404
    for page in ("player_confirm", "player_dispute", "player_call"):
        assert stranger.post(me(event, page)).status_code == 404


def test_a_link_is_for_players_without_an_account():
    """E5: one that was printed before its player had an account opens nothing any more."""
    _olga, event = paired_event()
    asha, thief, owner = phone(event, "Asha"), phone(event, "Asha"), User.objects.create_user("asha")
    assert thief.get(me(event)).status_code == 200
    Entry.objects.filter(pk=entry(event, "Asha").pk).update(user=owner)
    link = reverse("tournaments:personal", args=[entry(event, "Asha").token])
    mallory = Client()
    mallory.force_login(User.objects.create_user("mallory"))
    for reader in (Client(), thief, mallory):
        reader.get(link)
        assert reader.get(me(event)).status_code == 404
        assert reader.post(me(event, "player_drop")).status_code == 404
    assert Client().get(link).url == Client().post(link).url == f"{reverse('account_login')}?next={me(event)}"
    asha.force_login(owner)
    assert asha.get(link, follow=True).status_code == 200


def test_ones_own_entry_comes_before_a_link():
    """A link of somebody else, even of an older account, does not put another player in the place of one's own."""
    _olga, event = paired_event()
    older, ben = User.objects.create_user("older"), User.objects.create_user("ben")
    one, other = event.entries.order_by("number")[:2]
    Entry.objects.filter(pk=one.pk).update(user=older)
    Entry.objects.filter(pk=other.pk).update(user=ben)
    client = Client()
    client.force_login(ben)
    link = reverse("tournaments:personal", args=[one.token])
    for _ in range(2):
        assert (client.get(link).url, client.post(link).url) == (me(event), me(event))
        assert client.get(me(event)).context["entry"] == other
        Entry.objects.filter(pk=one.pk).update(user=None)


def test_a_link_that_is_only_opened_makes_nobody_act_as_its_player():
    """E5: another site can lead a browser to a link, but not press the button on it."""
    _olga, event = paired_event()
    asha, link = phone(event, "Asha"), reverse("tournaments:personal", args=[entry(event, "Ben").token])
    mallory = Client()
    mallory.force_login(User.objects.create_user("mallory"))
    for reader in (Client(), mallory):
        assert "Continue as Ben?" in text_of(reader.get(link))
        assert reader.get(me(event)).status_code == 404
    assert "Until now this browser has opened the page of Asha." in text_of(asha.get(link))
    assert asha.get(me(event)).context["entry"].name == "Asha"
    assert Client(enforce_csrf_checks=True).post(link).status_code == 403
    assert asha.post(link).url == asha.get(link).url == me(event)
    assert asha.get(me(event)).context["entry"].name == "Ben"


def test_before_the_start_the_player_sees_the_code_and_the_list():
    _olga, event = new_event()
    asha = phone(event, "Asha")
    Entry.objects.filter(pk=entry(event, "Asha").pk).update(state=Entry.State.REGISTERED)
    first = text_of(asha.get(me(event)))
    assert "Show this code at the desk to be checked in." in first
    assert "<svg" in first
    assert "Submit your list before the event starts." in first
    SubmittedList.objects.create(
        entry=entry(event, "Asha"), number=1, points=995, violations=[{"rule": "R", "text": "x"}]
    )
    Entry.objects.filter(pk=entry(event, "Asha").pk).update(state=Entry.State.CHECKED_IN)
    then = text_of(asha.get(me(event)))
    assert "You are checked in. Your first table appears here when the pairings are published." in then
    assert "Show this code" not in then
    assert "Your list has problems. Change it, or ask the organizer to accept it." in then
    Entry.objects.filter(pk=entry(event, "Asha").pk).update(state=Entry.State.WAITING)
    assert "You move up automatically when a place becomes free." in text_of(asha.get(me(event)))


def test_new_pairings_reach_a_polling_phone():
    olga, event = new_event()
    asha = phone(event, "Asha")

    def poll(tag):
        return asha.get(me(event), headers={"X-Poll": "true", "If-None-Match": tag})

    page = asha.get(me(event))
    events.start(actor=olga, event=event, reason="Lists are on paper.")
    before = page = poll(page["ETag"])
    assert "The pairings of round 1 appear here automatically." in text_of(page)
    pairing.draw_round(actor=olga, event=event)
    assert poll(page["ETag"]).status_code == 304
    rounds.publish_round(actor=olga, event=event)
    with CaptureQueriesContext(connection) as queries:
        news = poll(page["ETag"])
    assert len(queries) <= 5
    page = asha.get(me(event))
    assert (news.status_code, news["ETag"]) == (200, page["ETag"])
    assert "table-ticket__number" in text_of(news)
    assert "<html" not in text_of(news)  # only what HTMX puts in place of the main part
    assert tuple(re.search(r'data-poll="[^"]+"', text_of(each))[0] for each in (before, news)) == (
        'data-poll="2.5"',
        'data-poll="4"',
    )
    with CaptureQueriesContext(connection) as queries:
        assert poll(page["ETag"]).status_code == 304
    assert len(queries) <= 6


def test_news_for_an_account_take_one_statement_more_than_a_poll():
    """Session, account, entry with the role, round, games: 300 phones ask for them within seconds."""
    _olga, event = paired_event()
    user = User.objects.create_user("asha")
    Entry.objects.filter(event=event, name="Asha").update(user=user)
    asha = Client()
    asha.force_login(user)
    asha.get(me(event))
    with CaptureQueriesContext(connection) as queries:
        news = asha.get(me(event), headers={"X-Poll": "true", "If-None-Match": '"before"'})
    assert (news.status_code, len(queries)) == (200, 5)


@pytest.mark.parametrize("left", [entries.drop, partial(entries.eject, reason="Cheated.")])
def test_a_polling_phone_hears_that_the_opponent_has_left(left):
    olga, event = paired_event()
    asha = phone(event, "Asha")
    tag = asha.get(me(event))["ETag"]
    left(actor=olga, entry=entry(event, "Dov"))
    poll = partial(asha.get, me(event), headers={"X-Poll": "true", "If-None-Match": tag})
    assert poll().status_code == 304  # plays at another table
    left(actor=olga, entry=entry(event, "Ben"))
    assert "Ben has left the event. Report a no-show or a concession." in text_of(poll())


def test_a_player_without_a_game_in_the_round_reads_that_and_earlier_results():
    event = started(make_event(rounds=3))
    played_round(event)
    for name in "CD":
        entries.drop(actor=organizer(), entry=entry(event, name))
    published_round(event)
    entries.rejoin(actor=organizer(), entry=entry(event, "D"))
    table = table_of(event, entry(event, "D"))
    assert (table.current.number, table.game, table.is_under_way) == (2, None, True)
    assert [line["round"] for line in table.lines] == [1]
    assert "No game in this round (Round 2)" in text_of(phone(event, "D").get(me(event)))


def test_after_the_last_round_a_phone_polls_at_leisure():
    event = started(make_event(rounds=1))
    played_round(event)
    page = phone(event, "A").get(me(event))
    assert "That was the last round." in text_of(page)
    assert 'data-poll="4"' in text_of(page)


def test_before_the_cut_nobody_is_promised_a_table():
    event = started(make_event(rounds=2, cut=2))
    played_round(event)
    then = "The cut to the top 2 comes next. If you are among them, your table appears here."
    dee = phone(event, "D")
    assert "Your next table appears here" in text_of(dee.get(me(event)))
    for game in games_of(published_round(event)):
        save_result(actor=organizer(), game=game, result=usual_result(game, first_wins=True))
    assert f"Confirmed. {then}" in text_of(dee.get(me(event)))
    rounds.close_round(actor=organizer(), event=event)
    assert then in text_of(dee.get(me(event)))


def test_the_place_of_who_has_left_is_that_of_the_standings():
    """E38, E39: none before a round is closed; who declined a place in the bracket comes after its players."""
    event = started(make_event(players=6, rounds=1, cut=2))
    published_round(event)
    entries.drop(actor=organizer(), entry=entry(event, "F"))
    assert place_on_page(event, "F") == ""
    played_round(event)
    first = bracket.make_cut(actor=organizer(), event=event).games.get().first
    entries.decline_place(actor=organizer(), entry=first)
    assert place_on_page(event, first.name) == ""
    played_round(event)
    assert place_on_page(event, first.name) == "3"


def place_on_page(event, name):
    found = entry(event, name)
    return place_of(event, found, table_of(event, found))


def test_the_page_of_a_round(django_assert_max_num_queries):
    olga, event = paired_event(GC, ("Asha", "Ben", "Cleo", "Dov", "Eli"))
    asha, ben, eli = (phone(event, name) for name in ("Asha", "Ben", "Eli"))
    with django_assert_max_num_queries(15):
        page = text_of(asha.get(me(event)))
    assert '<span class="table-ticket__number num">1</span>' in page
    assert "<b>Ben</b>" in page
    assert "Report result" in page
    assert "Opponent’s list" in page
    Event.objects.update(lists_published="never")
    assert "Opponent’s list" not in text_of(asha.get(me(event)))
    assert asha.get(reverse("tournaments:army_list", args=[event.pk, 2])).status_code == 404
    Event.objects.update(lists_published="start")
    assert "A win with 900 points defeated." in text_of(eli.get(me(event)))
    report_result(
        actor=None, entry=entry(event, "Asha"), game=game_of(event, "Asha"), result=won(event, "Asha"), version=0
    )
    assert "Waiting for Ben to confirm. A leader can confirm instead." in text_of(asha.get(me(event)))
    page = text_of(ben.get(me(event)))
    assert "reported by Asha" in page
    assert "Confirm result" in page
    assert "Report result" not in page
    finish_round(olga, event)
    page = text_of(asha.get(me(event)))
    assert "Round 1 is over" in page
    assert "3 points" in page
    assert "Your next table appears here" in page
    Round.objects.update(number=3)
    assert "That was the last round." in text_of(asha.get(me(event)))
    events.finish(actor=olga, event=event)
    page = text_of(ben.get(me(event)))
    assert "Thank you for playing!" in page
    assert "Place" in page


def test_as_many_statements_after_three_rounds_as_after_one():
    olga, event = paired_event()
    asha = phone(event, "Asha")

    def statements():
        with CaptureQueriesContext(connection) as queries:
            asha.get(me(event))
        return len(queries)

    finish_round(olga, event)
    before = statements()
    for _ in range(2):
        pairing.draw_round(actor=olga, event=event)
        rounds.publish_round(actor=olga, event=event)
        finish_round(olga, event)
    assert statements() == before <= 15


def test_a_result_goes_from_phone_to_phone():
    _olga, event = paired_event(TR)
    asha, ben = phone(event, "Asha"), phone(event, "Ben")
    data = as_posted(event, "Asha")
    assert "Blue player" in text_of(asha.get(me(event, "player_report")))
    wrong = {**data, "winner": entry(event, "Ben").key}
    checked = asha.post(me(event, "player_report"), {**wrong, "check": "1"})
    assert (checked.status_code, game_of(event, "Asha").state) == (200, Game.State.OPEN)
    assert "Asha wins on victory tokens: 5 to 3." in text_of(checked)
    refused = asha.post(me(event, "player_report"), wrong)
    assert refused.status_code == 422
    assert 'name="first_points" value="500"' in text_of(refused)
    for _ in range(2):
        assert asha.post(me(event, "player_report"), data).status_code == 302
    assert game_of(event, "Asha").state == Game.State.REPORTED
    assert "Asha reported" in text_of(ben.get(me(event, "player_report")))
    sent = {"game": data["game"], "version": 1}
    for _ in range(2):
        assert ben.post(me(event, "player_confirm"), sent).status_code == 302
    assert game_of(event, "Asha").state == Game.State.CONFIRMED
    assert "Confirmed. Your next table appears here." in text_of(ben.get(me(event)))
    assert asha.get(me(event, "player_report")).status_code == 302


def test_a_dispute_needs_a_text_and_is_shown_again_without_one():
    _olga, event = paired_event()
    ben = phone(event, "Ben")
    phone(event, "Asha").post(me(event, "player_report"), as_posted(event, "Asha"))
    sent = {"game": game_of(event, "Asha").pk, "version": 1}
    empty = ben.post(me(event, "player_dispute"), {**sent, "text": ""})
    assert empty.status_code == 422
    assert "Say what is wrong with the result." in text_of(empty)
    long = ben.post(me(event, "player_dispute"), {**sent, "text": "x" * 1001})
    assert long.status_code == 422
    assert "Use up to 1000 characters. You typed 1001." in text_of(long)
    assert ben.post(me(event, "player_dispute"), {**sent, "text": "I had 6."}).status_code == 302
    assert "A Consular decides this result." in text_of(ben.get(me(event)))


def test_who_disputed_withdraws_the_dispute():
    """E28: the report waits for a confirmation again; a second tap and the page of before change nothing."""
    _olga, event = paired_event()
    asha, ben = phone(event, "Asha"), phone(event, "Ben")
    asha.post(me(event, "player_report"), as_posted(event, "Asha"))
    sent = {"game": game_of(event, "Asha").pk, "version": 1}
    ben.post(me(event, "player_dispute"), {**sent, "text": "I had 6."})
    withdraw = me(event, "player_withdraw_dispute")
    assert (withdraw in text_of(ben.get(me(event))), withdraw in text_of(asha.get(me(event)))) == (True, False)
    own = "Your opponent disputed this result. Only they can withdraw the dispute."
    assert own in text_of(asha.post(withdraw, {**sent, "version": 2}, follow=True))
    assert "This result was changed a moment ago." in text_of(ben.post(withdraw, sent, follow=True))
    for _ in range(2):
        ben.post(withdraw, {**sent, "version": 2})
    game = game_of(event, "Asha")
    assert (game.state, game.reported_by.name, game.dispute, game.version) == (Game.State.REPORTED, "Asha", "", 3)
    assert list(event.log.filter(kind="disputed").order_by("pk").values_list("facts__withdrawn", flat=True)) == [
        None, True,
    ]  # fmt: skip
    ben.post(me(event, "player_confirm"), {**sent, "version": 3})
    assert game_of(event, "Asha").state == Game.State.CONFIRMED
    ben.post(withdraw, {**sent, "version": 4})
    assert game_of(event, "Asha").state == Game.State.CONFIRMED


def test_a_form_of_the_round_before_changes_nothing():
    olga, event = paired_event()
    asha = phone(event, "Asha")
    old = as_posted(event, "Asha")
    finish_round(olga, event)
    for page in ("player_report", "player_confirm", "player_dispute", "player_call"):
        assert asha.post(me(event, page), old).status_code == 302
    pairing.draw_round(actor=olga, event=event)
    rounds.publish_round(actor=olga, event=event)
    for page in ("player_report", "player_confirm", "player_dispute", "player_call"):
        assert asha.post(me(event, page), {**old, "text": "No"}).status_code == 302
    games = Game.objects.filter(round__event=event, round__number=2)
    assert set(games.values_list("state", "version")) == {(Game.State.OPEN, 0)}
    assert JudgeCall.objects.count() == 0


def test_a_player_calls_a_judge_and_appeals():
    olga, event = paired_event()
    rita = User.objects.create_user("rita")
    event.memberships.create(user=rita, role="judge")
    asha = phone(event, "Asha")
    sent = {"game": game_of(event, "Asha").pk, "question": "Line of sight?"}
    for _ in range(2):
        asha.post(me(event, "player_call"), sent)
    call = JudgeCall.objects.get()
    assert "A Consular is called. Stay at your table." in text_of(asha.get(me(event)))
    judging.take_call(actor=rita, call=call)
    assert "rita is coming to your table." in text_of(asha.get(me(event)))
    judging.rule_call(actor=rita, call=call, ruling="It is blocked.")
    page = text_of(asha.get(me(event)))
    assert "It is blocked." in page
    assert "Appeal to the Head Consular" in page
    address = reverse("tournaments:call", args=[event.pk, call.pk])
    assert phone(event, "Cleo").post(address, {"do": "appeal"}).status_code == 404
    for _ in range(2):
        assert asha.post(address, {"do": "appeal"}).status_code == 302
    assert "Appealed. The Head Consular decides." in text_of(asha.get(me(event)))
    judging.rule_appeal(actor=olga, call=call, overrule=True, ruling="It is visible.")
    assert "It is visible." in text_of(asha.get(me(event)))


def test_dropping_asks_once_and_is_logged_without_an_account():
    """E25."""
    _olga, event = paired_event()
    asha = phone(event, "Asha")
    assert "Your game of this round has no confirmed result yet." in text_of(asha.get(me(event, "player_drop")))
    assert entry(event, "Asha").state == Entry.State.PLAYING
    for _ in range(2):
        assert asha.post(me(event, "player_drop")).status_code == 302
    facts = {"entry": 1, "before": "playing", "after": "dropped", "by_player": True}
    assert list(LogLine.objects.filter(kind="entry").values_list("actor", "facts")) == [(None, facts)]
    page = text_of(asha.get(me(event)))
    assert "You have dropped. Your results stay in the standings." in page
    assert "You have dropped. Report this game, for example as conceded." in page
    assert "Report result" in page
    waits = text_of(phone(event, "Ben").get(me(event)))
    assert "Asha has left the event. Report a no-show or a concession." in waits
    Game.objects.filter(first__name="Asha").update(state=Game.State.CONFIRMED, how="draw")
    assert "You have dropped. Ask the organizer if you want to rejoin." in text_of(asha.get(me(event)))
    Entry.objects.filter(pk=entry(event, "Ben").pk).update(state=Entry.State.EJECTED)


@pytest.mark.parametrize(
    ("rule_set", "armies", "steps", "sentence"),
    [
        (TR, (795, 800), 7, "Your army has fewer points: you choose red or blue."),
        (TR, (800, 795), 7, "Your opponent’s army has fewer points: they choose red or blue."),
        (TR, (800, 800), 7, "Both armies have the same points: roll for who chooses red or blue."),
        (TR, (None, 800), 7, "The player with the smaller army chooses red or blue."),
        (GC, (995, 1000), 2, "Terrain talk"),
    ],
)
def test_how_to_set_up(rule_set, armies, steps, sentence):
    """E45."""
    _olga, event = paired_event(rule_set)
    for name, points in zip(("Asha", "Ben"), armies, strict=True):
        Entry.objects.filter(pk=entry(event, name).pk).update(army_points=points)
    page = html_of(phone(event, "Asha").get(me(event, "player_setup")))
    assert (page.count("<li><b>"), sentence in page) == (steps, True)
    assert ("three advantages" in page, "condition decks" in page) == (rule_set == TR, False)
    Event.objects.update(deck_of_2020=True)
    page = html_of(phone(event, "Asha").get(me(event, "player_setup")))
    assert (page.count("<li><b>"), "condition decks" in page) == (steps, rule_set == TR)


def test_players_of_galactic_conquest_never_learn_the_length_of_a_round(monkeypatch):
    """E26: every answer is the same byte for byte, however long the round is and whatever the dice show."""
    olga, event = paired_event()
    asha, ben = phone(event, "Asha"), phone(event, "Ben")
    clock.start_clock(actor=olga, event=event, now=NOON)
    report_result(
        actor=None, entry=entry(event, "Asha"), game=game_of(event, "Asha"), result=won(event, "Asha"), version=0
    )
    data = as_posted(event, "Asha")
    monkeypatch.setattr("tournaments.views.player.now", lambda: NOON + timedelta(minutes=149))

    def headers_of(answer):
        """The headers but for the request's own number; the order of the policy's parts is by chance."""
        return {name: sorted(value.split("; ")) for name, value in answer.headers.items() if name != "X-Request-ID"}

    def answers(minutes, seed):
        Round.objects.update(minutes=minutes)
        Event.objects.update(seed=seed)
        gets = [
            client.get(me(event, page))
            for client in (asha, ben) for page in ("player", "player_report", "player_drop", "player_setup")
        ]  # fmt: skip
        tag = gets[0]["ETag"]
        polls = [asha.get(me(event), headers={"X-Poll": "true", "If-None-Match": each}) for each in (tag, '"old"')]
        posts = [
            asha.post(me(event, "player_report"), {**data, "check": "1"}),
            asha.post(me(event, "player_report"), {**data, "how": ""}),
            ben.post(me(event, "player_dispute"), {**data, "text": ""}),
        ]
        assert [each.status_code for each in (*polls, *posts)] == [304, 200, 200, 422, 422]
        return [
            (each.status_code, headers_of(each), without_tokens(each.content.decode()))
            for each in (*gets, *polls, *posts)
        ]

    short, long = answers(150, b"1" * 32), answers(155, b"2" * 32)
    for one, other in zip(short, long, strict=True):
        assert one == other
    assert not any("14:3" in body or "data-countdown" in body for _status, _headers, body in short)
    monkeypatch.setattr("tournaments.views.player.now", lambda: NOON + timedelta(minutes=156))
    assert "Time!" in text_of(asha.get(me(event)))


def test_the_code_of_a_player_is_for_the_organizer(monkeypatch):
    """E6: it checks in for an organizer. Nobody who reads it over a shoulder can act for the player."""
    olga, event = new_event()
    Entry.objects.update(state=Entry.State.REGISTERED)
    asha, drawn = phone(event, "Asha"), []
    monkeypatch.setattr("tournaments.views.player.qr_svg", lambda address: drawn.append(address) or "")
    asha.get(me(event))
    found = entry(event, "Asha")
    scan = reverse("tournaments:scan", args=[event.pk, found.check_in_code])
    assert drawn == [f"http://testserver{scan}"]
    assert found.token not in scan
    own = Client()
    own.force_login(User.objects.create_user("stranger"))
    for reader in (Client(), own):
        assert reader.get(scan).url == reverse("tournaments:detail", args=[event.pk])
        assert reader.get(me(event)).status_code == 404
    assert asha.get(scan).url == me(event)
    own.force_login(olga)
    assert own.get(scan).status_code == 200


PLAYERS_POSTS = ("player_report", "player_confirm", "player_dispute", "player_call", "player_drop")


@pytest.mark.parametrize("by_link", [True, False])
def test_an_ejected_player_reads_what_everybody_reads_and_acts_no_more(by_link):
    """E4: neither the personal link nor the session of an account opens more than strangers see."""
    olga, event = paired_event()
    ben = entry(event, "Ben")
    game = game_of(event, "Asha")
    if by_link:
        client = phone(event, "Ben")
    else:
        Entry.objects.filter(pk=ben.pk).update(user=User.objects.create_user("ben"))
        client = Client()
        client.force_login(User.objects.get(username="ben"))
    assert client.get(me(event)).status_code == 200
    entries.eject(actor=olga, entry=ben, reason="Threw dice.")
    version = Game.objects.get(pk=game.pk).version
    assert client.get(me(event)).status_code == 302
    assert client.get(me(event), headers={"X-Poll": "1"})["HX-Refresh"] == "true"
    for name in PLAYERS_POSTS:
        assert client.post(me(event, name), {"game": game.pk, "question": "Why?"}).status_code == 404, name
    lists = reverse("tournaments:lists", args=[event.pk])
    assert client.get(lists).status_code == Client().get(lists).status_code
    call = {"entry": entry(event, "Ben"), "game": game}
    with pytest.raises(RuleViolation, match="You were ejected"):
        judging.call_judge(actor=None, **call)
    with pytest.raises(RuleViolation, match="You were ejected"):
        report_result(actor=None, **call, result=Result(how=Ending.VICTORY, winner=ben.key), version=version)
    assert not JudgeCall.objects.exists()


def test_who_withdrew_reads_what_everybody_reads_and_may_register_again():
    """E6."""
    _olga, event = new_event()
    Event.objects.filter(pk=event.pk).update(state="open")
    ben = User.objects.create_user("ben")
    entries.register(actor=ben, event=event, name="Zoe", now=NOON)
    client = Client()
    client.force_login(ben)
    for _ in range(2):
        assert client.post(me(event, "withdraw")).status_code == 302
    assert client.get(me(event)).status_code == 302
    assert client.get(me(event, "player_setup")).status_code == 404
    assert client.get(me(event, "register")).status_code == 200

"""The organizer's console, the check-in and results by leaders: pages, double posts, stale tabs."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from members.models import Role
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.at_once import at_once
from tests.html import html_of
from tests.tournaments.factories import (
    add_player,
    entry_of,
    finished,
    games_of,
    make_event,
    organizer,
    played_round,
    published_round,
    started,
)
from tests.tournaments.rounds.drafts import build, drawn, play, refused
from tournaments.models import Entry, Event, Game, JudgeCall, LogLine, Membership, Round, SubmittedList
from tournaments.pages.console import console_clock, matching
from tournaments.pages.results import changed_standings, result_sentence
from tournaments.queries.console import Step, board_of, next_step
from tournaments.queries.exchange import content_of
from tournaments.queries.history import history_of, ranking
from tournaments.scenarios.play import usual_result
from tournaments.services import bracket, clock, entries, events, results, rounds, verification

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def published(players: int = 4, **fields) -> tuple[User, Event, Round]:
    olga, event = build(players, **fields)
    drawn(olga, event)
    return olga, event, rounds.publish_round(actor=olga, event=event)


def url(name: str, event: Event, *arguments: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.pk, *arguments])


def due(event: Event) -> tuple[Step, int]:
    event.refresh_from_db()
    step = next_step(board_of(event).situation)
    return step.step, step.round


def first_wins(game: Game, how: Ending = Ending.VICTORY) -> dict[str, object]:
    """The form of a result in which the first player wins."""
    return {
        "version": game.version, "winner": game.first.key, "how": how, "first_points": 500, "second_points": 300,
        "first_tokens": 5, "second_tokens": 3, "do": "save",
    }  # fmt: skip


def told(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


@pytest.mark.django_db
def test_an_event_from_the_console_alone(client):
    """Each button is the step that is due; pressing it twice changes nothing."""
    olga = User.objects.create_user("olga")
    event = events.create_event(actor=olga, name="Winter", rule_set=RuleSet.GALACTIC_CONQUEST, rounds=1)
    Event.objects.update(structure="custom", state=Event.State.OPEN, lists_required=False)
    for name in "ABCDE":
        add_player(actor=olga, event=event, name=name)
    client.force_login(olga)
    console, act = url("console", event), url("act", event)
    assert due(event) == (Step.CHECK_IN, 0)
    client.post(url("check_in", event), {"all": "1"})
    for step, number in (
        (Step.START, 0), (Step.DRAW, 1), (Step.REVIEW, 1), (Step.START_CLOCK, 1), (Step.RESULTS, 1), (Step.CLOSE, 1),
        (Step.FINISH, 0),
    ):  # fmt: skip
        assert due(event) == (step, number)
        page = client.get(console)
        assert (page.status_code, page.context["words"]["title"] != "") == (200, True)
        if step == Step.REVIEW:
            version = client.get(url("draft", event, 1)).context["draft"].version
            for _ in range(2):
                client.post(url("draft", event, 1), {"do": "publish", "version": version})
        elif step == Step.RESULTS:
            for game in Game.objects.exclude(second=None).select_related("first"):
                data = first_wins(game)
                assert client.post(url("result", event, 1, game.place), data).url == console
                assert client.post(url("result", event, 1, game.place), data).url == console
        else:
            for _ in range(2):
                client.post(
                    url("draw_round", event, 1) if step == Step.DRAW else act,
                    {"what": "step", "step": step, "round": number},
                )
    assert due(event) == (Step.OVER, 0)
    kinds = list(LogLine.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["created", *["entered"] * 5, "state", "drafted", "published", "closed", "state"]


@pytest.mark.django_db
def test_a_button_of_an_old_tab_does_nothing(client):
    """“Draw round 1” from a tab of this morning does not draw round 2."""
    olga, event, _round = published()
    for game in Game.objects.select_related("first"):
        results.save_result(
            actor=olga, game=game, result=Result(how=Ending.VICTORY, winner=game.first.key, points=(1, 0))
        )
    rounds.close_round(actor=olga, event=event)
    client.force_login(olga)
    done = ["This was done already. Here is the next step."]
    for number, count, says in ((1, 1, done), (3, 1, done), (2, 2, []), (2, 2, done)):
        assert told(client.post(url("draw_round", event, number), follow=True)) == says
        assert event.round_set.count() == count


@pytest.mark.django_db
def test_only_leaders_see_the_console_and_only_organizers_act(client):
    _olga, event, _round = published()
    pages = [url("console", event), url("check_in", event), url("result", event, 1, 1)]
    client.force_login(User.objects.create_user("mallory"))
    assert [client.get(page).status_code for page in pages] == [404] * 3
    assert client.post(url("act", event), {"what": "step", "step": "start_clock", "round": 1}).status_code == 404
    judge = User.objects.create_user("judge")
    Membership.objects.create(event=event, user=judge, role=Role.JUDGE)
    client.force_login(judge)
    assert [client.get(page).status_code for page in pages] == [200, 404, 200]
    response = client.post(url("act", event), {"what": "step", "step": "start_clock", "round": 1}, follow=True)
    assert told(response) == ["Only an organizer of this event can do this."]
    assert "Only an organizer can do this." in client.get(pages[0]).content.decode()


@pytest.mark.django_db
def test_a_poll_costs_little_and_sees_every_change(client, django_assert_max_num_queries):
    olga, event, current = published(rounds=3)
    client.force_login(olga)
    page = url("console", event)
    game = current.games.select_related("first", "round__event").first()
    changes = [
        lambda: clock.start_clock(actor=olga, event=event, now=NOON),
        lambda: JudgeCall.objects.create(event=event, game=game, table=1),
        lambda: JudgeCall.objects.update(state=JudgeCall.State.TAKEN),
        lambda: Game.objects.filter(pk=game.pk).update(state=Game.State.REPORTED, version=1),
        lambda: clock.set_extension(actor=olga, game=game, minutes=5, reason="A long call"),
        lambda: entries.drop(actor=olga, entry=event.entries.get(name="D")),
        lambda: Event.objects.update(cut=2),
    ]
    versions = [client.get(page).context["version"]]
    for change in changes:
        change()
        headers = {"If-None-Match": f'"{versions[-1]}"', "HX-Request": "true", "HX-Target": "now"}
        response = client.get(page, headers=headers)
        assert (response.status_code, response.templates[0].name) == (200, "tournaments/console/_now.html")
        versions.append(response.context["version"])
    assert len(set(versions)) == len(versions)
    with django_assert_max_num_queries(11):
        again = client.get(page, headers={"If-None-Match": f'"{versions[-1]}"', "HX-Request": "true"})
    assert again.status_code == 304


@pytest.mark.django_db
def test_the_console_takes_as_many_statements_for_many_players(client, django_assert_max_num_queries):
    olga, event, _round = published(8)
    client.force_login(olga)
    client.get(url("console", event))
    with django_assert_max_num_queries(15):
        page = client.get(url("console", event), {"player": 1})
    assert {group["label"]: len(group["rows"]) for group in page.context["groups"]} == {"In the event": 8}
    Entry.objects.bulk_create(Entry(event=event, number=100 + each, name=f"P{each}") for each in range(60))
    with django_assert_max_num_queries(15):
        assert client.get(url("console", event), {"player": 1}).context["searchable"]


@pytest.mark.django_db
def test_missing_results_come_disputed_first(client):
    olga, event, current = published(6)
    one, two, three = current.games.order_by("place")
    Game.objects.filter(pk=three.pk).update(state=Game.State.DISPUTED, dispute="It was 7 tokens.")
    Game.objects.filter(pk=two.pk).update(state=Game.State.REPORTED)
    client.force_login(olga)
    page = client.get(url("console", event))
    assert [game.pk for game, _gone in page.context["to_settle"]] == [three.pk, two.pk, one.pk]
    assert page.context["href"] == url("result", event, 1, three.place)
    assert "It was 7 tokens." in page.content.decode()


@pytest.mark.django_db
def test_actions_on_a_player(client):
    """E4, E21, E25, E30."""
    olga, event, _current = published(5)
    client.force_login(olga)
    act, page = url("act", event), url("console", event)
    game = Game.objects.exclude(second=None).select_related("first", "second").first()
    player, bye = game.first, Game.objects.get(second=None).first
    opened = client.get(page, {"player": player.number}).context["groups"][0]["rows"]
    (row,) = [row for row in opened if row["open"]]
    assert row["acts"] == {"drop", "no_show", "eject"}
    words = {"what": "player", "entry": player.number, "round": 1}
    no_reason = client.post(act, {**words, "do": "eject", "reason": " "})
    assert no_reason.status_code == 422
    assert "Give a reason of up to 1000 letters. Everyone can read it." in no_reason.content.decode()
    dropped = client.post(act, {**words, "do": "drop"}, follow=True)
    assert told(dropped) == [
        f"{player.name} dropped.", f"Table {game.table} waits for a result: enter a no-show or a concession.",
    ]  # fmt: skip
    assert client.get(page).context["to_settle"][0] == (game, player)
    for _ in range(2):
        client.post(act, {**words, "do": "no_show"})
    game.refresh_from_db()
    assert (game.how, game.winner, game.by, game.version) == ("no_show", game.second, player, 1)
    client.post(act, {**words, "do": "rejoin"})
    client.post(act, {**words, "do": "eject", "reason": "Third warning"})
    player.refresh_from_db()
    assert player.state == Entry.State.EJECTED
    with_bye = client.post(act, {"what": "player", "do": "no_show", "entry": bye.number, "round": 1})
    assert f"{bye.name} has no game in this round." in with_bye.content.decode()
    other = client.post(act, {"what": "player", "do": "no_show", "entry": game.second.number, "round": 1})
    assert "This game has a result. Correct it on its page." in other.content.decode()


@pytest.mark.django_db
def test_late_entries(client):
    """E21: by name, or a player who was registered and comes late."""
    olga, event, _current = published()
    absent = Entry.objects.create(event=event, number=50, name="Zoe", state=Entry.State.WAITING)
    client.force_login(olga)
    act = url("act", event)
    assert client.post(act, {"what": "late", "name": "New"}).status_code == 302
    taken = client.post(act, {"what": "late", "name": "new"})
    assert (taken.status_code, taken.context["late_form"]["name"].value()) == (422, "new")
    for _ in range(2):
        client.post(act, {"what": "player", "do": "enter_late", "entry": absent.number})
    missed = event.round_set.get().unpaired_losses.order_by("entry__name")
    assert list(missed.values_list("entry__name", "entry__state")) == [("New", "playing"), ("Zoe", "playing")]
    absent.refresh_from_db()
    assert absent.ticket is not None


@pytest.mark.django_db
def test_a_late_entry_is_offered_while_a_game_is_left(client):
    """E21: in a round to come, or against who has the bye of the last one until its clock starts."""
    olga, event, _last = published(5, rounds=1)
    waiting = Entry.objects.create(event=event, number=50, name="Zoe", state=Entry.State.WAITING)
    client.force_login(olga)

    def offered():
        console = client.get(url("console", event), {"player": waiting.number}).content.decode()
        assert ("Enter late" in console) == ("Add a late entry" in console)
        assert ("Enter late" in client.get(url("entry", event, waiting.number)).content.decode()) == (
            "Enter late" in console
        )
        return "Enter late" in console

    assert offered()
    clock.start_clock(actor=olga, event=event, now=NOON)
    assert not offered()
    Event.objects.update(rounds=2)
    assert offered()
    Round.objects.update(number=2)
    play(olga, event)
    assert not offered()
    answer = client.post(url("act", event), {"what": "late", "name": "Yan"}, follow=True)  # from an older page
    assert told(answer) == ["Yan has no game: no Swiss round is left."]
    assert [each.level_tag for each in answer.context["messages"]] == ["warning"]
    assert "Enter late" not in client.get(url("scan", event, waiting.check_in_code)).content.decode()
    Event.objects.update(cut=2)  # a late entry may replace a seed (E38)
    assert offered()
    assert "Enter late" in client.get(url("scan", event, waiting.check_in_code)).content.decode()
    late = {"what": "player", "do": "enter_late", "entry": waiting.number}
    answer = client.post(url("act", event), late, follow=True)
    assert told(answer) == ["Zoe plays only if a place in the bracket is left."]


@pytest.mark.django_db
def test_one_player_at_a_time_opens_by_htmx(client):
    olga, event, _current = published()
    client.force_login(olga)
    headers = {"HX-Request": "true", "HX-Target": "player-2"}
    opened = client.get(url("console", event), {"player": 2}, headers=headers)
    assert opened.templates[0].name == "tournaments/console/_player.html"
    assert ('aria-expanded="true"' in opened.content.decode(), opened.context["row"]["entry"].number) == (True, 2)
    closed = client.get(url("console", event), headers=headers)
    assert 'aria-expanded="false"' in closed.content.decode()
    gone = client.get(url("console", event), headers={**headers, "HX-Target": "player-99"})
    assert gone.status_code == 404
    found = client.get(url("console", event), {"q": "b"}, headers={**headers, "HX-Target": "player-list"})
    assert [row["entry"].name for group in found.context["groups"] for row in group["rows"]] == ["B"]


def test_searching_players():
    entries_ = [Entry(number=1, name="Ada Vale"), Entry(number=12, name="Ben")]
    assert [[entry.number for entry in matching(entries_, text)] for text in ("", "VALE", "12", "1", "x")] == [
        [1, 12], [1], [12], [1], [],
    ]  # fmt: skip


@pytest.mark.django_db
def test_the_clock_of_leaders_and_more_time(client):
    """E26: leaders see the end; a table's extension has a reason, and setting it twice counts once."""
    olga, event, current = published()
    assert console_clock(board_of(event), NOON)["face"].phase == "waiting"
    current = clock.start_clock(actor=olga, event=event, now=NOON)
    found = console_clock(board_of(event), NOON + timedelta(minutes=100, seconds=30))
    assert (found["face"].phase, found["is_secret"], found["minutes_left"]) == ("running", True, current.minutes - 100)
    last = console_clock(board_of(event), NOON + timedelta(minutes=current.minutes + 5))
    assert (last["face"].phase, last["is_secret"], last["minutes_left"]) == ("last", False, 10)
    client.force_login(olga)
    game = current.games.first()
    words = {"what": "time", "time-place": game.pk, "time-minutes": 7}
    assert client.post(url("act", event), words).status_code == 422
    for _ in range(2):
        client.post(url("act", event), {**words, "time-reason": "Judge call"})
    line = LogLine.objects.get(kind="clock")
    assert (line.reason, line.facts) == ("Judge call", {"round": 1, "table": game.table, "before": 0, "after": 7})
    board = board_of(event)
    (extended,) = console_clock(board, NOON + timedelta(minutes=100))["extended"]
    assert (extended["game"].pk, extended["minutes_left"]) == (game.pk, current.minutes - 93)
    set_to = partial(clock.set_extension, actor=olga, game=game, reason="x")
    assert refused(set_to, minutes=121) == "Enter 0 to 120 minutes. (E26)"
    Round.objects.update(state=Round.State.CLOSED)
    assert refused(set_to, minutes=3) == "This round is not under way. (E26)"


@pytest.mark.django_db
def test_checking_players_in(client):
    """E6, E25: taps, all, undo, absent; the start closes it."""
    olga = User.objects.create_user("olga")
    event = events.create_event(actor=olga, name="Winter", rule_set=RuleSet.GALACTIC_CONQUEST)
    a, b, c, d = (add_player(actor=olga, event=event, name=name) for name in "ABCD")
    client.force_login(olga)
    page = url("check_in", event)

    def tap(**data):
        assert client.post(page, data).url == page
        return "".join(state[0] for state in event.entries.order_by("number").values_list("state", flat=True))

    assert tap(check_in=a.number) == "crrr"
    assert tap(check_in=a.number) == "crrr"
    assert tap(all="1") == "cccc"
    assert tap(undo=b.number) == "crcc"
    assert tap(all_absent="1") == "cdcc"
    assert tap(undo=b.number) == "crcc"
    assert client.get(page).context["checked_in"] == 3
    assert "Start the event" not in client.get(page).content.decode()
    by_htmx = client.post(page, {"check_in": b.number}, headers={"HX-Request": "true"})
    assert (by_htmx.status_code, by_htmx.context["checked_in"]) == (200, 4)
    assert 'form="start"' in by_htmx.content.decode()
    assert list(LogLine.objects.filter(kind="entry").order_by("pk").values_list("facts", flat=True)) == [
        {"entry": b.number, "before": "registered", "after": "dropped"},
        {"entry": b.number, "before": "dropped", "after": "registered"},
    ]
    waiting = Entry.objects.create(event=event, number=8, name="W", state=Entry.State.WAITING)
    assert f'href="{url("entry", event, waiting.number)}"' in client.get(page).content.decode()
    events.start(actor=olga, event=event, reason="Lists are on paper.")
    Entry.objects.create(event=event, number=9, name="Late")
    late = event.entries.get(number=9)
    text = "The event has started. Use the console to drop players or to let them in. (E6)"
    assert refused(entries.mark_absent, actor=olga, event=event, entries=[late]) == text
    assert entries.undo_check_in(actor=olga, event=event, entries=[a, c, d]) == 0


@pytest.mark.django_db
def test_the_check_in_finds_a_player(client):
    """A search lists the players it names and counts everybody. Only a missing list of who has come is marked."""
    event = make_event(players=14, lists_required=True)
    Entry.objects.filter(name__in="AB").update(state=Entry.State.REGISTERED)
    client.force_login(organizer())
    page = url("check_in", event)
    found = client.get(page, {"q": "b"})
    assert [entry.name for entry, _gap in found.context["rows"]] == ["B"]
    assert (found.context["checked_in"], found.context["expected"], found.context["searchable"]) == (12, 14, True)
    assert "no army list" in found.content.decode()
    assert 'class="bad"' not in found.content.decode()
    assert 'class="bad"' in client.get(page, {"q": "c"}).content.decode()
    b = entry_of(event, "B")
    assert client.post(f"{page}?q=b", {"check_in": b.number}).url == f"{page}?q=b"
    b.refresh_from_db()
    assert b.state == Entry.State.CHECKED_IN
    assert "No player has this name or number." in client.get(page, {"q": "nobody"}).content.decode()


@pytest.mark.django_db
def test_the_code_of_a_player(client):
    """A GET changes nothing; the confirmation checks in. Other people do not get the page."""
    olga = User.objects.create_user("olga")
    event = events.create_event(actor=olga, name="Winter", rule_set=RuleSet.GALACTIC_CONQUEST)
    Event.objects.update(state=Event.State.OPEN)
    entry = add_player(actor=olga, event=event, name="Ada")
    page = url("scan", event, entry.check_in_code)
    assert client.post(page).status_code in (302, 404)
    client.force_login(olga)
    assert "Ada" in client.get(page).content.decode()
    entry.refresh_from_db()
    assert entry.state == Entry.State.REGISTERED
    for _ in range(2):
        assert client.post(page).url == url("check_in", event)
    entry.refresh_from_db()
    assert entry.state == Entry.State.CHECKED_IN
    for code in ("x" * 22, entry.token, f"{entry.check_in_code}0", f"2{entry.check_in_code[1:]}", "٢-x"):
        assert client.get(url("scan", event, code)).status_code == 404


@pytest.mark.django_db
def test_confirming_what_a_player_reported(client):
    """E28: only the result that the page showed."""
    olga, event, current = published()
    game = current.games.select_related("first", "second").first()
    Game.objects.filter(pk=game.pk).update(
        state=Game.State.REPORTED, reported_by=game.first, how="time", winner=game.first, first_points=620,
        second_points=410, first_tokens=7, second_tokens=4, version=1, mission="Recover the Supplies",
    )  # fmt: skip
    client.force_login(olga)
    page = url("result", event, 1, game.place)
    shown = client.get(page)
    assert shown.context["words"] == (
        f"{game.first} won (Time). {game.first} – {game.second}: points defeated 620–410, victory tokens 7–4."
    )
    assert client.post(page, {"do": "confirm", "version": 0}).status_code == 422
    for _ in range(2):
        assert client.post(page, {"do": "confirm", "version": 1}).url == url("console", event)
    game.refresh_from_db()
    assert (game.state, game.first_points, game.mission, game.version) == (
        Game.State.CONFIRMED, 620, "Recover the Supplies", 2,
    )  # fmt: skip


@pytest.mark.django_db
def test_a_result_that_cannot_be_comes_back_as_typed(client):
    """E27: the form says who has won; a form of an older result is refused."""
    olga, event, current = published()
    game = current.games.select_related("first", "second", "round__event").first()
    client.force_login(olga)
    page = url("result", event, 1, game.place)
    wrong = {**first_wins(game, Ending.TIME), "winner": game.second.key, "mission": "Breakthrough"}
    response = client.post(page, wrong)
    assert (response.status_code, response.context["form"]["mission"].value()) == (422, "Breakthrough")
    checked = client.post(page, {**wrong, "check": "1"})
    assert (checked.status_code, Game.objects.get(pk=game.pk).state) == (200, Game.State.OPEN)
    client.post(page, first_wins(game))
    stale = client.post(page, {**first_wins(game), "first_points": 900})
    assert stale.status_code == 422
    assert Game.objects.get(pk=game.pk).first_points == 500
    assert client.get(url("result", event, 1, 99)).status_code == 404


@pytest.mark.django_db
def test_a_correction_shows_what_it_changes_first(client):
    """E31: the standings before and after; saved with the second post."""
    olga, event, current = published(rounds=2)
    for game in current.games.select_related("first"):
        results.save_result(
            actor=olga, game=game, version=0,
            result=Result(how=Ending.VICTORY, winner=game.first.key, points=(500, 300), tokens=(5, 3)),
        )  # fmt: skip
    rounds.close_round(actor=olga, event=event)
    game = current.games.select_related("first", "second", "round__event").first()
    client.force_login(olga)
    page = url("result", event, 1, game.place)
    data = {**first_wins(game), "winner": game.second.key, "reason": "Misread slip"}
    preview = client.post(page, data)
    assert (preview.status_code, Game.objects.get(pk=game.pk).winner) == (200, game.first)
    changed = {each["entry"].pk: (each["before"].points, each["after"].points) for each in preview.context["changes"]}
    assert (changed[game.first.pk], changed[game.second.pk]) == ((3, 0), (0, 3))
    other = client.post(page, {**data, "first_points": 510, "shown": preview.context["token"]})
    assert other.status_code == 200
    for _ in range(2):
        saved = client.post(page, {**data, "shown": preview.context["token"]})
    assert saved.url == url("console", event)
    assert Game.objects.get(pk=game.pk).winner == game.second
    line = LogLine.objects.get(kind="corrected")
    assert line.reason == "Misread slip"


@pytest.mark.django_db
def test_a_correction_after_its_window_needs_a_reason(client):
    """E31, Tournament Regulations."""
    olga, event = build(4, rule_set="TR", army_size=800)
    for _ in range(3):
        drawn(olga, event)
        current = rounds.publish_round(actor=olga, event=event)
        for game in current.games.select_related("first"):
            won = Result(how=Ending.SIX_ROUNDS, winner=game.first.key, tokens=(5, 3), blue=game.first.key)
            results.save_result(actor=olga, game=game, result=won)
        rounds.close_round(actor=olga, event=event)
    event.refresh_from_db()
    game = event.round_set.get(number=1).games.select_related("first", "second", "round__event").first()
    client.force_login(olga)
    page = url("result", event, 1, game.place)
    assert client.get(page).context["needs_reason"]
    data = {
        **first_wins(game, Ending.SIX_ROUNDS), "winner": game.second.key, "first_tokens": 1, "blue": game.first.key,
    }  # fmt: skip
    token = client.post(page, data).context["token"]
    refusal = client.post(page, {**data, "shown": token})
    assert refusal.status_code == 422
    assert "An override needs a reason." in refusal.content.decode()
    assert client.post(page, {**data, "shown": token, "reason": "The slip was lost"}).status_code == 302
    assert not client.get(url("result", event, 3, 1)).context["needs_reason"]


@pytest.mark.django_db
def test_a_bracket_game_changes_no_standings():
    """E35."""
    olga, event = build(4, rounds=1, cut=2)
    drawn(olga, event)
    play(olga, event)
    final = bracket.make_cut(actor=olga, event=event)
    game = final.games.select_related("first", "second", "round__event").get()
    assert changed_standings(game, Result(how=Ending.VICTORY, winner=game.second.key)) == []


@pytest.mark.django_db
def test_a_drop_in_the_bracket_lets_the_event_go_on():
    """E38, E41: before a game is played the next one enters; afterwards the opponent has a bye."""
    olga, event = build(6, rounds=1, cut=4)
    drawn(olga, event)
    play(olga, event)
    bracket.make_cut(actor=olga, event=event)
    leaves = event.entries.filter(state=Entry.State.PLAYING).first()
    entries.drop(actor=olga, entry=leaves)
    drawn(olga, event)
    semifinals = rounds.publish_round(actor=olga, event=event)
    games = list(semifinals.games.select_related("first", "second"))
    assert leaves.pk not in {pk for game in games for pk in (game.first_id, game.second_id)}
    assert all(game.second for game in games)
    won = Result(how=Ending.VICTORY, winner=games[0].first.key)
    results.save_result(actor=olga, game=games[0], result=won)
    entries.drop(actor=olga, entry=games[1].first)
    assert due(event) == (Step.CLOSE, 2)
    rounds.close_round(actor=olga, event=event)
    final = drawn(olga, event).games.get()
    assert {final.first, final.second} == {games[0].first, games[1].second}


def test_results_in_words():
    one, other = Entry(pk=1, number=1, name="Ada"), Entry(pk=2, number=2, name="Ben")
    conquest = Event(rule_set=RuleSet.GALACTIC_CONQUEST)
    game = Game(first=one, second=other, round=Round(event=conquest), state=Game.State.CONFIRMED)
    assert result_sentence(game) == ""
    game.how, game.first_points = "draw", 3
    assert result_sentence(game) == "Draw (Draw, not played): points defeated 3–0, victory tokens 0–0."
    game.how, game.winner, game.by = "no_show", other, one
    counts = "Ben won (No-show). Ada – Ben: points defeated 0–900, victory tokens 0–0."
    assert result_sentence(game) == counts  # E30


@pytest.mark.django_db(transaction=True)
def test_two_leaders_enter_a_result_at_once():
    """E28: one is saved, the other is told."""
    olga, _event, current = published()
    game = current.games.select_related("first", "second", "round__event").first()
    save = partial(results.save_result, actor=olga, game=game, version=0)
    found = at_once(
        *(partial(save, result=Result(how=Ending.VICTORY, winner=each.key)) for each in (game.first, game.second))
    )
    assert sorted(str(each) for each in found) == [
        "Somebody entered a result of this game a moment ago. Compare it with yours. (E28)", str(game),
    ]  # fmt: skip


@pytest.mark.django_db
def test_a_leader_who_plays_does_not_decide_their_own_game():
    """E2: as long as another leader can. Without one the log shows it."""
    olga, event, current = published()
    game = current.games.select_related("first", "second", "round__event").first()
    Entry.objects.filter(pk=game.first.pk).update(user=olga)
    judge = Membership.objects.create(event=event, user=User.objects.create_user("judge"), role=Role.JUDGE)
    text = "You play in this game. Ask another leader to decide it. (E2)"
    won = Result(how=Ending.VICTORY, winner=game.first.key)
    assert refused(results.save_result, actor=olga, game=game, result=won, version=0) == text
    assert refused(results.no_show, actor=olga, entry=game.second, number=1) == text
    assert event.round_set.get().games.filter(state=Game.State.OPEN).count() == 2
    judge.delete()
    assert results.save_result(actor=olga, game=game, result=won, version=0)
    assert event.log.filter(kind="decided", actor=olga).count() == 1


@pytest.mark.django_db
def test_a_start_without_all_lists_needs_a_reason(client):
    """E8, E9: check-in and console name who has no accepted list, and the log has the override."""
    event = make_event(lists_required=True)
    a, b = entry_of(event, "A"), entry_of(event, "B")
    SubmittedList.objects.create(entry=a, number=1)
    SubmittedList.objects.create(entry=b, number=1, violations=[{"rule": "R1", "text": "x"}])
    client.force_login(organizer())
    for page in ("console", "check_in"):
        gaps = client.get(url(page, event)).context["gaps"]
        assert [(gap.entry.name, gap.is_missing) for gap in gaps] == [("B", False), ("C", True), ("D", True)]
    press = {"what": "step", "step": "start", "round": 0}
    refusal = "No accepted army list: B, C, D. Accept the lists, wait for them, or give a reason. E9"
    assert told(client.post(url("act", event), press, follow=True)) == [refusal]
    for _ in range(2):
        client.post(url("act", event), {**press, "reason": "They are on paper."})
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    assert list(event.log.filter(kind="override").order_by("pk").values_list("reason", "facts")) == [
        ("They are on paper.", {"rule": "E9", "entries": [3, 4]}),
        ("They are on paper.", {"rule": "E8", "entries": [2]}),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("step", "cut", "places"), [("smaller_cut", 2, [(0, 1)]), ("cut_with_byes", 4, [(0,), (1, 2)])]
)
def test_fewer_players_than_the_cut_takes(client, step, cut, places):
    """E38: the console offers a smaller cut, byes, or the end; a double tap and an old tab change nothing."""
    event = started(make_event(players=8, rounds=1, cut=8))
    played_round(event, "ABCDEFGH")
    for name in "BEFGH":
        entries.drop(actor=organizer(), entry=entry_of(event, name))
    text = "3 players are left for a cut to the top 8. Choose a smaller cut, or byes. (E38)"
    assert refused(bracket.make_cut, actor=organizer(), event=event) == text
    client.force_login(organizer())
    page = client.get(url("console", event)).content.decode()
    for label in ("Too few players for the cut", "Cut to the top 2", "All 3 play on, with byes", "Finish the event"):
        assert label in page
    post = partial(client.post, url("act", event), {"what": "step", "step": step, "round": 0})
    old_tab = partial(client.post, url("act", event), {"what": "step", "step": "finish", "round": 0})
    assert post().url == url("draft", event, 2)
    for again in (post, old_tab):
        assert told(again(follow=True)) == ["This was done already. Here is the next step."]
    event.refresh_from_db()
    active = {str(entry_of(event, name).number) for name in "ACD"}
    best = [int(key) for key in ranking(history_of(event).standings(), active)]
    games = event.round_set.get(number=2).games.order_by("place").values_list("first__number", "second__number")
    found = [tuple(filter(None, pair)) for pair in games]
    assert (event.cut, found) == (cut, [tuple(best[place] for place in game) for game in places])
    assert event.log.filter(kind="cut").get().facts["cut"] == [8, cut]
    event = finished(event)
    assert list(verification.differences(content_of(event))) == []


@pytest.mark.django_db
def test_a_place_in_the_bracket_is_declined_on_the_console(client):
    """E38: the next in the standings enters last; finishing the event asks once more."""
    event = started(make_event(players=4, rounds=1, cut=2))
    played_round(event, order="ABCD")
    current = published_round(event)
    client.force_login(organizer())
    first = games_of(current)[0].first
    opened = client.get(url("console", event), {"player": first.number}).context["groups"][0]["rows"]
    assert "decline" in next(row for row in opened if row["open"])["acts"]
    answer = client.post(url("act", event), {"what": "player", "do": "decline", "entry": first.number})
    assert answer.url == url("console", event)
    (game,) = games_of(event.round_set.get(stage="bracket"))
    assert first not in game.pair
    first.refresh_from_db()
    assert (first.state, first.replaceable) == (Entry.State.CUT, False)
    played_round(event)
    assert "You can undo it" in client.get(url("console", event)).content.decode()


@pytest.mark.django_db
class TestManyPlayers:
    @pytest.fixture
    def event(self):
        event = started(make_event(players=[f"Player {number:03}" for number in range(1, 91)]))
        published_round(event)
        return event

    @staticmethod
    def shown(client, event, **query):
        client.force_login(organizer())
        groups = client.get(url("console", event), query).context["groups"]
        return [row["entry"].number for group in groups for row in group["rows"]]

    def test_a_table_is_found_before_the_player_of_its_number(self, client, event):
        game = Game.objects.get(round__event=event, table=42)
        pair = sorted((game.first.number, game.second.number))
        assert self.shown(client, event, q="42") == [*pair, 42]

    def test_few_are_listed_until_somebody_searches_or_filters(self, client, event):
        assert self.shown(client, event) == list(range(1, 13))
        assert "78 more: search by name or table." in client.get(url("console", event)).content.decode()
        assert self.shown(client, event, player=80) == [*range(1, 13), 80]
        game = Game.objects.filter(round__event=event).first()
        Game.objects.filter(pk=game.pk).update(state=Game.State.DISPUTED)
        pair = sorted((game.first.number, game.second.number))
        assert self.shown(client, event, show="disputed") == pair
        assert (self.shown(client, event, show="out"), self.shown(client, event, show="in")) == ([], list(range(1, 13)))
        Event.objects.update(table_names=f"{game.table} Hall B")
        assert self.shown(client, event, show="Hall B") == pair

    def test_only_what_somebody_must_decide_has_a_row(self, client, event):
        game = Game.objects.filter(round__event=event).first()
        Game.objects.filter(pk=game.pk).update(state=Game.State.DISPUTED)
        client.force_login(organizer())
        context = client.get(url("console", event)).context
        assert [each.pk for each, _gone in context["to_settle"]] == [game.pk]
        assert [each.table for each in context["tables"]] == [each for each in range(1, 46) if each != game.table]


@pytest.mark.django_db
def test_the_row_of_a_player_says_who_has_the_bye(client):
    event = started(make_event(players=5))
    games = published_round(event).games
    client.force_login(organizer())
    shown = [
        (row["entry"].pk, row["line"]["table"])
        for group in client.get(url("console", event)).context["groups"]
        for row in group["rows"]
        if row["line"]["bye"]
    ]
    assert shown == [(games.get(second=None).first_id, 0)]


@pytest.mark.django_db
def test_a_poll_keeps_the_focus(client):
    """Whatever can have it has an id, so that HTMX finds it again."""
    event = started(make_event(players=30))
    olga, game = organizer(), published_round(event).games.first()
    Game.objects.filter(pk=game.pk).update(state=Game.State.DISPUTED)
    JudgeCall.objects.create(event=event, game=game, table=1, round_number=1)
    clock.start_clock(actor=olga, event=event, now=NOON)
    client.force_login(olga)
    part = client.get(url("console", event), headers={"HX-Request": "true", "HX-Target": "now"}).content.decode()
    tags = re.findall(r"<(?:a|button|summary|input(?! type=\"hidden\"))\b[^>]*>", part)
    assert len(tags) > 15
    assert [tag for tag in tags if " id=" not in tag] == []


@pytest.mark.django_db
def test_secret_times_are_hidden_until_a_leader_shows_them(client):
    """E26: others look over the shoulder. Each browser chooses for itself."""
    olga, event, _current = published()
    clock.start_clock(actor=olga, event=event, now=timezone.now())
    client.force_login(olga)
    act, page = url("act", event), url("console", event)
    seen = []
    for _ in range(2):
        seen.append(client.get(page).context["clock"]["face"].ends_at is None)
        client.post(act, {"what": "times"})
    assert (seen, client.get(page).context["clock"]["face"].ends_at) == ([True, False], None)


@pytest.mark.django_db
def test_more_time_is_asked_for_from_the_row_of_a_table(client):
    olga, event, current = published()
    client.force_login(olga)
    game = current.games.last()
    context = client.get(url("console", event), {"time": game.pk}).context
    assert (context["time_form"]["place"].value(), context["is_time"]) == (game.pk, True)


@pytest.mark.django_db
def test_the_console_says_who_has_not_sent_a_result(client):
    """E28. What waits on a phone without a connection cannot be seen."""
    event = started(make_event())
    reported, _open = games_of(published_round(event))
    first, second = reported.pair
    result = usual_result(reported, first_wins=True)
    results.report_result(actor=None, entry=second, game=reported, result=result, version=reported.version)
    client.force_login(organizer())
    shown = html_of(client.get(url("console", event)))
    assert f"entered by {second}, not confirmed by {first}" in shown
    assert shown.count("not reported by either player") == 1
    assert "where this page cannot see them" in shown


@pytest.mark.django_db
def test_results_are_corrected_once_there_are_some(client):
    """Not before the first one of round 1; above a draft the round before opens. For judges as for organizers."""
    olga, event, current = published()
    judge = User.objects.create_user("judith")
    Membership.objects.create(event=event, user=judge, role=Role.JUDGE)

    def links():
        for user in (olga, judge):
            client.force_login(user)
            page = html_of(client.get(url("console", event)))
            yield re.findall(
                r'<nav[^>]*aria-label="Undo and correct".*id="correct-result" href="(.*?)"', page, re.DOTALL
            )

    assert list(links()) == [[], []]
    one, other = games_of(current)
    results.save_result(actor=olga, game=one, result=usual_result(one, first_wins=True))
    assert list(links()) == [[url("pairings", event)]] * 2
    results.save_result(actor=olga, game=other, result=usual_result(other, first_wins=True))
    rounds.close_round(actor=olga, event=event)
    drawn(olga, event)
    assert list(links()) == [[url("round", event, 1)]] * 2


@pytest.mark.django_db
def test_a_button_that_has_moved_says_so(client):
    """An old page drew by another address."""
    olga, event = build(4)
    client.force_login(olga)
    step, number = due(event)
    answer = client.post(url("act", event), {"what": "step", "step": step, "round": number}, follow=True)
    assert (step, told(answer)) == (Step.DRAW, ["This page was out of date. Tap the button again."])

"""Nothing that players can read tells how long a round of Galactic Conquest still is (E26)."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from rules.core.violations import RuleViolation
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tournaments.models import Entry, Event, Game, Round
from tournaments.services import clock
from tournaments.services.clock import set_extension

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
TOKEN = re.compile(rb'"x-csrftoken": "[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"')
#: Each page in its forms, with polls as they come from pages of this and of other moments.
PAGES = [
    (("pairings",), ["", "?by=name", "?q=A", "?seen=2-published-3-0-0-0", "?seen=none"]),
    (("round", 2), [""]),
    (("standings",), ["", "?after=1"]),
    (("figures", 1), [""]),
    (("bracket",), [""]),
    (("projector",), ["", "?view=tables", "?view=standings", "?view=clock", "?view=bracket"]),
    (("clock",), ["", "?seen=2-running", "?seen=2-last", "?seen=2-running&table=1"]),
    (("log",), ["", "?kind=clock"]),
    *(((name,), [""]) for name in ("detail", "calendar", "feed")),
    *((("overlay", view), [""]) for view in ("table", "clock", "standings", "bracket")),
    (("record", 1), [""]),
    *((("print", sheet), [""]) for sheet in ("names", "tables", "slips", "standings", "bracket")),
]


@pytest.fixture
def at(monkeypatch):
    """Stop the clock of the site at some minutes after noon."""

    def stop(minutes):
        monkeypatch.setattr("django.utils.timezone.now", lambda: NOON + timedelta(minutes=minutes))

    stop(0)
    return stop


@pytest.fixture
def event():
    """Its second round is published and its clock was started at noon."""
    event = SmallEvent(GC, "ABCDE", rounds=3, cut=2)
    event.publish(("A", "B"), ("C", "D"), bye="E")
    event.result("A")
    event.result("C")
    event.close()
    event.publish(("A", "C"), ("B", "E"), bye="D")
    clock.start_clock(**event.both, now=NOON)
    return event


def answers(event, who):
    """Return all that somebody can read: status, headers and bodies."""
    found = {}
    for page, queries in PAGES:
        for query in queries:
            answer = who.get(event.page(*page) + query)
            headers = {name: value for name, value in answer.headers.items() if name not in ("X-Request-ID", "Expires")}
            found[page, query] = (answer.status_code, headers, TOKEN.sub(b"", answer.content))
    return found


def lasts(minutes):
    """Give the last round another length."""
    Round.objects.filter(number=2).update(minutes=minutes)


def as_semifinals(event, minutes):
    """Make semifinals of the last round, in an event with these minutes of a bracket round."""
    Event.objects.update(bracket_minutes=minutes)
    Game.objects.filter(round__number=2, second=None).delete()
    Round.objects.filter(number=2).update(stage=Round.Stage.BRACKET, started_at=None)
    event.event.refresh_from_db()


@pytest.mark.parametrize("who", ["stranger", "player"])
def test_two_lengths_look_the_same_byte_for_byte(event, at, who):
    at(149)
    client = event.client(player="A" if who == "player" else "")
    lasts(150)
    short = answers(event, client)
    lasts(155)
    assert answers(event, client) == short
    Game.objects.filter(table=1, round__number=2).update(extension=7)
    assert answers(event, client) == short
    assert {status for status, _headers, _body in short.values()} == {200, 204}
    assert b"data-poll" in short[("clock",), ""][2]


def test_the_bracket_has_the_hidden_clock_as_well(event, at):
    """E26: unless the event has another clock for its bracket."""
    as_semifinals(event, None)
    clock.start_clock(**event.both, now=NOON)
    at(149)
    client = event.client()
    lasts(150)
    short = answers(event, client)
    lasts(155)
    assert answers(event, client) == short


def test_a_visible_clock_of_the_bracket(event, at):
    """E26, option: 90 minutes that everybody sees, then the fifteen."""
    as_semifinals(event, 90)
    clock.start_clock(**event.both, now=NOON)
    client, page = event.client(), event.page("clock")
    shown = {}
    for minutes in (10, 90, 105):
        at(minutes)
        shown[minutes] = text_of(client.get(page).content, "<div", "</html>").partition(" ")[2]
    assert shown == {
        10: "13:30 Time is called at 13:30.",
        90: "Time! 13:45 Finish this game round. All games end at 13:45.",
        105: "Games over Stop playing and report your result.",
    }
    at(10)
    console = text_of(event.client(leader=True).get(event.page("console")).content)
    assert "Time at 13:30, in 80 min." in console
    assert "players must not know it" not in console


def test_a_bracket_without_a_clock(event):
    """E26, option."""
    as_semifinals(event, 0)
    with pytest.raises(RuleViolation, match="The bracket rounds of this event have no clock"):
        clock.start_clock(**event.both, now=NOON)
    assert b"hidden" in event.client().get(event.page("clock")).content
    console = text_of(event.client(leader=True).get(event.page("console")).content)
    assert "2 results are missing" in console
    assert "clock" not in console.lower()


def test_only_the_console_shows_a_leader_the_end(event, at):
    """The hall reads the projector, and the pairings on a leader's screen."""
    at(149)
    leader = event.client(leader=True)
    lasts(150)
    short = answers(event, leader)
    lasts(155)
    assert answers(event, leader) == short
    hidden = "The clock is running. Its end is hidden, because others may see this screen."
    assert hidden in text_of(leader.get(event.page("console")).content)
    leader.post(event.page("console") + "act/", {"what": "times"})
    console = text_of(leader.get(event.page("console")).content)
    assert "Time at 14:35, in 6 min. For leaders only: players must not know it." in console
    Entry.objects.filter(event=event.event, name="A").update(user=event.organizer)
    console = text_of(leader.get(event.page("console")).content)
    assert "The clock is running. You play in this event, so its end is hidden from you." in console
    assert "14:35" not in console


def test_the_minutes_of_an_extension_are_public_after_the_event(event):
    """The log says at once that a table has more time and why, but not how much."""
    game = Game.objects.select_related("round__event").get(table=1, round__number=2)
    set_extension(actor=event.organizer, game=game, minutes=7, reason="A long call")
    readers = {"player": event.client(player="B"), "leader": event.client(leader=True)}

    def line(reader):
        page = readers[reader].get(event.page("log"))
        return [each.text for each in page.context["lines"] if each.reason == "A long call"]

    secret, told = "Round 2, table 1: the extension was changed.", "Round 2, table 1: 7 more minutes."
    assert (line("player"), line("leader")) == ([secret], [told])
    Event.objects.update(state=Event.State.FINISHED)
    assert line("player") == [told]


def test_time_is_called_and_then_fifteen_minutes_are_shown(event, at):
    lasts(152)
    client, page = event.client(), event.page("clock")

    def clock(minutes):
        at(minutes)
        return text_of(client.get(page).content, "<div", "</html>")

    assert clock(151) == "Round 2 Running Play on until time is called."
    assert clock(152) == "Round 2 Time! 14:47 Finish this game round. All games end at 14:47."
    assert 'datetime="2026-11-28T14:47:00+00:00"' in client.get(page).content.decode()
    assert clock(167) == "Round 2 Games over Stop playing and report your result."


def test_a_waiting_phone_hears_of_time_at_its_next_poll(event, at):
    lasts(152)
    client = event.client(player="A")
    at(151)
    poll = client.get(event.page("pairings")).context["clock"]["poll"]
    assert client.get(poll).status_code == 204
    at(152)
    changed = client.get(poll)
    assert "Time!" in changed.content.decode()
    assert client.get(changed.context["poll"]).status_code == 204


def test_a_table_with_an_extension_hears_of_time_later(event, at):
    lasts(150)
    Game.objects.filter(table=1, round__number=2).update(extension=7)
    at(155)
    page, client = event.page("clock"), event.client()
    assert text_of(client.get(page).content, "<div", "</html>").startswith("Round 2 Time!")
    one = client.get(page, {"table": 1})
    assert text_of(one.content, "<div", "</html>").startswith("Round 2 Running")
    assert client.get(one.context["poll"]).status_code == 204
    assert client.get(page, {"table": "99999999"}).status_code == 200


def test_tournament_regulations_count_down_in_public(at):
    event = SmallEvent(TR, "ABCD", rounds=2)
    client, page = event.client(), event.page("clock")
    assert b"hidden" in client.get(page).content
    event.publish(("A", "B"), ("C", "D"))
    assert text_of(client.get(page).content, "<div", "</html>") == (
        "Round 1 Not started The organizer starts the clock."
    )
    clock.start_clock(**event.both, now=NOON)
    event.event.time_zone = "Europe/Berlin"
    event.event.save()
    at(30)
    text = text_of(client.get(event.page("pairings")).content)
    assert "Round 1 15:30 Time is called at 15:30." in text
    at(150)
    assert text_of(client.get(page).content, "<div", "</html>") == (
        "Round 1 Time! Finish this game round, then report your result. In the command phase, the game ends at once."
    )


@pytest.mark.parametrize(
    ("started", "shown"),
    [
        (datetime(2026, 10, 25, 0, 10, tzinfo=UTC), "03:40"),  # from 2:10 before 3 is 2
        (datetime(2027, 3, 28, 0, 30, tzinfo=UTC), "05:00"),  # from 1:30 before 2 is 3
    ],
)
def test_a_round_lasts_as_long_when_the_clocks_change(monkeypatch, started, shown):
    event = SmallEvent(TR, "AB", rounds=2)
    Event.objects.update(time_zone="Europe/Berlin")
    event.event.refresh_from_db()
    event.publish(("A", "B"))
    clock.start_clock(**event.both, now=started)
    client, page = event.client(), event.page("clock")
    monkeypatch.setattr("django.utils.timezone.now", lambda: started + timedelta(minutes=149, seconds=59))
    running = client.get(page).content
    assert f"Time is called at {shown}." in text_of(running, "<div", "</html>")
    end = re.search(r'datetime="([^"]+)"', running.decode())[1]
    assert datetime.fromisoformat(end) == started + timedelta(minutes=150)
    monkeypatch.setattr("django.utils.timezone.now", lambda: started + timedelta(minutes=150))
    assert "Time!" in text_of(client.get(page).content, "<div", "</html>")

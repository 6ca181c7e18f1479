"""The check-in of a later day of an event: who plays on checks in again (E6)."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from core.db.rows import update
from tests.html import html_of
from tests.tournaments.factories import (
    add_player,
    entry_of,
    games_of,
    make_event,
    make_leader,
    organizer,
    played_round,
    started,
)
from tournaments.models import Entry, Event
from tournaments.pages.console import not_back
from tournaments.queries.console import console_version
from tournaments.queries.schedule import later_day
from tournaments.services import entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """A running event that began yesterday, with a round today; D has dropped."""
    today = timezone.now()
    event = started(make_event(starts_at=today - timedelta(days=1), schedule=f"{today:%Y-%m-%d}\n10:00 Round 2"))
    played_round(event)
    update(entry_of(event, "D"), state=Entry.State.DROPPED)
    return event


def missing(event):
    return [each.name for each in not_back(event, event.entries.order_by("number"), timezone.now())]


def test_only_a_day_of_the_schedule_is_one(event):
    now = timezone.now()
    assert later_day(event, now) == now.date()
    assert later_day(event, now - timedelta(days=1)) is None
    assert later_day(event, now + timedelta(days=1)) is None
    event.state = Event.State.FINISHED
    assert later_day(event, now) is None


def test_who_plays_checks_in_again(event, client):
    """By taps, by the code that the player's page shows, or all at once; the console names who has not."""
    client.force_login(organizer())
    there, console = (f"/events/{event.pk}/{each}/" for each in ("check-in", "console"))
    assert "3 players have not checked in today." in html_of(client.get(console))
    client.post(there, {"check_in": "1"})
    phone, entry = Client(), entry_of(event, "B")
    phone.post(f"/events/me/{entry.token}/")
    assert "Check in again" in html_of(phone.get(f"/events/{event.pk}/me/"))
    client.post(f"{there}{entry.check_in_code}/")
    assert "Check in again" not in html_of(phone.get(f"/events/{event.pk}/me/"))
    assert missing(event) == ["C"]
    client.post(there, {"undo": "1"})
    assert missing(event) == ["A", "C"]
    client.post(there, {"all": "1"})
    assert missing(event) == []
    assert {each.state for each in event.entries.filter(checked_in_on=timezone.now().date())} == {"playing"}
    judge = Client()
    judge.force_login(make_leader(event))
    assert judge.post(there, {"undo": "1"}).status_code == 404


def test_who_lost_in_the_bracket_is_not_missing(event, client):
    """E41. They still play by their state, but nobody waits for them."""
    update(event, rounds=1, cut=2)
    update(entry_of(event, "D"), state=Entry.State.PLAYING)
    played_round(event)
    Entry.objects.update(state=Entry.State.PLAYING)
    (game,) = games_of(event.round_set.last())
    loser = game.opponent_of(game.winner)
    expected = [name for name in "ABCD" if name != loser.name]
    assert missing(event) == expected
    client.force_login(organizer())
    there = f"/events/{event.pk}/check-in/"
    assert client.get(there).context["expected"] == 3
    assert "3 players are checked in." in html_of(client.post(there, {"all": "1"}, follow=True))
    assert missing(event) == []


def test_who_comes_on_a_later_day_is_there(event):
    """E21, E25."""
    entries.rejoin(actor=organizer(), entry=entry_of(event, "D"))
    add_player(actor=organizer(), event=event, name="E")
    assert missing(event) == ["A", "B", "C"]


def test_a_second_tap_says_the_same(event, client):
    client.force_login(organizer())
    for _twice in range(2):
        scanned = f"/events/{event.pk}/check-in/{entry_of(event, 'B').check_in_code}/"
        page = client.post(scanned, follow=True)
        assert [str(each) for each in page.context["messages"]] == ["B is checked in."]


def test_pages_left_open_overnight_see_the_day(event, client):
    update(event, schedule="")
    phone = Client()
    phone.post(f"/events/me/{entry_of(event, 'B').token}/")
    tag = phone.get(f"/events/{event.pk}/me/")["ETag"]
    now = timezone.now()
    versions = [console_version(event, now)]
    update(event, schedule=f"{now:%Y-%m-%d}\n10:00 Round 2")
    news = phone.get(f"/events/{event.pk}/me/", headers={"X-Poll": "true", "If-None-Match": tag})
    assert "Check in again" in html_of(news)
    versions.append(console_version(event, now))
    event.entries.update(checked_in_on=now.date() - timedelta(days=1))
    versions.append(console_version(event, now))
    entries.check_in(actor=organizer(), event=event, entries=[entry_of(event, "B")])
    versions.append(console_version(event, now))
    assert [each == other for each, other in pairwise(versions)] == [False, True, False]

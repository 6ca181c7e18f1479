"""The check-in of a later day of an event: who plays on checks in again (E6)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from core.db.rows import update
from tests.html import html_of
from tests.tournaments.factories import entry_of, make_event, make_leader, organizer, played_round, started
from tournaments.models import Entry, Event
from tournaments.pages.console import not_back
from tournaments.queries.schedule import later_day

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

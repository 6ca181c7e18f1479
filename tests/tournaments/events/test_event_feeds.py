"""Events in calendar programs: what the public, a player and an organizer read."""

import datetime

import pytest
from django.urls import reverse
from icalendar import Calendar

from accounts.models import User
from campaign.calendar.services import make_address
from tests.tournaments.display.events import GC, SmallEvent
from tournaments.models import Entry, Event, Round
from tournaments.services import clock
from tournaments.services.events import cancel_event

pytestmark = pytest.mark.django_db
UTC = datetime.UTC
START = datetime.datetime(2026, 12, 5, 9, tzinfo=UTC)


@pytest.fixture
def event():
    """Ada and Ben play in the first round; the second is a draft."""
    small = SmallEvent(GC, ["Ada", "Ben", "Cem", "Dee", "Eva"], rounds=4)
    deadline = START - datetime.timedelta(days=1)
    dates = {"starts_at": START, "registration_deadline": deadline, "time_zone": "Europe/Berlin", "place": "Cantina"}
    Event.objects.filter(pk=small.event.pk).update(**dates)
    small.event.refresh_from_db()
    for name in ("Ada", "Ben", "Cem"):
        small.event.entries.filter(name=name).update(user=User.objects.create_user(name.lower()))
    small.publish(("Ada", "Ben"), ("Dee", "Eva"), bye="Cem")
    return small


def summaries(client, address):
    found = Calendar.from_ical(client.get(address).content).walk("VEVENT")
    return [str(each["SUMMARY"]) for each in found]


def own(name):
    return reverse("dashboard:events_feed", args=[make_address(actor=User.objects.get(username=name)).token])


def test_what_the_public_reads(client, event):
    answer = client.get(event.page("calendar"))
    start, first = Calendar.from_ical(answer.content).walk("VEVENT")
    assert (start["SUMMARY"], start["DTSTART"].dt, start["DURATION"].dt, start["LOCATION"]) == (
        "Winter Conquest", START, datetime.timedelta(hours=12), "Cantina",
    )  # fmt: skip
    assert (first["SUMMARY"], first["DURATION"].dt) == ("Round 1: Winter Conquest", datetime.timedelta(minutes=150))
    assert b"Ada" not in answer.content
    assert client.get(event.page("calendar"), headers={"if-none-match": answer.headers["ETag"]}).status_code == 304


def test_until_when_one_registers(client, event):
    Event.objects.update(state=Event.State.OPEN)
    [_start, deadline] = Calendar.from_ical(client.get(event.page("calendar")).content).walk("VEVENT")[:2]
    assert (deadline["SUMMARY"], deadline["DTSTART"].dt, "DURATION" in deadline) == (
        "Registration ends: Winter Conquest", START - datetime.timedelta(days=1), False,
    )  # fmt: skip
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(event.page("calendar")).status_code == 404


def test_what_players_and_organizers_read(client, event, django_assert_num_queries):
    event.draft(("Ada", "Cem"))
    assert summaries(client, own("ada")) == ["Winter Conquest", "Round 1: table 1 against Ben"]
    assert summaries(client, own("ben")) == ["Winter Conquest", "Round 1: table 1 against Ada"]
    assert summaries(client, own("cem")) == ["Winter Conquest", "Round 1: bye"]
    Event.objects.update(state=Event.State.DRAFT)
    read = ["Winter Conquest", "Registration ends: Winter Conquest", "Round 1: Winter Conquest"]
    assert (summaries(client, own("olga")), summaries(client, own("ada"))) == (read, [])
    Event.objects.update(state=Event.State.RUNNING)
    Entry.objects.filter(name="Ada").update(state=Entry.State.EJECTED)
    address = own("ada")
    assert summaries(client, address) == []
    assert client.get(reverse("dashboard:events_feed", args=["x" * 22])).status_code == 404
    Entry.objects.update(state=Entry.State.PLAYING)
    with django_assert_num_queries(5):
        client.get(address)


def test_no_feed_tells_of_the_clock(client, event):
    """E26: started or not, and however long the dice have made it, the file is the same."""
    before = client.get(own("ada")).content, client.get(event.page("calendar")).content
    clock.start_clock(**event.both, now=START)
    Round.objects.update(minutes=155)
    assert (client.get(own("ada")).content, client.get(event.page("calendar")).content) == before


def test_a_canceled_event_says_so(client, event):
    cancel_event(**event.both, reason="Snow")
    found = Calendar.from_ical(client.get(own("ada")).content).walk("VEVENT")
    assert {str(each["STATUS"]) for each in found} == {"CANCELLED"}
    assert found[0]["SEQUENCE"] == 2

"""The schedule of an event by the clock of the place, its price, and where they stand."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.tournaments.display.events import text_of
from tests.tournaments.factories import make_event, organizer, published_round, started
from tournaments.models import Event
from tournaments.queries.calendar import public_appointments
from tournaments.queries.schedule import schedule_of
from tournaments.services import events

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")
TYPED = "9:30 Check-in\n\n10.00 Round 1\n2026-11-29\n10:00 Top 8\n2026-11-30 08:00 Final"


@pytest.fixture
def event():
    """An event in Berlin, whose first day is a Saturday."""
    start = datetime(2026, 11, 28, 9, tzinfo=UTC)
    return make_event(players=2, starts_at=start, time_zone="Europe/Berlin", lists_required=True)


def change(event, **changes):
    return events.change_settings(actor=organizer(), event=event, changes=changes)


def test_lines_are_times_of_the_place_from_day_to_day(event):
    found = schedule_of(change(event, schedule=TYPED))
    assert [(each.at, each.what) for each in found] == [
        (datetime(2026, 11, 28, 9, 30, tzinfo=BERLIN), "Check-in"),
        (datetime(2026, 11, 28, 10, tzinfo=BERLIN), "Round 1"),
        (datetime(2026, 11, 29, 10, tzinfo=BERLIN), "Top 8"),
        (datetime(2026, 11, 30, 8, tzinfo=BERLIN), "Final"),
    ]


@pytest.mark.parametrize("line", ["Round 1", "25:00 Round 1", "10:00", "2026-13-01 10:00 Round 1", "2026-02-30"])
def test_a_line_without_a_time_is_refused(event, line):
    with pytest.raises(RuleViolation, match="line 2 has no time"):
        change(event, schedule=f"09:00 Check-in\n{line}")


@pytest.mark.parametrize("link", ["javascript:alert(1)", "pay.example"])
def test_a_link_to_pay_is_an_address(event, link):
    with pytest.raises(RuleViolation, match="https://"):
        change(event, payment_link=link)


def test_it_stands_on_the_page_the_projector_and_in_the_calendar(event):
    change(event, schedule=TYPED, price="15 €", payment_link="https://pay.example/x")
    client, address = Client(), event.get_absolute_url()
    shown = html_of(client.get(address))
    assert all(each in shown for each in ("15 €", 'href="https://pay.example/x"'))
    assert "15 €" in html_of(client.get(f"{address}register/"))
    client.post(f"/events/me/{event.entries.first().token}/")
    for page in ("", "projector/", "me/"):  # by the clock of the place, which is an hour ahead of this site's
        words = text_of(client.get(address + page).content)
        assert "9:30 Check-in 10:00 Round 1 29 November 2026 10:00 Top 8 30 November 2026 08:00 Final" in words
    assert "The event starts on 28 November 2026, 10:00 (Europe/Berlin)." in words
    dates = [(each.title, each.starts_at) for each in public_appointments(Event.objects.get())]
    assert (f"Final: {event.name}", datetime(2026, 11, 30, 8, tzinfo=BERLIN)) in dates


def test_an_announcement_stands_wherever_people_look():
    """Open phones and the projector hear of it; a stream does not show it."""
    event = published_round(started(make_event("TR", players=4))).event
    client, address = Client(), event.get_absolute_url()
    client.post(f"/events/me/{event.entries.first().token}/")
    phone = {"X-Poll": "true", "If-None-Match": client.get(f"{address}me/")["ETag"]}
    screen = address + "projector/?" + client.get(f"{address}projector/").context["poll"].partition("?")[2]
    asked = [(f"{address}me/", phone), (screen, {})]
    assert [client.get(page, headers=headers).status_code for page, headers in asked] == [304, 204]
    change(event, announcement="Lunch until <13:00>.")
    for page, headers in [(address, {}), (f"{address}projector/", {}), *asked]:
        assert "Lunch until &lt;13:00&gt;." in html_of(client.get(page, headers=headers))
    stream = f"{address}overlay/table/?table=1"
    polled = f"{address}overlay/table/?" + client.get(stream).context["poll"].partition("?")[2]
    change(event, announcement="Lunch until 14:00.")
    for answer in (client.get(stream), client.get(polled)):
        assert (answer.status_code, "Lunch" in html_of(answer)) == (200, False)


def test_the_projector_shows_the_schedule_at_any_time(event):
    client, page = Client(), event.get_absolute_url() + "projector/"
    first = client.get(page)
    assert "?view=schedule" not in html_of(first)
    change(event, schedule=TYPED)
    assert client.get(page + "?" + first.context["poll"].partition("?")[2]).status_code == 200
    assert "?view=schedule" in html_of(client.get(page))
    assert "Schedule by the clock of the place 28 November 2026 09:30 Check-in" in text_of(
        client.get(f"{page}?view=schedule").content
    )


def test_who_has_paid_is_not_asked_to_pay(event):
    change(event, price="15 €")
    client = Client()
    client.post(f"/events/me/{event.entries.first().token}/")
    page = f"{event.get_absolute_url()}me/"
    assert "15 €" in html_of(client.get(page))
    event.entries.update(paid=True)
    assert "15 €" not in html_of(client.get(page))

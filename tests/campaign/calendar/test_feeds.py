"""Calendar feeds: what a calendar program reads, and who may read it."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from icalendar import Calendar, Event

from campaign.battles.models import Battle
from campaign.battles.services import planning
from campaign.calendar.entries import CalendarEntry
from campaign.calendar.models import CalendarAddress
from campaign.calendar.services import make_address
from campaign.chronicle.services import stories
from campaign.schedule.models import Round
from core.ics import ics_of
from members.services import membership
from tests.campaign.factories import Table, planned

UTC = datetime.UTC
DAY, SEVEN = datetime.date(2026, 11, 26), datetime.time(19)
NASTY = "Hall B; 2nd floor, back\\door\nring “Aurek” " + "ä" * 90


@pytest.fixture
def battle(table) -> Battle:
    return planned(table, date=DAY, time=SEVEN, time_zone="Europe/Berlin", place="Hall B", arrangements=NASTY)


def read(content: bytes) -> tuple[Calendar, list[Event]]:
    calendar = Calendar.from_ical(content)
    return calendar, list(calendar.walk("VEVENT"))


def own_feed(user: object) -> str:
    return reverse("calendar:personal_feed", args=[make_address(actor=user).token])


class TestTheFile:
    def test_it_reads_back_the_same(self, client, table, battle, settings):
        settings.SITE_URL = "https://musterbook.example"
        answer = client.get(own_feed(table.ada))
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        calendar, [event] = read(answer.content)
        assert event["UID"] == f"battle-{battle.pk}@musterbook"
        assert event["SUMMARY"] == "Ashen Patrol against Dune Wardens"
        assert event["LOCATION"] == "Hall B"
        assert event["DESCRIPTION"] == f"Battle 1 of Outer Rim Winter\n600 points\n{NASTY}"
        assert event["URL"] == f"https://musterbook.example/battles/{battle.pk}/"
        assert (event["STATUS"], event["SEQUENCE"]) == ("CONFIRMED", 0)
        assert event["DTSTART"].dt == datetime.datetime(2026, 11, 26, 18, tzinfo=UTC)
        assert (event["DURATION"].dt, "DTEND" in event) == (datetime.timedelta(hours=3), False)
        assert b"\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in client.get(own_feed(table.ada)).content
        assert calendar["X-WR-CALNAME"] == "Musterbook: ada"

    def test_lines_are_folded_and_end_as_they_should(self, client, table, battle):
        content = client.get(own_feed(table.ada)).content
        assert content.endswith(b"\r\n")
        assert b"\n" not in content.replace(b"\r\n", b"")
        assert max(map(len, content.split(b"\r\n"))) <= 75
        content.decode()  # no letter is cut in two

    def test_without_a_time_it_takes_the_day(self, client, table):
        planned(table, date=DAY)
        _calendar, [event] = read(client.get(own_feed(table.ada)).content)
        assert (event["DTSTART"].dt, event["DTEND"].dt) == (DAY, DAY + datetime.timedelta(days=1))

    @pytest.mark.parametrize(
        "start",
        [
            "2026-03-28T23:00",
            "2026-03-29T02:30",  # clocks skip it
            "2026-03-29T03:30",
            "2026-10-24T23:30",  # ends at 02:30, which clocks show twice
            "2026-10-25T02:30",
            "2026-11-26T19:00",
        ],
    )
    def test_it_begins_in_utc(self, table, start):
        """Programs disagree on what a duration adds up to on the wall: all of them read UTC alike."""
        starts = datetime.datetime.fromisoformat(start).replace(tzinfo=ZoneInfo("Europe/Berlin"))
        _calendar, [event] = read(ics_of("x", [_entry(table, "n", starts)], ""))
        assert (event["DTSTART"].dt, event["DTSTART"].dt.tzinfo) == (starts.astimezone(UTC), ZoneInfo("UTC"))

    def test_changes_and_canceling_raise_the_sequence(self, client, table, battle):
        planning.replan(actor=table.ada, battle_id=battle.pk, version=0, size=600, date=DAY, time=datetime.time(18))
        _calendar, [event] = read(client.get(own_feed(table.ada)).content)
        assert (event["SEQUENCE"], event["DTSTART"].dt.hour, event["STATUS"]) == (1, 18, "CONFIRMED")
        planning.cancel(actor=table.ada, battle_id=battle.pk)
        _calendar, [event] = read(client.get(own_feed(table.ada)).content)
        assert (event["SEQUENCE"], event["STATUS"]) == (2, "CANCELLED")

    def test_what_has_not_changed_is_not_sent_again(self, client, table, battle):
        tag = client.get(own_feed(table.ada)).headers["ETag"]
        assert client.get(own_feed(table.ada), headers={"if-none-match": tag}).status_code == 304


class TestWhoReadsIt:
    def test_a_person_has_their_own_battles(self, client, table, battle):
        _calendar, events = read(client.get(own_feed(table.mia)).content)
        assert events == []

    def test_a_member_has_all_of_the_campaign_until_they_leave(self, client, table, battle):
        feed = reverse("calendar:campaign_feed", args=[make_address(actor=table.mia).token, table.campaign.pk])
        assert len(read(client.get(feed).content)[1]) == 1
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.mia)
        assert client.get(feed).status_code == 404

    def test_nobody_with_an_old_address(self, client, table, battle):
        old, token = own_feed(table.ada), make_address(actor=table.ada).token
        client.force_login(table.ada)
        for _ in range(2):  # a form sent twice renews it once
            client.post(reverse("calendar:address"), {"token": token})
        new = CalendarAddress.objects.get(user=table.ada).token
        assert (new != token, client.get(old).status_code, client.get(own_feed(table.ada)).status_code) == (
            True, 404, 200,
        )  # fmt: skip

    def test_the_public_learns_no_places_and_notes(self, client, table, battle):
        link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
        answer = client.get(reverse("calendar:public_feed", args=[link.token]))
        _calendar, [event] = read(answer.content)
        assert event["SUMMARY"] == "Ashen Patrol against Dune Wardens"
        assert not {"LOCATION", "URL"} & set(event)
        assert b"Hall" not in answer.content
        stories.close_chronicle(actor=table.cora, campaign=table.campaign)
        assert client.get(reverse("calendar:public_feed", args=[link.token])).status_code == 404


def test_rounds_that_are_due(client, table, battle):
    Round.objects.create(campaign=table.campaign, number=2, due=DAY, size=600, state=Round.State.CREATED)
    Round.objects.create(campaign=table.campaign, number=3, due=DAY, size=600)
    _calendar, events = read(client.get(own_feed(table.ada)).content)
    assert [str(each["SUMMARY"]) for each in events] == ["Ashen Patrol against Dune Wardens", "Round 2 is due"]


def _entry(table: Table, key: str, starts_at: datetime.datetime | None) -> CalendarEntry:
    return CalendarEntry(
        key=key, title="Round", campaign=table.campaign, day=starts_at.date() if starts_at else DAY,
        starts_at=starts_at, changed_at=datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), url="/",
    )  # fmt: skip

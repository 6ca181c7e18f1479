"""A calendar as a file for calendar programs (RFC 5545)."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event, Timezone

from campaign.calendar.entries import CalendarEntry

#: How long a battle takes, as far as a calendar is concerned.
LENGTH = datetime.timedelta(hours=3)
#: How often calendar programs should read the feed.
REFRESH = datetime.timedelta(hours=1)
DOMAIN = "musterbook"


def ics_of(name: str, entries: Iterable[CalendarEntry], site: str) -> bytes:
    """Return the entries as an iCalendar file. `site` is the address of the site, for links."""
    listed = list(entries)
    calendar = Calendar()
    for key, value in (
        ("prodid", "-//Musterbook//Calendar//EN"),
        ("version", "2.0"),
        ("calscale", "GREGORIAN"),
        ("method", "PUBLISH"),
        ("x-wr-calname", name),
        ("x-published-ttl", "PT1H"),
    ):
        calendar.add(key, value)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for zone in _zones(listed):
        calendar.add_component(zone)
    for entry in listed:
        calendar.add_component(_event(entry, site))
    return calendar.to_ical()


def _event(entry: CalendarEntry, site: str) -> Event:
    event = Event()
    event.add("uid", f"{entry.key}@{DOMAIN}")
    event.add("dtstamp", entry.changed_at.astimezone(datetime.UTC))
    event.add("sequence", entry.version)
    event.add("summary", entry.title)
    if entry.starts_at:
        end = (entry.starts_at.astimezone(datetime.UTC) + LENGTH).astimezone(entry.starts_at.tzinfo)
        event.add("dtstart", entry.starts_at)
        event.add("dtend", end)
    else:
        event.add("dtstart", entry.day)
        event.add("dtend", (entry.last_day or entry.day) + datetime.timedelta(days=1))
        event.add("transp", "TRANSPARENT")  # a day without a time does not make the day busy
    if entry.place:
        event.add("location", entry.place)
    if entry.text:
        event.add("description", entry.text)
    if entry.url:
        event.add("url", f"{site}{entry.url}")
    event.add("status", "CANCELLED" if entry.canceled else "CONFIRMED")
    return event


def _zones(entries: Iterable[CalendarEntry]) -> Iterator[Timezone]:
    """Yield the rules of each time zone in use, for the years of its entries."""
    years = defaultdict[str, set[int]](set)
    for entry in entries:
        zone = entry.starts_at.tzinfo if entry.starts_at else None
        if isinstance(zone, ZoneInfo) and zone.key != "UTC" and entry.starts_at:
            years[zone.key].add(entry.starts_at.year)
    for name, used in sorted(years.items()):
        yield _zone(name, min(used), max(used))


@lru_cache(maxsize=64)
def _zone(name: str, first: int, last: int) -> Timezone:
    begin, end = datetime.date(first - 1, 1, 1), datetime.date(last + 1, 12, 31)
    return Timezone.from_tzinfo(ZoneInfo(name), name, begin, end)

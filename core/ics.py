"""A calendar as a file for calendar programs (RFC 5545)."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

if TYPE_CHECKING:
    from icalendar import Event, Timezone

#: How often calendar programs should read the feed.
REFRESH = datetime.timedelta(hours=1)
DOMAIN = "musterbook"
#: How near a change of clocks is too near for local times.
NEAR = datetime.timedelta(hours=3)
DAY, MINUTE = datetime.timedelta(days=1), datetime.timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """One thing in a calendar.

    `key` is unique on the site and never changes ("battle-…"). `day` is its date; `starts_at` its beginning, aware, if
    it has a time; `length` how long it takes from then; `last_day` the last day of one that takes several. `text` is
    for a calendar program; `url` is an address of this site, from the root. `version` grows with each change.
    """

    key: str
    title: str
    day: datetime.date
    changed_at: datetime.datetime
    starts_at: datetime.datetime | None = None
    length: datetime.timedelta = datetime.timedelta(hours=3)
    last_day: datetime.date | None = None
    place: str = ""
    text: str = ""
    url: str = ""
    canceled: bool = False
    version: int = 0


def feed(request: HttpRequest, name: str, entries: Iterable[Appointment]) -> HttpResponse:
    """Return a calendar for a calendar program, or that it has not changed since the program read it."""
    content = ics_of(name, entries, settings.SITE_URL)
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag=tag, response=response) or response


def ics_of(name: str, entries: Iterable[Appointment], site: str) -> bytes:
    """Return the entries as an iCalendar file. `site` is the address of the site, for links."""
    from icalendar import Calendar  # lazy: rare

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
    # By `icalendar`'s own attribute it has no type, and programs do not read it as a duration.
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for zone in _zones(listed):
        calendar.add_component(zone)
    for entry in listed:
        calendar.add_component(_event(entry, site))
    content: bytes = calendar.to_ical()
    return content


def _event(entry: Appointment, site: str) -> Event:
    from icalendar import Event  # lazy: rare

    event = Event()
    event.add("uid", f"{entry.key}@{DOMAIN}")
    event.add("dtstamp", entry.changed_at.astimezone(datetime.UTC))
    event.add("sequence", entry.version)
    event.add("summary", entry.title)
    if entry.starts_at:
        event.add("dtstart", entry.starts_at if _is_steady(entry) else entry.starts_at.astimezone(datetime.UTC))
        if entry.length:
            event.add("duration", entry.length)
        else:
            event.add("transp", "TRANSPARENT")
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


def _is_steady(entry: Appointment) -> bool:
    """Return whether clocks do not change while it lasts, nor shortly before and after, where they skip or repeat
    hours. If they do, programs disagree on what a duration adds up to on the wall, and on which hour is meant: all of
    them read a start in UTC alike.
    """
    if not entry.starts_at:
        return False
    start, zone = entry.starts_at.astimezone(datetime.UTC), entry.starts_at.tzinfo
    around = (start - NEAR, start, start + entry.length + NEAR)
    return len({moment.astimezone(zone).utcoffset() for moment in around}) == 1


def _zones(entries: Iterable[Appointment]) -> Iterator[Timezone]:
    """Yield the rules of each time zone in use, for the years of its entries."""
    years = defaultdict[str, set[int]](set)
    for entry in entries:
        zone = entry.starts_at.tzinfo if entry.starts_at and _is_steady(entry) else None
        if isinstance(zone, ZoneInfo) and zone.key != "UTC" and entry.starts_at:
            years[zone.key].add(entry.starts_at.year)
    for name, used in sorted(years.items()):
        yield _zone(name, min(used), max(used))


@lru_cache(maxsize=64)
def _zone(name: str, first: int, last: int) -> Timezone:
    """Return the rules of a time zone for these years: what its clocks show, and each change of them. `icalendar` can
    do this too, but has summer time begin an hour late.
    """
    from icalendar import Timezone  # lazy: rare

    zone, rules = ZoneInfo(name), Timezone()
    rules.add("tzid", name)
    moment, end = (datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (first, last + 1))
    moment -= DAY
    _add_observance(rules, moment.astimezone(zone), _offset(moment, zone))
    while moment <= end:
        if _offset(moment, zone) != _offset(moment + DAY, zone):
            change = _change(moment, moment + DAY, zone)
            _add_observance(rules, change.astimezone(zone), _offset(change - MINUTE, zone))
        moment += DAY
    return rules


def _offset(moment: datetime.datetime, zone: ZoneInfo) -> datetime.timedelta:
    return moment.astimezone(zone).utcoffset() or datetime.timedelta()


def _change(before: datetime.datetime, after: datetime.datetime, zone: ZoneInfo) -> datetime.datetime:
    """Return the first minute between two moments at which the offset of the second one holds."""
    wanted = _offset(after, zone)
    while after - before > MINUTE:
        middle = before + (after - before) // MINUTE // 2 * MINUTE
        before, after = (before, middle) if _offset(middle, zone) == wanted else (middle, after)
    return after


def _add_observance(rules: Timezone, local: datetime.datetime, before: datetime.timedelta) -> None:
    """Add what clocks show from a local time on; `before` is the offset until then. By the standard it begins at the
    time that clocks would show without the change.
    """
    from icalendar import TimezoneDaylight, TimezoneStandard  # lazy: rare

    offset = local.utcoffset() or datetime.timedelta()
    part = TimezoneDaylight() if local.dst() else TimezoneStandard()
    part.add("dtstart", local.replace(tzinfo=None, fold=0) - offset + before)
    part.add("tzoffsetfrom", before)
    part.add("tzoffsetto", offset)
    part.add("tzname", local.tzname())
    rules.add_component(part)

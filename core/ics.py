"""A calendar as a file for calendar programs (RFC 5545)."""

import datetime
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from rules.core.values import KeywordValue

#: How often calendar programs should read the feed.
REFRESH = datetime.timedelta(hours=1)
DOMAIN = "musterbook"


class Appointment(KeywordValue):
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
    for entry in entries:
        calendar.add_component(_event(entry, site))
    content: bytes = calendar.to_ical()
    return content


def _event(entry: Appointment, site: str) -> Any:
    from icalendar import Event  # lazy: rare

    event = Event()
    event.add("uid", f"{entry.key}@{DOMAIN}")
    event.add("dtstamp", entry.changed_at.astimezone(datetime.UTC))
    event.add("sequence", entry.version)
    event.add("summary", entry.title)
    if entry.starts_at:
        # Programs disagree on what a duration in local time adds up to where clocks change: all of them read UTC alike.
        event.add("dtstart", entry.starts_at.astimezone(datetime.UTC))
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

"""The schedule of an event: what happens when, as the organizer typed it, by the clock of the place."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime

from core.moments import FIRST_YEAR, LAST_YEAR
from core.time_zones import zone_of
from rules.core.values import Value
from tournaments.models import Event

#: A day, a time with what happens then, or both: "2026-11-29", "10:00 Round 1".
LINE = re.compile(r"(?P<day>\d{4}-\d\d-\d\d)?\s*(?:(?P<hour>\d{1,2})[:.](?P<minute>\d\d)\s+(?P<what>\S.*))?\Z")


class Item(Value):
    """Something that happens at a moment, which has the time zone of the event."""

    at: datetime
    what: str


def schedule_of(event: Event) -> list[Item]:
    """Return what happens, in the order in which it was typed, from lines that can be read."""
    return [item for _number, item in _lines(event) if item]


def later_day(event: Event, at: datetime) -> date | None:
    """Return the day of a moment by the clock of the place, if an event runs that began on an earlier day and its
    schedule has this one: its players check in again. Otherwise None.
    """
    if event.state != Event.State.RUNNING or event.starts_at is None:
        return None
    first, today = (each.astimezone(zone_of(event.time_zone)).date() for each in (event.starts_at, at))
    return today if today > first and any(each.at.date() == today for each in schedule_of(event)) else None


def wrong_schedule_line(event: Event) -> int:
    """Return the number of the first line that is no day and no time with a text, or 0."""
    return next((number for number, item in _lines(event) if item is None), 0)


def _lines(event: Event) -> Iterator[tuple[int, Item | None]]:
    """Yield each line of a time with its number, and None for one that cannot be read. A day counts for the times below
    it; the first day is that of the event.
    """
    zone = zone_of(event.time_zone)
    day = event.starts_at.astimezone(zone).date() if event.starts_at else None
    for number, line in enumerate(event.schedule.splitlines(), start=1):
        found, item = LINE.match(line.strip()), None
        if not line.strip():
            continue
        with suppress(ValueError):
            if found and found["day"]:
                day = date.fromisoformat(found["day"])
            if found and found["what"] and day and FIRST_YEAR <= day.year <= LAST_YEAR:
                moment = datetime(day.year, day.month, day.day, int(found["hour"]), int(found["minute"]), tzinfo=zone)
                item = Item(moment, found["what"])
            elif found and found["day"] and not found["what"]:
                continue
        yield number, item

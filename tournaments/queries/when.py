"""The dates of an event in its own time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A moment in the event's time zone: `moment` without an offset, so that templates show it as it is."""

    moment: datetime
    zone: str


def local_time(event: Event, moment: datetime | None) -> LocalTime | None:
    """Return a moment in the time zone of an event; UTC if this machine does not know the zone. None stays None."""
    if moment is None:
        return None
    try:
        zone = ZoneInfo(event.time_zone)
    except (KeyError, ValueError):
        return LocalTime(moment.astimezone(ZoneInfo("UTC")).replace(tzinfo=None), "UTC")
    return LocalTime(moment.astimezone(zone).replace(tzinfo=None), event.time_zone.replace("_", " "))

"""The tables of an event: what they are called, and which the app leaves free (E22)."""

import re
from typing import NamedTuple

from tournaments.models import Event

_NAMED = re.compile(r"(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?[\s:.]+(\S.*)")


class Zone(NamedTuple):
    """Tables with one name: a hall, a zone, or a single table."""

    first: int
    last: int
    name: str


def zones_of(text: str) -> list[Zone]:
    """Return the zones of a text with one on each line, as "1–20 Hall A" or "7 Stream". Other lines are left out."""
    lines = (_NAMED.fullmatch(line.strip()) for line in text.splitlines())
    return [Zone(int(each[1]), int(each[2] or each[1]), each[3].strip()) for each in lines if each]


def wrong_line(text: str) -> int:
    """Return the number of the first line that is no zone, 0 if all are."""
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if line.strip() and not zones_of(line)), 0)


def zone_name(event: Event, table: int) -> str:
    """Return the names of a table, "" for one without."""
    return ", ".join(each.name for each in zones_of(event.table_names) if each.first <= table <= each.last)


def hall_of(event: Event) -> tuple[int, frozenset[int]]:
    """Return how many tables stand there (0: nobody said), and those for games that an organizer puts there."""
    return event.table_count or 0, frozenset(map(int, re.findall(r"\d+", event.kept_tables)))

"""Moments and days of people and files lie between 2000 and 2100: far from the ends of the calendar, where a change of
time zone raises.
"""

from datetime import UTC, date, datetime

from django.db.models import CheckConstraint, Q
from django.utils.translation import gettext_lazy

FIRST_YEAR, LAST_YEAR = 2000, 2100
EARLIEST, LATEST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 12, 31, 23, 59, 59, tzinfo=UTC)
FIRST_DAY, LAST_DAY = EARLIEST.date(), LATEST.date()
WRONG_YEAR = gettext_lazy("Choose a year from 2000 to 2100.")


def moment_of(text: object) -> datetime | None:
    """Return the moment of an ISO 8601 text with an offset; None for anything else, and outside of 2000 to 2100."""
    try:
        found = datetime.fromisoformat(str(text))
        return found if found.tzinfo and EARLIEST <= found <= LATEST else None
    except (ValueError, OverflowError):
        return None


def day_of(text: object) -> date | None:
    """Return the day of a text like 2026-04-21; None for anything else, and outside of 2000 to 2100."""
    try:
        found = date.fromisoformat(str(text))
    except ValueError:
        return None
    return found if FIRST_DAY <= found <= LAST_DAY else None


def moments_constraint(name: str, *columns: str) -> CheckConstraint:
    """Return the constraint that these columns hold moments from 2000 to 2100."""
    return _between(name, columns, EARLIEST, LATEST)


def days_constraint(name: str, *columns: str) -> CheckConstraint:
    """Return the constraint that these columns hold days from 2000 to 2100."""
    return _between(name, columns, FIRST_DAY, LAST_DAY)


def _between(name: str, columns: tuple[str, ...], first: date, last: date) -> CheckConstraint:
    condition = Q(**{f"{column}__range": (first, last) for column in columns})
    return CheckConstraint(condition=condition, name=name, violation_error_message=WRONG_YEAR)

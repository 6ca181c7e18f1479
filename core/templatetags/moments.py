"""`date` as Django has it, for every moment: one at the end of the calendar, which no other time zone has, is shown in
its own. It is a template builtin.
"""

from datetime import datetime
from typing import Any

from django import template
from django.template.defaultfilters import date as formatted, time as clock
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]

register = template.Library()


@register.filter
def date(value: Any, form: str | None = None) -> str:
    """Return a date or a moment in this format, in the reader's time zone."""
    return str(formatted(_local(value), form))


@register.filter
def time(value: Any, form: str | None = None) -> str:
    """Return the time of day of a moment in this format, in the reader's time zone."""
    return str(clock(_local(value), form))


def _local(value: Any) -> Any:
    try:
        return template_localtime(value)
    except OverflowError:
        return value.replace(tzinfo=None) if isinstance(value, datetime) else value

"""Numbers formatted for charts."""

from django import template
from django.utils.formats import number_format

from registers.charts.geometry import per_cent

register = template.Library()


@register.filter
def percent(thousandths: int) -> str:
    """Return thousandths as a percentage for people: "37.5", or "50" if whole."""
    whole = thousandths % 10 == 0
    return number_format(thousandths / 10, decimal_pos=0 if whole else 1)


@register.filter
def across(thousandths: int) -> str:
    """Return thousandths of a width, for an attribute."""
    return per_cent(thousandths / 10)

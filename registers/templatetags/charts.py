"""Numbers as pictures need them."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from registers.charts.geometry import per_cent

register = template.Library()


@register.filter
def percent(thousandths: int) -> str:
    """Thousandths as per cent, to be read: "37.5", and whole where they are ("50")."""
    whole = thousandths % 10 == 0
    return number_format(thousandths / 10, decimal_pos=0 if whole else 1)


@register.filter
def across(thousandths: int) -> str:
    """Thousandths of a width, for an attribute."""
    return per_cent(thousandths / 10)

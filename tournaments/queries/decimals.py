"""Figures as pages show them: at most three decimals, and the exact fraction."""

from __future__ import annotations

from fractions import Fraction

from django.utils.formats import get_format

PLACES = 3


def decimals(figure: Fraction | int) -> str:
    """Return a figure with three decimals, rounded half up, in the format of the reader's language; whole numbers that
    can only be whole as they are.
    """
    if isinstance(figure, int):
        return str(figure)
    thousandths = (2 * abs(figure.numerator) * 10**PLACES + figure.denominator) // (2 * figure.denominator)
    whole, rest = divmod(thousandths, 10**PLACES)
    sign = "−" if figure < 0 else ""
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{PLACES}}"


def exact(figure: Fraction | int) -> str:
    """Return a figure as an exact fraction: "7/6", or "2" if it is whole."""
    return str(figure)

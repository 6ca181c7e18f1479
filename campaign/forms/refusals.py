"""Refusals beside the fields they speak of."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from registers.context import by_field
from registers.offers import said
from rules.core.violations import RuleViolation, Violation

__all__ = ["blame", "by_field", "said", "spoken"]


def blame(form: forms.Form, refusal: RuleViolation) -> None:
    """Show each problem beside the field of the form that it speaks of, else above the form."""
    for problem in refusal.problems:
        field = problem.about if problem.about in form.fields else None
        form.add_error(field, f"{problem.text} {problem.rule}".strip())


def spoken(problems: Iterable[Violation]) -> str:
    """Problems as one message."""
    return " ".join(f"{item.text} {item.rule}".strip() for item in problems)

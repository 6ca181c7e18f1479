"""Show rule violations on forms, beside the fields they are about."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from rules.core.violations import RuleViolation, Violation


def add_violations(form: forms.Form, refusal: RuleViolation) -> None:
    """Show each problem beside the field of the form that it speaks of, else above the form."""
    for problem in refusal.problems:
        field = problem.about if problem.about in form.fields else None
        form.add_error(field, f"{problem.text} {problem.rule}".strip())


def as_sentence(problems: Iterable[Violation]) -> str:
    """Problems as one message."""
    return " ".join(f"{item.text} {item.rule}".strip() for item in problems)


def by_field(problems: tuple[Violation, ...], *fields: str) -> dict[str, tuple[dict[str, str], ...]]:
    """Problems as refusals, by the field they speak of; `general` are those of no other field."""
    groups: dict[str, list[Violation]] = {field: [] for field in (*fields, "general")}
    for problem in problems:
        groups[problem.about if problem.about in fields else "general"].append(problem)
    return {field: as_context(found) for field, found in groups.items()}


def as_context(problems: Iterable[Violation]) -> tuple[dict[str, str], ...]:
    """Problems as `components/refusal.html` takes them."""
    return tuple({"rule": problem.rule, "sentence": problem.text} for problem in problems)

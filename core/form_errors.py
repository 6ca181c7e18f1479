"""Show rule violations on forms, next to the fields they are about."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rules.core.violations import RuleViolation, Violation


class BrokenRule(ValidationError):
    """A form error that keeps the number of the rule, and what the violation is about."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.text)
        self.rule, self.about = violation.rule, violation.about


class InvalidForm(RuleViolation):
    """What is wrong with a form by itself; nothing if it has not been sent."""

    def __init__(self, form: forms.Form) -> None:
        super().__init__(violations_on(form))
        self.form = form


def add_violations(form: forms.Form, refusal: RuleViolation) -> None:
    """Show each violation next to the field of the form it is about, or above the form."""
    for violation in refusal.violations:
        form.add_error(violation.about if violation.about in form.fields else None, BrokenRule(violation))


def valid(form: forms.Form) -> dict[str, Any]:
    """Return the cleaned data of a form. Raises InvalidForm with its errors."""
    if not form.is_valid():
        raise InvalidForm(form)
    return form.cleaned_data


def violations_on(form: forms.Form) -> list[Violation]:
    """Return all errors of a form, each about its field, or about what its broken rule names."""
    return [
        Violation(getattr(error, "rule", ""), error.messages[0], _about(name, error))
        for name, errors in form.errors.items()
        for error in errors.as_data()
    ]


def _about(field: str, error: ValidationError) -> str:
    return getattr(error, "about", "") or ("" if field == NON_FIELD_ERRORS else field)


def errors_as_context(source: forms.Form | forms.BoundField) -> list[dict[str, str]]:
    """Return the errors of a field as `components/refusal.html` takes them; of a form those that no field shows."""
    if isinstance(source, forms.BoundField):
        lists = [source.errors]
    else:
        lists = [source.non_field_errors(), *(field.errors for field in source.hidden_fields())]
    return [
        {"rule": getattr(error, "rule", ""), "sentence": error.messages[0], "about": getattr(error, "about", "")}
        for errors in lists
        for error in errors.as_data()
    ]


def as_sentence(violations: Iterable[Violation]) -> str:
    """Return violations as one message."""
    return " ".join(f"{item.text} {item.rule}".strip() for item in violations)


def by_field(violations: tuple[Violation, ...], *fields: str) -> dict[str, tuple[dict[str, str], ...]]:
    """Return violations as `components/refusal.html` takes them, by field; `general` are those of no other field."""
    groups: dict[str, list[Violation]] = {field: [] for field in (*fields, "general")}
    for violation in violations:
        groups[violation.about if violation.about in fields else "general"].append(violation)
    return {field: as_context(found) for field, found in groups.items()}


def as_context(violations: Iterable[Violation]) -> tuple[dict[str, str], ...]:
    """Return violations as `components/refusal.html` takes them."""
    return tuple({"rule": violation.rule, "sentence": violation.text} for violation in violations)


def form_page(request: HttpRequest, template: str, context: dict[str, Any], *, refused: object = False) -> HttpResponse:
    """Return a page with forms: with status 422 if it was `refused`, or a form of its context has errors."""
    invalid = any(isinstance(each, forms.BaseForm) and each.is_bound and each.errors for each in context.values())
    return render(request, template, context, status=422 if refused or invalid else 200)


@contextmanager
def refusals_on(form: forms.Form, show: Callable[[RuleViolation], None] | None = None) -> Iterator[None]:
    """Show a refusal raised inside the context on the form, each violation at its field, or where `show` puts it. A
    form shows by itself what `valid` finds in it.
    """
    try:
        yield
    except RuleViolation as refusal:
        if show:
            show(refusal)
        elif not (isinstance(refusal, InvalidForm) and refusal.form is form):
            add_violations(form, refusal)


@contextmanager
def refusals_in(violations: list[Violation]) -> Iterator[None]:
    """Add the violations of a refusal raised inside the context to a list."""
    try:
        yield
    except RuleViolation as refusal:
        violations += refusal.violations


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a refusal raised inside the context as an error message on the next page."""
    try:
        yield
    except RuleViolation as refusal:
        messages.error(request, as_sentence(refusal.violations))

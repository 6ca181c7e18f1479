"""Shared parts of the views of events: the frame of a page, and how a refusal by a service is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from core.form_errors import add_violations, as_sentence
from rules.core.violations import RuleViolation
from tournaments.access import EventRole
from tournaments.models import Event


def frame(event: Event, role: EventRole, current: str) -> dict[str, Any]:
    """Return what every page of an event needs: the event, the reader's role and the tabs. `current` is the name of the
    URL of the tab that is open.
    """
    pages = [("detail", _("Event")), ("pairings", _("Pairings")), ("standings", _("Standings"))]
    if event.cut or event.structure == "elimination":
        pages.append(("bracket", _("Bracket")))
    pages.append(("log", _("Log")))
    if role.entry:
        pages.insert(0, ("player", _("My table")))
    if role.is_leader:
        pages[0:0] = [("console", _("Console")), ("judges", _("Judges"))]
    tabs = [
        {"label": label, "href": reverse(f"tournaments:{name}", args=[event.pk]), "current": name == current}
        for name, label in pages
    ]
    crumbs = [{"label": _("Events"), "href": "/events/"}]
    if current != "detail":
        crumbs.append({"label": event.name, "href": f"/events/{event.pk}/"})
    return {"event": event, "role": role, "tabs": tabs, "crumbs": crumbs}


@contextmanager
def refusals_on(form: forms.Form) -> Iterator[None]:
    """Show a refusal raised inside the context on the form, each violation at its field."""
    try:
        yield
    except RuleViolation as refusal:
        add_violations(form, refusal)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a refusal raised inside the context as an error message on the next page."""
    try:
        yield
    except RuleViolation as refusal:
        messages.error(request, as_sentence(refusal.violations))

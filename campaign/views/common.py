"""What the pages of a campaign share: breadcrumbs, what a form was sent, and what to do where a service refuses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign.battles.models import Battle
from campaign.models import Campaign
from catalogue.snapshot import rulebook
from core.form_errors import add_violations, as_sentence
from rules.core.cards import TurningPoint
from rules.core.violations import RuleViolation


def crumbs_of(*pages: Any) -> list[dict[str, str]]:
    """Breadcrumbs to the pages of these objects, from the far end."""
    return [{"label": str(page), "href": page.get_absolute_url()} for page in pages]


def home_crumb() -> dict[str, str]:
    """The breadcrumb to the home page."""
    return {"label": _("Home"), "href": "/"}


def people_crumbs(campaign: Campaign) -> list[dict[str, str]]:
    """Breadcrumbs to the people of a campaign."""
    return [
        *crumbs_of(campaign),
        {"label": _("People"), "href": reverse("campaign:people", args=[campaign.pk])},
    ]


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, or None where a form is looked at for the first time."""
    return request.POST if request.method == "POST" else None


def mission_of(battle: Battle) -> TurningPoint | None:
    """Return the Turning Point Mission that a battle is fought for, if there is one."""
    arc = battle.turning_point_id
    return rulebook().story_arcs[arc].turning_point if arc else None


@contextmanager
def refusals_on(form: forms.Form) -> Iterator[None]:
    """Show a refusal from within on the form, each violation beside its field."""
    try:
        yield
    except RuleViolation as refusal:
        add_violations(form, refusal)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show a refusal from within as an error message on the next page."""
    try:
        yield
    except RuleViolation as refusal:
        messages.error(request, as_sentence(refusal.violations))

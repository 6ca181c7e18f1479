"""Shared parts of a campaign's views: breadcrumbs, posted data, and how a refusal by a service is shown."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign.battles.models import Battle
from campaign.models import Campaign
from catalogue.snapshot import rulebook
from rules.core.card_types import TurningPoint


def crumbs_of(*pages: Any) -> list[dict[str, str]]:
    """Return breadcrumbs to the pages of these objects, outermost first."""
    return [{"label": str(page), "href": page.get_absolute_url()} for page in pages]


def home_crumb() -> dict[str, str]:
    """Return the breadcrumb to the home page."""
    return {"label": _("Home"), "href": "/"}


def people_crumbs(campaign: Campaign) -> list[dict[str, str]]:
    """Return breadcrumbs to the people of a campaign."""
    return [*crumbs_of(campaign), {"label": _("People"), "href": reverse("campaign:people", args=[campaign.pk])}]


def chronicle_tabs(campaign: Campaign, path: str) -> list[dict[str, object]]:
    """Return the pages of a campaign's chronicle as tabs; the page with this path is the current one."""
    places = {
        "chronicle:index": _("Stories"),
        "chronicle:activity": _("Activity"),
        "achievements:index": _("Achievements"),
    }
    tabs = [(reverse(name, args=[campaign.pk]), label) for name, label in places.items()]
    return [{"label": label, "href": href, "current": href == path} for href, label in tabs]


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the posted data, or None for a new form."""
    return request.POST if request.method == "POST" else None


def mission_of(battle: Battle) -> TurningPoint | None:
    """Return the Turning Point Mission of a battle, if it has one."""
    arc = battle.turning_point_id
    return rulebook().story_arcs[arc].turning_point if arc else None

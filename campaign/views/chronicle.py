"""The chronicle of a campaign: its battles told, with what was written of them, and the log of all that was done."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import access, chronicle
from campaign.models import Battle, Campaign
from campaign.saga.entries import battle_entries, entries, entries_of

from .battle import crumb, crumbs_of

ENTRIES_A_PAGE = 10
EVENTS_A_PAGE = 50


@require_safe
def saga(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The battles of a campaign told, and what was written, newest first."""
    campaign, role = access.campaign_for(request.user, pk)
    page = Paginator(list(entries_of(campaign)), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    cover = Campaign.objects.select_related("picture", "public_link").get(pk=pk)
    context = {
        **_leaf(request, campaign, role),
        "entries": entries(page.object_list),
        "page": page,
        "picture": cover.picture,
        "public": getattr(cover, "public_link", None),
    }
    return render(request, "campaign/saga/chronicle.html", context)


@require_safe
def log(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All that happened in a campaign, newest first, with who did it."""
    campaign, role = access.campaign_for(request.user, pk)
    page = Paginator(chronicle.of_campaign(campaign), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    context = {**_leaf(request, campaign, role), "lines": chronicle.lines(page.object_list), "page": page}
    return render(request, "campaign/chronicle.html", context)


@require_safe
def tale(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A battle told, with what was written of it; until it is closed only what was written."""
    battle, role = access.battle_for(request.user, pk)
    [entry] = battle_entries([battle])
    context = {
        **_who(battle.campaign, role),
        "battle": battle,
        "entry": entry,
        "writable": battle.status != Battle.Status.CANCELLED,
        "crumbs": [*crumbs_of(battle.campaign), crumb(battle)],
    }
    return render(request, "campaign/saga/tale.html", context)


def _leaf(request: HttpRequest, campaign: Campaign, role: access.CampaignRole) -> dict[str, Any]:
    """What saga and log share: they lie side by side."""
    places = {"campaign:chronicle": _("The saga"), "campaign:log": _("The log")}
    tabs = [(reverse(name, args=[campaign.pk]), label) for name, label in places.items()]
    return {
        **_who(campaign, role),
        "crumbs": crumbs_of(campaign),
        "tabs": [{"label": label, "href": href, "current": href == request.path} for href, label in tabs],
    }


def _who(campaign: Campaign, role: access.CampaignRole) -> dict[str, Any]:
    return {"campaign": campaign, "organises": role.is_organizer, "plays": role.is_player}

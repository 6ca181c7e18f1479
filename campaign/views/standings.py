"""The standings of a campaign over time, and who fought whom."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import access
from campaign.pictures.fought import fought
from campaign.pictures.opponents import opponents
from campaign.pictures.standings import standings

from .battle import crumbs_of


@require_safe
def over_time(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Both pictures of a campaign."""
    campaign, _role = access.campaign_for(request.user, pk)
    seen = fought(campaign)
    context = {
        "campaign": campaign,
        "standings": standings(seen),
        "opponents": opponents(seen),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/standings.html", context)

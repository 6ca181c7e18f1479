"""What happened in a campaign, in words."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import access, chronicle

from .battle import crumbs_of

EVENTS_A_PAGE = 50


@require_safe
def events(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All that happened in a campaign, newest first."""
    campaign = access.campaign_for(request.user, pk)
    page = Paginator(chronicle.of_campaign(campaign), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "lines": chronicle.lines(page.object_list),
        "page": page,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/chronicle.html", context)

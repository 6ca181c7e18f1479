"""The page of the rulings."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from catalogue.rulings import Ruling, sections
from rules.terms import Terms


@login_not_required
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """All rulings, each at an anchor of its number, and where a campaign of the reader plays by another reading."""
    mine = Campaign.objects.none()
    if request.user.is_authenticated:
        mine = Campaign.objects.filter(memberships__user=request.user).exclude(terms=Terms()).order_by("name")
    campaigns = list(mine)
    shown = [
        {"name": section.name, "rulings": [_ruling(ruling, campaigns) for ruling in section.rulings]}
        for section in sections()
    ]
    return render(request, "campaign/rules.html", {"sections": shown})


def _ruling(ruling: Ruling, campaigns: list[Campaign]) -> dict[str, Any]:
    switches = [
        {
            "printed": switch.printed,
            "others": switch.others,
            "played": [
                {"campaign": campaign, "words": switch.words(value)}
                for campaign in campaigns
                if (value := getattr(campaign.terms.house, switch.name)) != switch.default
            ],
        }
        for switch in ruling.switches
    ]
    return {"ruling": ruling, "switches": switches}

"""The rules to look things up in, and the sheet of them to print. Both are public: they hold no secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from catalogue.reference import sections
from catalogue.reference.passages import LONGEST, found, looked_for, size
from catalogue.snapshot import rulebook
from rules.house import SWITCHES
from rules.terms import Terms

#: The part of the page that HTMX replaces.
FOUND = "found"


@login_not_required
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Everything at its anchor, or (?q=) what speaks of some words; and where the reader's campaigns play otherwise."""
    question = request.GET.get("q", "").strip()[:LONGEST]
    looked = looked_for(question)
    whole = sections()
    shown = found(whole, looked) if looked else whole
    context = {
        "question": question,
        "looked": looked,
        "number": size(shown),
        "whole": whole,
        "sections": shown,
        "played": _played(request),
        "edition": rulebook().edition,
    }
    if request.htmx.target == FOUND:
        answer = render(request, "reference/found.html", context)
        patch_vary_headers(answer, ["HX-Target"])
        return answer
    return render(request, "reference/rules.html", context)


@login_not_required
@require_safe
def rules_sheet(request: HttpRequest) -> HttpResponse:
    """The steps and tables in short form, on two pages of A4 or Letter."""
    return render(request, "reference/sheet.html", {"sections": sections(), "edition": rulebook().edition})


def _played(request: HttpRequest) -> dict[str, list[dict[str, Any]]]:
    """The reader's campaigns that play by another reading than ours, by the name of its switch: one query."""
    campaigns: Sequence[Campaign] = ()
    if request.user.is_authenticated:
        mine = Campaign.objects.filter(memberships__user=request.user).exclude(terms=Terms())
        campaigns = list(mine.order_by("name"))
    return {
        switch.name: [
            {
                "name": str(campaign),
                "href": reverse("campaign:terms", args=[campaign.pk]),
                "words": switch.words(value),
            }
            for campaign in campaigns
            if (value := getattr(campaign.terms.house, switch.name)) != switch.default
        ]
        for switch in SWITCHES
    }

"""The home page with its badge, and the rules reference: pages outside any campaign."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from campaign.battles.models import Battle, Side
from campaign.calendar.access import owner_of
from campaign.models import Campaign
from catalogue.reference import sections
from catalogue.reference.passages import LONGEST, found, looked_for, passages_at, size
from catalogue.snapshot import rulebook
from core.db.snapshot import read_snapshot
from core.ics import feed
from core.open_page import open_page
from dashboard import queries as dashboard_queries
from dashboard.forms import InvitationLinkForm
from dashboard.inbox import badge_of, in_full, inbox_for
from dashboard.next_steps import next_step
from registers.queries.changes import notices_for
from rules.core.campaign_rules import SWITCHES, CampaignRules
from tournaments.queries.calendar import own_appointments
from tournaments.queries.inbox import own_events

#: The part of the rules page that HTMX replaces.
FOUND = "found"


@open_page
@read_snapshot()
def home(request: HttpRequest) -> HttpResponse:
    """Show the user's tasks, Registers, campaigns and events; to visitors, an introduction."""
    if not request.user.is_authenticated:
        return render(request, "dashboard/welcome.html", {"invitation": InvitationLinkForm()})
    if request.user.guest_until:  # the demo has one battle, whose page signs them out once their time is up
        battle = Battle.objects.filter(campaign__memberships__user=request.user).latest("number")
        return redirect("battles:sequence_side", pk=battle.pk, colour=Side.BLUE)
    events = own_events(request.user)
    page = dashboard_queries.home(request.user, events)
    waiting = inbox_for(request.user, events, page)
    states = {line.register.pk: line.state for line in page.registers}
    context = {
        "home": page,
        "waiting": in_full(waiting, states),
        "badge": badge_of(waiting),
        "notices": notices_for(request.user, states),
        "next": next_step(page),
        "invitation": InvitationLinkForm(),
    }
    return render(request, "dashboard/home.html", context)


@open_page
def events_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send the events that a person plays in or leads to a calendar program, by the secret address of their feeds."""
    user = owner_of(token)
    name = gettext("Musterbook events: %(name)s") % {"name": user.get_username()}
    return feed(request, name, own_appointments(user))


@never_cache
@require_safe
@read_snapshot()
def badge(request: HttpRequest) -> HttpResponse:
    """Return the number of tasks if it has changed; the home page then loads its list too."""
    now = badge_of(inbox_for(request.user))
    if request.headers.get("If-None-Match") == f'"{now.tag}"':
        return HttpResponseNotModified()
    response = render(request, "components/badge.html", {"badge": now})
    return trigger_client_event(response, "waiting-changed")


@open_page
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rules by anchor, or those with some words (?q=), and where the user's campaigns play differently."""
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
        answer = render(request, "dashboard/reference/found.html", context)
        patch_vary_headers(answer, ["HX-Target"])
        return answer
    return render(request, "dashboard/reference/rules.html", context)


@open_page
def rules_sheet(request: HttpRequest) -> HttpResponse:
    """Show the steps and tables in short form, on two pages of A4 or Letter."""
    return render(request, "dashboard/reference/sheet.html", {"sections": sections(), "edition": rulebook().edition})


@open_page
def rules_passages(request: HttpRequest, anchor: str) -> HttpResponse:
    """Show the part of the rules at an anchor: a ruling ("R34"), a section, or a row of a table."""
    name, passages = passages_at(sections(), anchor)
    if not passages:
        raise Http404("No such rule")
    context = {"anchor": anchor, "name": name, "passages": passages, "played": _played(request)}
    fragment = "#passages" if request.htmx else ""
    answer = render(request, f"dashboard/reference/passages.html{fragment}", context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer


@open_page
def rules_readings(request: HttpRequest) -> HttpResponse:
    """Show all readings in doubt (R52) and what a campaign of the user plays (?campaign=), or where theirs differ."""
    try:
        campaign = UUID(request.GET["campaign"])
    except (KeyError, ValueError):
        campaign = None
    context = {"switches": SWITCHES, "looked": None, "played": _played(request, campaign)}
    return render(request, "dashboard/reference/readings.html", context)


def _played(request: HttpRequest, campaign: UUID | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the user's campaigns with another reading of a rule than ours, by the name of its switch. One query.

    Of the one with the primary key `campaign`, return every reading.
    """
    campaigns: Sequence[Campaign] = ()
    if request.user.is_authenticated:
        mine = Campaign.objects.filter(memberships__user=request.user).order_by("name")
        different = mine.filter(state=Campaign.State.OPEN).exclude(campaign_rules=CampaignRules())
        campaigns = list(different if campaign is None else mine.filter(pk=campaign))
    return {
        switch.name: [
            {
                "name": str(each),
                "href": reverse("campaign:campaign_rules", args=[each.pk]),
                "words": switch.words(value),
                "own": value != switch.default,
            }
            for each in campaigns
            if (value := getattr(each.campaign_rules.house, switch.name)) != switch.default or campaign
        ]
        for switch in SWITCHES
    }

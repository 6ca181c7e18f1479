"""A campaign: founding it, its page, its Registers."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from campaign import access, chronicle, queries
from campaign.forms.campaigns import SUGGESTED, CampaignForm, RegisterForm
from campaign.forms.refusals import blame, said
from campaign.models import Campaign
from campaign.overview import Overview, overview_of
from campaign.ranking import standings
from campaign.services import campaigns
from campaign.terms import in_short
from catalogue.snapshot import rulebook
from config.moment import one_moment
from rules.building import factions_open
from rules.equipment import faction_name
from rules.language import gettext
from rules.refusal import Problem, Refusal

from .battle import crumbs_of

#: How many battles a page of the list of all shows.
BATTLES_A_PAGE = 30
#: The part of the page that HTMX replaces.
STANDINGS = "standings"


def new(request: HttpRequest) -> HttpResponse:
    """Found a campaign; whoever does organises it."""
    said_so_far = request.POST if request.method == "POST" else None
    form = CampaignForm(said_so_far, initial={"campaign": uuid4(), **SUGGESTED})
    if request.method == "POST" and form.is_valid():
        words = form.cleaned_data
        try:
            campaign = campaigns.found_campaign(
                actor=request.user, name=words["name"], about=words["about"],
                terms=form.as_terms(), campaign_id=words["campaign"],
            )  # fmt: skip
        except Refusal as refusal:
            blame(form, refusal)
        else:
            return redirect(campaign)
    return render(request, "campaign/new.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@one_moment()
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The page of a campaign; of its standings alone where only they are to be sorted."""
    campaign, role = access.campaign_for(request.user, pk)
    if request.htmx.target == STANDINGS:
        table = standings(list(queries.registers_of(campaign)), request.user, request.GET)
        answer = render(request, "campaign/_standings.html", {"campaign": campaign, "standings": table})
        patch_vary_headers(answer, ["HX-Target"])
        return answer
    return _page(request, campaign, role)


@require_safe
def battles(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All battles of a campaign, newest first."""
    campaign, _role = access.campaign_for(request.user, pk)
    page = Paginator(queries.battles_of(campaign), BATTLES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "page": page,
        "lines": queries.lines_of(page),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/battles.html", context)


@require_POST
def found_register(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Open a Register that serves in the campaign, and go on to found it."""
    campaign, role = access.played_campaign_for(request.user, pk)
    form = RegisterForm(request.POST)
    if not form.is_valid():
        return _page(
            request,
            campaign,
            role,
            register_problems=[Problem("R3", gettext("Choose a Faction."), "faction")],
        )
    try:
        register = campaigns.found_register(
            actor=request.user, campaign=campaign, faction=form.cleaned_data["faction"],
            register_id=form.cleaned_data["register"],
        )  # fmt: skip
    except Refusal as refusal:
        return _page(request, campaign, role, register_problems=refusal.problems)
    return redirect("registers:founding", pk=register.pk)


@require_POST
def enlist(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Let a Register of one's own, which serves nowhere yet, serve in the campaign."""
    campaign, role = access.played_campaign_for(request.user, pk)
    try:
        own = campaigns.enlist(actor=request.user, campaign=campaign, register_id=register)
    except Refusal as refusal:
        return _page(request, campaign, role, register_problems=refusal.problems)
    messages.success(request, gettext("{register} serves in {campaign}.", register=own, campaign=campaign))
    return redirect(campaign)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    role: access.CampaignRole,
    *,
    register_problems: tuple[Problem, ...] | list[Problem] = (),
) -> HttpResponse:
    book, shown = rulebook().under(campaign.terms), overview_of(campaign, request.user)
    chosen = request.POST.get("faction", "") if register_problems else ""
    context = {
        "campaign": campaign,
        "standings": standings(shown.registers, request.user, request.GET),
        "terms": in_short(book, campaign.terms),
        "organises": role.is_organizer,
        "plays": role.is_player,
        "members": shown.members,
        "open": shown.open,
        "over": shown.over,
        "events": chronicle.lines(shown.events),
        "register_id": uuid4(),
        "factions": [
            {
                "value": faction,
                "label": faction_name(faction),
                "faction": faction,
                "checked": faction == chosen,
            }
            for faction in factions_open(book)
        ],
        "register_problems": said(register_problems),
        "awaiting": shown.awaiting,
        "unenlisted": shown.unenlisted,
        "next": _next(role, campaign, shown),
        "crumbs": [{"label": gettext("Home"), "href": "/"}],
    }
    return render(request, "campaign/detail.html", context, status=422 if register_problems else 200)


def _next(role: access.CampaignRole, campaign: Campaign, shown: Overview) -> dict[str, str]:
    """What to do next: whoever plays needs a Register that is commissioned before there is a battle to plan."""
    own = [register for register in shown.registers if register.owner_id == role.user.pk]
    commands = shown.registers if role.is_organizer else own
    if any(register.commissioned for register in commands):
        return {"label": gettext("Plan a battle"), "href": reverse("campaign:plan", args=[campaign.pk])}
    if own:
        return {"label": gettext("Go on founding"), "href": reverse("registers:founding", args=[own[0].pk])}
    if shown.unenlisted:
        return {"label": gettext("Bring your Register in"), "href": "#registers"}
    return {"label": gettext("Found a Register"), "href": "#registers"}

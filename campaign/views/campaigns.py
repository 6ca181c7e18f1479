"""Pages of a campaign: creating it, overview, rules, charts, and the data check."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.battles.access import SIDES
from campaign.battles.pages import activity
from campaign.battles.pages.armies import FIELDED
from campaign.battles.pages.battle_lines import BATTLES_A_PAGE, battle_lines
from campaign.battles.pages.dice_statistics import fallen
from campaign.enlistments.services import enlistments
from campaign.forms import SUGGESTED, CampaignForm, CampaignRulesForm, DetailsForm
from campaign.models import Campaign
from campaign.pages.campaign import overview_of
from campaign.pages.season import season_of
from campaign.pages.standings import standings_table
from campaign.pages.standings_chart import fought, opponents, standings as standings_over_time
from campaign.queries.campaign_rules import in_short, name_words, value_words
from campaign.queries.registers import playing_in, registers_of
from campaign.schedule.queries import has_schedule
from campaign.services import campaigns
from campaign.services.campaigns import DETAILS, change_campaign_rules, change_details, details_version
from campaign.star_map.queries import has_star_map, star_map_of
from campaign.teams.models import Team
from catalogue.snapshot import rulebook
from core.db.snapshot import read_snapshot
from core.form_errors import as_context, form_page, refusals_on, valid
from core.form_fields import posted
from core.names import name_order
from core.ui.crumbs import crumbs_of, home_crumb
from registers.forms.building import OpenForm
from registers.ledger.verification import Difference
from registers.models import Finding, Proof
from registers.options.context import faction_choices
from rules.core.campaign_rules import TRILOGY, differences
from rules.core.violations import RuleViolation, Violation, refuse

#: The pages of a campaign that its own page does not show a part of.
MORE = {
    "calendar:campaign": gettext_lazy("Calendar"),
    "discussion:announcements": gettext_lazy("Announcements"),
    "star_map:index": gettext_lazy("Star map"),
    "teams:index": gettext_lazy("Teams"),
    "achievements:index": gettext_lazy("Painting and achievements"),
    "campaign:standings": gettext_lazy("Season overview: standings, rivalries, the fallen"),
    "story_arcs:list": gettext_lazy("Custom Story Arcs"),
}
#: The part of the page that HTMX replaces.
STANDINGS = "standings"


def new(request: HttpRequest) -> HttpResponse:
    """Create a campaign; the user organizes it."""
    form = CampaignForm(posted(request), initial={"campaign": uuid4(), **SUGGESTED})
    if form.is_valid():
        words = form.cleaned_data
        with refusals_on(form):
            campaign = campaigns.create_campaign(
                actor=request.user, name=words["name"], about=words["about"],
                campaign_rules=form.as_campaign_rules(), campaign_id=words["campaign"],
            )  # fmt: skip
            return redirect(campaign)
    return form_page(request, "campaign/new.html", {"form": form})


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Change the name, the description and the own house rules of a campaign."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    form = DetailsForm(posted(request), initial={name: getattr(campaign, name) for name in DETAILS})
    with refusals_on(form):
        change_details(actor=request.user, campaign=campaign, **valid(form))
        messages.success(request, gettext("Campaign saved."))
        return redirect(campaign)
    stale = "version" in form.errors
    context = {
        "campaign": campaign,
        "form": form,
        "version": details_version(campaign),
        # What somebody else has saved, next to what was typed here.
        "saved": [
            {"label": form[name].label, "text": getattr(campaign, name)}
            for name in DETAILS
            if stale and form.cleaned_data.get(name) != getattr(campaign, name)
        ],
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "campaign/edit.html", context)


@require_safe
@read_snapshot()
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the campaign page, or only its standings when HTMX asks for those."""
    campaign, role = access.campaign_for(request.user, pk, also=_has_parts)
    if request.htmx.target == STANDINGS:
        playing = playing_in(registers_of(campaign))
        table = standings_table(playing, request.user, request.GET)
        answer = render(request, "campaign/_standings.html", {"campaign": campaign, "standings": table})
        patch_vary_headers(answer, ["HX-Target"])
        return answer
    return _page(request, campaign, role)


@require_safe
def battles(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all battles of a campaign, newest first."""
    campaign, _role = access.campaign_for(request.user, pk)
    page = Paginator(campaign.battles.prefetch_related(SIDES), BATTLES_A_PAGE).get_page(request.GET.get("page"))
    context = {"campaign": campaign, "page": page, "lines": battle_lines(page), "crumbs": crumbs_of(campaign)}
    return render(request, "campaign/battles.html", context)


def _has_parts() -> Mapping[str, Any]:
    teams = Exists(Team.objects.filter(campaign=OuterRef("pk")))
    return {"has_schedule": has_schedule(), "has_star_map": has_star_map(), "has_teams": teams}


@require_POST
def new_register(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create a Register in the campaign, and continue with building it."""
    campaign, role = access.played_campaign_for(request.user, pk)
    form = OpenForm(request.POST)
    try:
        if not form.is_valid():
            raise refuse("R3", gettext("Choose a Faction."), "faction")
        register = enlistments.create_register(
            actor=request.user, campaign=campaign, faction=form.cleaned_data["faction"],
            register_id=form.cleaned_data["register"],
        )  # fmt: skip
    except RuleViolation as refusal:
        return _page(request, campaign, role, refusal.violations, chosen=form["faction"].data)
    return redirect("registers:building", pk=register.pk)


@require_POST
def enlist(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Add one's own Register, which is in no campaign yet, to this one."""
    campaign, role = access.played_campaign_for(request.user, pk)
    try:
        own = enlistments.add_register(actor=request.user, campaign=campaign, register_id=register)
    except RuleViolation as refusal:
        return _page(request, campaign, role, refusal.violations)
    text = gettext("%(register)s was added to %(campaign)s.")
    messages.success(request, text % {"register": own, "campaign": campaign})
    return redirect(campaign)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    role: access.CampaignRole,
    register_violations: tuple[Violation, ...] = (),
    chosen: str | None = None,
) -> HttpResponse:
    book, shown = rulebook().under(campaign.campaign_rules), overview_of(campaign, request.user)
    context = {
        "campaign": campaign,
        **shown,
        "standings": standings_table(shown["registers"], request.user, request.GET),
        "star_map": star_map_of(campaign),
        "more": [{"title": title, "href": reverse(name, args=[campaign.pk])} for name, title in MORE.items()],
        "campaign_rules": in_short(book, campaign.campaign_rules),
        "leads": role.is_organizer,
        "organizes": role.may_organize(),
        "plays": role.may_play() and not request.user.guest_until,  # see dashboard.guests
        "own": campaign.guest_id == request.user.pk,  # see dashboard.demo
        "to_print": any(line.battle.status in FIELDED for line in shown["open"]),
        "fresh": not any(shown[each] for each in ("registers", "gone", "open", "over")),
        "events": activity.activity_lines(shown["events"]),
        "register_id": uuid4(),
        "factions": faction_choices(book, chosen),
        "register_violations": as_context(register_violations),
        "next": _next(role, campaign, shown),
        "crumbs": [home_crumb()],
    }
    return form_page(request, "campaign/detail.html", context, refused=register_violations)


def _next(role: access.CampaignRole, campaign: Campaign, shown: Mapping[str, Any]) -> dict[str, str]:
    """Return what to do next: players need a commissioned Register before they can plan a battle."""
    own = [register for register in shown["registers"] if register.owner_id == role.user.pk]
    commands = shown["registers"] if role.is_organizer else own
    if len(shown["members"]) == 1 and own and not (shown["open"] or shown["over"]):
        invite = f"{reverse('campaign:people', args=[campaign.pk])}#invite"
        return {"label": gettext("Invite an opponent"), "href": invite}
    if commands:
        return {"label": gettext("Plan a battle"), "href": reverse("battles:plan", args=[campaign.pk])}
    if shown["drafts"]:
        href = reverse("registers:building", args=[shown["drafts"][0].pk])
        return {"label": gettext("Continue building"), "href": href}
    if shown["unenlisted"]:
        return {"label": gettext("Add your Register"), "href": "#registers"}
    return {"label": gettext("New Register"), "href": "#registers"}


@require_safe
def over_time(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show where a campaign stands: its charts, arcs, rivalries, the fallen, and numbers."""
    campaign, _role = access.campaign_for(request.user, pk)
    seen = fought(campaign)
    context = {
        "campaign": campaign,
        "standings": standings_over_time(seen),
        "season": season_of(campaign, seen),
        "opponents": opponents(seen),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/standings.html", context)


@require_safe
def dice_statistics(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show how all dice of a campaign fell, next to what is expected of fair ones."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = fallen(campaign.battles.all())
    context = {
        "campaign": campaign,
        "app": [one for one in found if not one.typed],
        "typed": [one for one in found if one.typed],
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/dice_statistics.html", context)


def campaign_rules(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the campaign rules; organizers change them on the same page."""
    if request.method != "POST":
        campaign, role = access.campaign_for(request.user, pk)
        form = CampaignRulesForm(book=rulebook(), campaign_rules=campaign.campaign_rules)
        return _campaign_rules_page(request, campaign, form, organizes=role.may_organize())
    campaign = access.organized_campaign_for(request.user, pk)
    form = CampaignRulesForm(request.POST, book=rulebook(), campaign_rules=campaign.campaign_rules)
    with refusals_on(form):
        version = valid(form)["version"]
        change_campaign_rules(
            actor=request.user, campaign=campaign, campaign_rules=form.as_campaign_rules(), version=version
        )
        messages.success(request, gettext("Campaign rules saved. They apply from the next battle."))
        return redirect("campaign:campaign_rules", pk=campaign.pk)
    return _campaign_rules_page(request, campaign, form)


def _campaign_rules_page(
    request: HttpRequest, campaign: Campaign, form: CampaignRulesForm, *, organizes: bool = True
) -> HttpResponse:
    book = rulebook()
    context = {
        "campaign": campaign,
        "organizes": organizes,
        "form": form,
        "groups": list(form.groups()),
        "numbers": {name: form.number(name) for name in ("combat_potential", "supply_points", "length")},
        "named": [
            {
                "name": name,
                "title": name_words(name),
                "words": value_words(book, name, list(getattr(campaign.campaign_rules, name))),
                "ticks": form.ticks(name),
            }
            for name in ("factions", "story_arcs", "battle_forces")
        ],
        "limits": [
            {"name": name_words(name), "words": value_words(book, name, getattr(campaign.campaign_rules, name))}
            for name in ("combat_potential", "supply_points", "length", "unreleased", "rank_table")
        ],
        "in_short": in_short(book, campaign.campaign_rules),
        "would_change": _would_change(form, campaign),
        "trilogy": TRILOGY,
        "crumbs": [home_crumb(), *crumbs_of(campaign)],
    }
    return form_page(request, "campaign/campaign_rules.html", context)


def _would_change(form: CampaignRulesForm, campaign: Campaign) -> list[dict[str, str]]:
    """Return what posting a refused form again would change in the current campaign rules."""
    if not form.is_bound or not set(form.errors) <= {"__all__"}:
        return []
    book = rulebook()
    return [
        {"name": name_words(name), "now": value_words(book, name, now), "then": value_words(book, name, then)}
        for name, now, then in differences(campaign.campaign_rules, form.as_campaign_rules())
    ]


@require_safe
def data_check(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the last data check of the site, and its result for each Register of this campaign."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.ARCHIVED)
    last = Proof.objects.filter(finished_at__isnull=False).first()
    lines = _proof_lines(campaign, last) if last else []
    context = {
        "campaign": campaign,
        "proof": last,
        "seconds": round((last.finished_at - last.started_at).total_seconds()) if last else 0,
        "lines": lines,
        "differing": sum(bool(line["found"]) for line in lines),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/data_check.html", context)


def _proof_lines(campaign: Campaign, last: Proof) -> list[dict[str, Any]]:
    """Return each Register with its violations and verified position, those with differences first: two queries."""
    unsorted = campaign.registers.filter(commissioned=True).select_related("owner", "anchor__proof")
    registers = sorted(unsorted, key=lambda each: name_order(each.name))
    found: dict[UUID, list[Difference]] = {register.pk: [] for register in registers}
    for finding in Finding.objects.filter(proof=last, register__in=registers).order_by("pk"):
        found[finding.register_id].append(Difference(finding.kind, finding.facts))
    lines = [
        {"register": register, "found": found[register.pk], "anchor": getattr(register, "anchor", None)}
        for register in registers
    ]
    return sorted(lines, key=lambda line: not line["found"])

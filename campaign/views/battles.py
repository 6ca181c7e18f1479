"""A battle: planning it, its page, mustering for it, calling it off."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.models import User
from campaign import access, queries
from campaign.armies import side_views
from campaign.books import book_of
from campaign.forms.cards import HandForm
from campaign.forms.muster import MusterForm
from campaign.forms.plan import PlanForm
from campaign.forms.refusals import spoken
from campaign.hands import hands_of
from campaign.models import Battle, Campaign, Side
from campaign.services import battles
from campaign.terms import older_terms
from catalogue.snapshot import rulebook
from registers.services import ledger
from rules.army import game_type, rank_limits_for
from rules.force import Force
from rules.refusal import Refusal, refuse_any
from rules.rulebook import RankLimits, Rulebook


def plan(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Plan a battle: who, how many points, which colours, whose mission (R17, R18, R22)."""
    campaign = access.played_campaign_for(request.user, pk)
    organises = access.is_organiser(request.user, campaign)
    candidates = queries.candidates(request.user, campaign, organises=organises)
    form = PlanForm(rulebook(), candidates, request.POST if request.method == "POST" else None)
    if request.method == "POST" and (battle := _planned(request.user, campaign, form)):
        return redirect(battle)
    context = {"campaign": campaign, "crumbs": _crumbs(campaign), **form.context()}
    return render(request, "campaign/plan.html", context, status=422 if form.problems else 200)


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Where a battle stands, its armies and its report, and what is next."""
    battle = access.battle_for(request.user, pk)
    organises = access.is_organiser(request.user, battle.campaign)
    return render(request, "campaign/battle.html", _battle_context(request, battle, organises=organises))


@require_GET
def poll(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Draw the page anew once the battle does not stand any more as `seen` says; else nothing."""
    battle = access.battle_for(request.user, pk)
    if request.GET.get("seen") == seen(battle):
        return HttpResponse(status=204)
    return HttpResponseClientRefresh()


@require_POST
def call_off(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Call the battle off, as long as its sequence has not begun."""
    battle = access.fought_battle_for(request.user, pk)
    try:
        battles.call_off(actor=request.user, battle_id=battle.pk)
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
        return redirect(battle)
    messages.success(request, f"Battle {battle.number} is called off.")
    return redirect(battle.campaign)


@sensitive_post_parameters("hand")
def muster(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the army of a side together; `reckon` in the form only counts it."""
    side = access.side_for(request.user, pk)
    battle = side.battle
    if battle.status != Battle.Status.MUSTERING and request.method != "POST":
        return redirect(battle)
    force = ledger.force_of(side.own_register)
    book = book_of(side)
    both = list(battle.sides.all())
    other = next(other for other in both if other.pk != side.pk)
    form = MusterForm(
        book=book,
        force=force,
        side=side,
        terms=battles.terms_for(battle, side, both),
        limits=limits_of(book, battle),
        hand=_hand_form(request, side, other, book, force),
        said=request.POST if request.method == "POST" else None,
    )
    if request.method == "POST" and "reckon" not in request.POST:
        try:
            refuse_any([*form.empty_handed(), *form.unsaid()])
            battles.muster(
                actor=request.user, side_id=side.pk, army=form.army,
                rank_reason=request.POST.get("rank_reason", ""), hand=form.hand.entry,
            )  # fmt: skip
        except Refusal as refusal:
            form.problems = refusal.problems
        else:
            return redirect(battle)
    context = {
        "side": side,
        "battle": battle,
        "other": other,
        "game_type": game_type(battle.size),
        "crumbs": [*_crumbs(battle.campaign), {"label": str(battle), "href": battle.get_absolute_url()}],
        **form.context(),
    }
    template = "campaign/muster.html"
    if request.htmx and "reckon" in request.POST:
        template += "#reckoned"
    return render(request, template, context, status=422 if form.problems else 200)


def _hand_form(request: HttpRequest, side: Side, other: Side, book: Rulebook, force: Force) -> HandForm:
    """The Command Hand as this person may enter and see it (R24)."""
    organises = access.is_organiser(request.user, side.battle.campaign)
    hand = hands_of(request.user, side.battle, book).get(side.pk)
    return HandForm(
        book,
        force,
        said=request.POST if request.method == "POST" else None,
        kept=tuple(card.slug for card in (hand.cards or ())) if hand else (),
        recorded=hand.size if hand else 0,
        enter=access.may_enter_hand(request.user, side, other, organises=organises),
        see=access.may_see_hand(request.user, side),
    )


def _planned(user: User, campaign: Campaign, form: PlanForm) -> Battle | None:
    """The battle, or nothing where the form is at fault or the rules refuse: the form then says all of it."""
    own = list(form.own_problems())
    try:
        with transaction.atomic():
            battle = battles.plan_battle(actor=user, campaign=campaign, **form.arguments())
            refuse_any(own)
    except Refusal as refusal:
        # A side that was not chosen at all is told once, and not as a nameless guest as well.
        told = {problem.rule for problem in own}
        form.blame([*own, *(problem for problem in refusal.problems if problem.rule not in told)])
        return None
    return battle


def limits_of(book: Rulebook, battle: Battle) -> RankLimits | None:
    """The rank limits that a battle looks at: those agreed on, else those of its size (R18)."""
    agreed = [limits for limits in book.rank_limits if limits.format == battle.rank_table]
    return agreed[0] if agreed else rank_limits_for(book, battle.size)


def seen(battle: Battle) -> str:
    """What the page of a battle has shown, in a word that changes when it does."""
    stands = "".join(str(int(side.mustered)) for side in battle.sides.all())
    return f"{battle.status}-{battle.version}-{stands}"


def _battle_context(request: HttpRequest, battle: Battle, *, organises: bool) -> dict[str, object]:
    views = side_views(request.user, battle, organises=organises)
    mine = [view.side for view in views if view.mine]
    own = [side for side in mine if side.own_register.owner_id == request.user.pk]
    # Organisers who play are not led to muster for their opponent; who only organises is led to either side.
    to_muster = [side for side in own or mine if not side.mustered]
    book = rulebook()
    # Organisers who wrote the report themselves may settle it, but are not led to: the other player looks first.
    confirmers = _confirmers(battle)
    own_report = battle.reported_by_id == request.user.pk and bool(confirmers)
    may_confirm = access.may_confirm(request.user, battle, organises=organises)
    return {
        "battle": battle,
        "campaign": battle.campaign,
        "sides": views,
        "acts": bool(mine),
        "to_muster": to_muster,
        "others": " and ".join(view.side.name for view in views if not view.side.mustered),
        "may_confirm": may_confirm and not own_report,
        "may_settle": may_confirm and own_report,
        "confirmers": confirmers,
        "standing": queries.standing_words(battle),
        "winner": next((view.side.name for view in views if view.side.colour == battle.winner), ""),
        "mission": book.story_arcs[arc].turning_point if (arc := battle.turning_point_id) else None,
        "game_type": game_type(battle.size),
        "limits": limits_of(book, battle),
        "result": queries.result(battle),
        "older_terms": older_terms(book, battle),
        "poll_url": f"{reverse('campaign:poll', args=[battle.pk])}?seen={seen(battle)}",
        "crumbs": _crumbs(battle.campaign),
    }


def _confirmers(battle: Battle) -> str:
    """Who may confirm a report besides the organisers: the players who did not write it."""
    owners = [side.register.owner for side in battle.sides.all() if side.register and side.register.owner]
    return " or ".join(owner.get_username() for owner in owners if owner.pk != battle.reported_by_id)


def _crumbs(campaign: Campaign) -> list[dict[str, str]]:
    return [{"label": str(campaign), "href": campaign.get_absolute_url()}]

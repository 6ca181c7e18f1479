"""Planning a battle, planning it anew, and mustering for it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from campaign import access, life, queries
from campaign.armies import limits_of
from campaign.books import book_of
from campaign.forms.cards import HandForm
from campaign.forms.muster import MusterForm
from campaign.forms.plan import PlanForm
from campaign.forms.refusals import blame, spoken
from campaign.forms.replan import ReplanForm, drawn_from
from campaign.hands import hands_of
from campaign.models import Battle, Campaign, Side
from campaign.services import battles, mustering
from catalogue.snapshot import rulebook
from registers.services import ledger
from rules.army import game_type
from rules.force import Force
from rules.refusal import Refusal, refuse_any
from rules.rulebook import Rulebook

from .battle import crumb, crumbs_of, version_in


def plan(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Plan a battle: who, how many points, which colours, whose mission (R17, R18, R22)."""
    campaign, role = access.played_campaign_for(request.user, pk)
    candidates = partial(queries.candidates, role, campaign)
    form = PlanForm(rulebook(), candidates, request.POST if request.method == "POST" else None)
    if request.method == "POST" and (battle := _planned(role, campaign, form)):
        return redirect(battle)
    context = {"campaign": campaign, "crumbs": crumbs_of(campaign), **form.context()}
    return render(request, "campaign/plan.html", context, status=422 if form.problems else 200)


def replan(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Agree on another date, place or size, as long as the battle has not begun."""
    battle, _role = access.fought_battle_for(request.user, pk)
    if battle.status not in life.BEFORE_PLAY and request.method != "POST":
        return redirect(battle)
    form = ReplanForm(request.POST if request.method == "POST" else None, initial=drawn_from(battle))
    if request.method == "POST" and form.is_valid():
        try:
            battles.replan(actor=request.user, battle_id=battle.pk, **form.cleaned_data)
        except Refusal as refusal:
            blame(form, refusal)
            form.data = {
                **form.data.dict(),
                "version": battle.plan_version,
            }  # what is seen now may be changed
        else:
            return redirect(battle)
    context = {"battle": battle, "form": form, "crumbs": [*crumbs_of(battle.campaign), crumb(battle)]}
    return render(request, "campaign/replan.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters("hand")
def muster(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the army of a side together; `reckon` in the form only counts it, `then` may begin the battle at once."""
    side, role = access.side_for(request.user, pk)
    battle = side.battle
    if battle.status not in life.BEFORE_PLAY and request.method != "POST":
        return redirect(battle)
    force = ledger.state_of(side.own_register)
    book = book_of(side)
    both = list(battle.sides.all())
    other = next(other for other in both if other.pk != side.pk)
    form = MusterForm(
        book=book,
        force=force,
        side=side,
        terms=mustering.terms_for(battle, side, both),
        limits=limits_of(book, battle),
        hand=_hand_form(request, role, side, book, force),
        said=request.POST if request.method == "POST" else None,
    )
    if request.method == "POST" and "reckon" not in request.POST:
        try:
            refuse_any([*form.empty_handed(), *form.unsaid()])
            return _muster(request, side, form)
        except Refusal as refusal:
            form.problems = refusal.problems
    context = {
        "side": side,
        "battle": battle,
        "other": other,
        "acting_for": ledger.in_stead(request.user, side.own_register),
        "may_begin": other.mustered,
        "is_today": battle.date <= timezone.localdate(),
        "game_type": game_type(battle.size),
        "crumbs": [*crumbs_of(battle.campaign), crumb(battle)],
        **form.context(),
    }
    template = "campaign/muster.html"
    if request.htmx and request.POST.get("reckon") == "1":
        template += "#reckoned"
    return render(request, template, context, status=422 if form.problems else 200)


def _hand_form(
    request: HttpRequest, role: access.CampaignRole, side: Side, book: Rulebook, force: Force
) -> HandForm:
    """The Command Hand as this person may enter and see it (R24)."""
    hand = hands_of(request.user, side.battle, book).get(side.pk)
    return HandForm(
        book,
        force,
        said=request.POST if request.method == "POST" else None,
        kept=tuple(card.slug for card in (hand.cards or ())) if hand else (),
        recorded=hand.size if hand else 0,
        enter=access.may_enter_hand(role, side),
        see=access.may_see_hand(request.user, side),
    )


def _planned(role: access.CampaignRole, campaign: Campaign, form: PlanForm) -> Battle | None:
    """The battle, or nothing where the form is at fault or the rules refuse: the form then says all of it."""
    own = list(form.own_problems(queries.led_by(role, campaign)))
    try:
        return battles.plan_battle(actor=role.user, campaign=campaign, amiss=own, **form.arguments())
    except Refusal as refusal:
        # A side that was not chosen at all is told once, and not as a nameless guest as well.
        told = {problem.rule for problem in own}
        others = [problem for problem in refusal.problems if problem not in own]
        form.blame([*own, *(problem for problem in others if problem.rule not in told)])
        return None


def _muster(request: HttpRequest, side: Side, form: MusterForm) -> HttpResponse:
    """Field the army, and begin at once if that was wished."""
    entry: mustering.Mustering = {
        "army": form.army,
        "hand": form.hand.entry,
        "version": version_in(request) if "version" in request.POST else None,
    }
    if request.POST.get("then") != "begin":
        return redirect(mustering.muster(actor=request.user, side_id=side.pk, **entry))
    battle, refused = mustering.muster_and_begin(actor=request.user, side_id=side.pk, **entry)
    if refused:
        messages.error(request, spoken(refused.problems))
    return redirect(battle)

"""The page of a battle, and what is done on it in one tap: beginning it, calling it off, acting for a player."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.models import User
from campaign import access, chronicle, life, queries
from campaign.armies import SideView, limits_of, side_views
from campaign.battle_dice import promise_of
from campaign.facts import Facts
from campaign.forms.refusals import said, spoken
from campaign.models import Battle, Campaign, Side
from campaign.page_versions import page_version, page_version_now
from campaign.paper.muster import is_printable
from campaign.services import battles, mustering
from campaign.services.life import stand_in
from campaign.terms import older_terms
from catalogue.snapshot import rulebook
from registers.numbers import whole_number
from rules.army import game_type
from rules.refusal import Problem, Refusal

#: To mix a word into the dice, which is no act of `life.Act`.
WORD = "word"


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Where a battle stands, its armies and its report, and what is next."""
    return show(request, *access.battle_for(request.user, pk))


@require_GET
def poll(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Reload the page once the version in `seen` is out of date; else answer with nothing."""
    now = page_version_now(request.user, pk)
    if not now:
        raise Http404("No such battle")
    if request.GET.get("seen") == now:
        return HttpResponse(status=204)
    return HttpResponseClientRefresh()


@require_POST
def begin(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Say "we begin": the Registers take the field."""
    battle, _role = access.fought_battle_for(request.user, pk)
    try:
        mustering.begin(actor=request.user, battle_id=battle.pk)
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
    return redirect(battle)


@require_POST
def call_off(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Call the battle off, as long as its sequence has not begun."""
    battle, _role = access.fought_battle_for(request.user, pk)
    try:
        battles.call_off(
            actor=request.user,
            battle_id=battle.pk,
            reason=request.POST.get("reason", ""),
            stage=request.POST.get("stage"),
        )
    except Refusal as refusal:
        return show(request, *access.battle_for(request.user, pk), life.Act.CALL_OFF, refusal.problems)
    messages.success(request, _("Battle %(number)s is called off.") % {"number": battle.number})
    return redirect(battle.campaign)


@require_http_methods(["GET", "HEAD", "POST"])
def act_for(request: HttpRequest, pk: int) -> HttpResponse:
    """Say as an organiser that one acts for the player of a side though one plays the other."""
    side = access.opposed_side_for(request.user, pk)
    battle = side.battle
    if request.method == "POST":
        try:
            stand_in(actor=request.user, side_id=side.pk)
        except Refusal as refusal:
            messages.error(request, spoken(refusal.problems))
            return redirect(battle)
        if battle.status == Battle.Status.SEQUENCE:
            return redirect("campaign:sequence_side", battle.pk, side.colour)
        return redirect(battle)
    context = {"battle": battle, "side": side, "crumbs": [*crumbs_of(battle.campaign), crumb(battle)]}
    return render(request, "campaign/act_for.html", context)


def show(
    request: HttpRequest,
    battle: Battle,
    role: access.CampaignRole,
    act: str = "",
    problems: Sequence[Problem] = (),
) -> HttpResponse:
    """The page; with the `problems` of an `act` that was refused (of `life.Act`, or WORD) it keeps what was typed.

    They stand beside its form, or above all else if the battle has come to where there is none.
    """
    views = side_views(role, battle)
    events = chronicle.lines(chronicle.of_battle(battle))
    may = life.open_to(life.who_is(role, battle), battle)
    if problems and act not in (WORD, *may):
        messages.error(request, spoken(problems))
    book = rulebook()
    context = {
        "battle": battle,
        "campaign": battle.campaign,
        "sides": views,
        "acts": any(view.mine for view in views),
        "printable": any(map(is_printable, views)),
        "may": {str(act): True for act in may},
        "to_muster": _to_muster(request, views),
        "others": _(" and ").join(view.side.name for view in views if not view.side.mustered),
        "confirmers": _confirmers(battle),
        "open_revision": queries.open_revision_of(battle) if life.Act.REVISE in may else None,
        "standing": queries.standing_words(battle),
        "winner": next((view.side.name for view in views if view.side.colour == battle.winner), ""),
        "mission": book.story_arcs[arc].turning_point if (arc := battle.turning_point_id) else None,
        "game_type": game_type(battle.size),
        "limits": limits_of(book, battle),
        "compare": _comparison(battle),
        "older_terms": older_terms(book, battle),
        "poll_url": f"{reverse('campaign:poll', args=[battle.pk])}?seen={page_version(battle)}",
        "crumbs": crumbs_of(battle.campaign),
        "events": events,
        "dispute": next((line for line in events if line.act == life.Act.DISPUTE), None),
        "nothing_entered": said(nothing_entered(request.user, battle)),
        "refused": {str(act): said(problems)},
        "reason": {str(act): request.POST.get("reason", "")},
        "promise": promise_of(role, battle),
        "word": request.POST.get("word"),
    }
    return render(request, "campaign/battle.html", context, status=422 if problems else 200)


def nothing_entered(user: User, battle: Battle) -> list[Problem]:
    """The halves of a report that are this user's own and empty: whoever confirms one says so (R25)."""
    if battle.status != Battle.Status.REPORTED or battle.reported_by_id == user.pk:
        return []
    text = _("Nothing is entered for %(side)s: enter it, or say that there is nothing.")
    empty = [side for side in battle.sides.all() if _is_empty(side, user)]
    return [Problem("R25", text % {"side": side.name}) for side in empty]


def _is_empty(side: Side, user: User) -> bool:
    return bool(side.register and side.register.owner_id == user.pk) and Facts(**side.report).empty


def version_in(request: HttpRequest) -> int:
    """The version that a form was drawn from; one that nothing has, if it does not say."""
    version = whole_number(request.POST.get("version", ""))
    return -1 if version is None else version


def crumbs_of(campaign: Campaign) -> list[dict[str, str]]:
    """The way back from a page of one of its battles."""
    return [{"label": str(campaign), "href": campaign.get_absolute_url()}]


def crumb(battle: Battle) -> dict[str, str]:
    """The battle as the last part of that way."""
    return {"label": str(battle), "href": battle.get_absolute_url()}


def _comparison(battle: Battle) -> str:
    """Where both Registers of a battle that is not fought yet stand beside each other; empty with a guest."""
    one, other = (side.register_id for side in battle.sides.all())
    if battle.status not in life.BEFORE_PLAY or not one or not other:
        return ""
    chosen = urlencode({"one": one, "other": other})
    return f"{reverse('campaign:compare', args=[battle.campaign_id])}?{chosen}"


def _to_muster(request: HttpRequest, views: list[SideView]) -> list[Side]:
    """The sides that are to muster: of one's own, else, for who only organises, of both."""
    mine = [view.side for view in views if view.mine]
    own = [side for side in mine if side.own_register.owner_id == request.user.pk]
    return [side for side in own or mine if not side.mustered]


def _confirmers(battle: Battle) -> str:
    """Who may confirm a report: the players whose it is not."""
    owners = [side.register.owner for side in battle.sides.all() if side.register and side.register.owner]
    return _(" or ").join(owner.get_username() for owner in owners if owner.pk != battle.reported_by_id)

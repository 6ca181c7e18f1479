"""The table page: a battle in play on one phone screen, to mark units and count tokens.

Each unit is a form of its own. HTMX gets only that form in response, so that a quick tap on the next unit is not
lost; the poll brings changes from the other phone. Without JavaScript the browser is redirected to the page.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.forms.actions import TapForm
from campaign.battles.models import Battle
from campaign.battles.queries.page_versions import table_version_now
from campaign.battles.queries.table import TableSide, table_sides, table_version
from campaign.battles.services import table as service
from campaign.views.common import crumbs_of, mission_of
from core.form_errors import as_sentence, valid
from core.form_fields import entered
from rules.core.violations import RuleViolation


@never_cache
@sensitive_post_parameters("play", "undo")
@require_http_methods(["GET", "HEAD", "POST"])
def at_table(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show both sides, and take marks from users who fight in the battle. `seen` in the URL makes it a poll."""
    if request.method == "POST":
        return _take(request, *battle_access.fought_battle_for(request.user, pk))
    if request.htmx and "seen" in request.GET and request.GET["seen"] == table_version_now(request.user, pk):
        return HttpResponse(status=204)
    battle, role = battle_access.battle_for(request.user, pk)
    if battle.status != Battle.Status.IN_PLAY:
        home = battle.get_absolute_url()
        return HttpResponseClientRedirect(home) if request.htmx else redirect(home)
    fragment = "#everything" if request.htmx else ""
    return render(request, f"battles/table.html{fragment}", _context(request, role, battle))


def _take(request: HttpRequest, battle: Battle, role: access.CampaignRole) -> HttpResponse:
    form = TapForm(battle.sides.all(), request.POST)
    side, status = entered(form)["side"] or None, 200
    try:
        battle = _serve(request, form)
    except RuleViolation as refusal:
        messages.error(request, as_sentence(refusal.violations))
        status = 422
        battle, role = battle_access.fought_battle_for(request.user, battle.pk)  # in its current state
    if not request.htmx:
        query = f"?side={side.colour}" if side else ""
        return redirect(f"{reverse('battles:table', args=[battle.pk])}{query}")
    if side is None:
        return render(request, "components/messages.html", {"oob": True}, status=status)
    if battle.status != Battle.Status.IN_PLAY:
        return HttpResponseClientRedirect(battle.get_absolute_url())
    context = _context(request, role, battle)
    context["view"] = next(view for view in context["sides"] if view.side.pk == side.pk)
    context["row"] = next((row for row in context["view"].units if row.key == form["unit"].data), None)
    return render(request, "battles/table.html#taken", context, status=status)


def _serve(request: HttpRequest, form: TapForm) -> Battle:
    """Do the action of the submitted button. Return the battle."""
    cleaned = valid(form)
    sent = {"actor": request.user, "side_id": cleaned["side"].pk}
    if form.act == "tokens":
        return service.count_tokens(**sent, before=cleaned["before"], after=cleaned["tokens"])
    if form.act in ("play", "undo"):
        return service.play_card(**sent, card=cleaned[form.act], played=form.act == "play")
    return service.mark_unit(**sent, word=form.act, unit=cleaned["unit"], yes=cleaned[form.act] == "yes")


def _context(request: HttpRequest, role: access.CampaignRole, battle: Battle) -> dict[str, object]:
    sides = table_sides(request.user, battle)
    current = _current(request, sides)
    url = reverse("battles:table", args=[battle.pk])
    return {
        "battle": battle,
        "sides": sides,
        "current": current.side.colour,
        "takes": role.is_organizer or battle_access.plays(role, battle),
        "mission": mission_of(battle),
        "tabs": [
            {"label": view.side.name, "href": f"{url}?side={view.side.colour}", "current": view is current}
            for view in sides
        ],
        "table_url": url,
        "poll_url": f"{url}?seen={table_version(battle, sides)}",
        "crumbs": crumbs_of(battle),
    }


def _current(request: HttpRequest, sides: list[TableSide]) -> TableSide:
    """Return the side to show on the phone: the requested one, or else the user's own, or else blue."""
    wished = [view for view in sides if view.side.colour == request.GET.get("side")]
    own = [view for view in sides if view.side.register and view.side.register.owner_id == request.user.pk]
    return (wished or own or sides)[0]

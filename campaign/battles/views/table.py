"""The table page: the main page of a battle in play, on one phone screen.

Each unit is a form of its own. HTMX gets only that form in response, so that a quick tap on the next unit is not
lost; the poll brings changes from the other phone. Without JavaScript the browser is redirected to the page.
"""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_htmx.http import HttpResponseClientRedirect

from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.forms.actions import TapForm
from campaign.battles.models import Battle
from campaign.battles.pages.table import TableSide, map_of, table_sides
from campaign.battles.queries.battles import mission_of
from campaign.battles.queries.page_versions import table_version, table_version_now
from campaign.battles.services import table as service
from core.form_errors import as_sentence, valid
from core.form_fields import entered
from core.open_page import open_page
from ops.paths import BASE_DIR
from rules.core.violations import RuleViolation

WORKER = BASE_DIR / "static" / "js" / "table-worker.js"
#: The services for the numbers that the page counts up and down, by the name of their button.
COUNTS = {"tokens": service.count_tokens, "vp": service.count_victory_points, "round": service.set_round}


@never_cache
@sensitive_post_parameters("play", "undo")
def at_table(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show both sides, and save marks by users who play in the battle. `seen` in the URL makes it a poll."""
    if request.method == "POST":
        return _save(request, *battle_access.fought_battle_for(request.user, pk))
    if request.htmx and "seen" in request.GET and request.GET["seen"] == table_version_now(request.user, pk):
        return HttpResponse(status=204)
    battle, role = battle_access.battle_for(request.user, pk)
    if battle.status != Battle.Status.IN_PLAY:
        home = battle.get_absolute_url()
        return HttpResponseClientRedirect(home) if request.htmx else redirect(home)
    fragment = "#everything" if request.htmx else ""
    return render(request, f"battles/table.html{fragment}", _context(request, role, battle))


@open_page
def table_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, at an address that limits its scope to pages of battles."""
    return HttpResponse(
        WORKER.read_text("utf-8"), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


@open_page
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker shows without a connection. It is the same for everyone."""
    return HttpResponse(render_to_string("offline.html"))


def _save(request: HttpRequest, battle: Battle, role: access.CampaignRole) -> HttpResponse:
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
    if form.act == "round":  # changes the marks of all units
        return render(request, "battles/table.html#everything", context, status=status)
    context["view"] = next(view for view in context["sides"] if view.side.pk == side.pk)
    context["row"] = next((row for row in context["view"].units if row.key == form["unit"].data), None)
    return render(request, "battles/table.html#saved", context, status=status)


def _serve(request: HttpRequest, form: TapForm) -> Battle:
    """Do the action of the submitted button. Return the battle."""
    cleaned = valid(form)
    sent = {"actor": request.user, "side_id": cleaned["side"].pk}
    if form.act in COUNTS:
        return COUNTS[form.act](**sent, before=cleaned["before"], after=cleaned[form.act])
    if form.act == "activated":
        yes, number = cleaned["activated"] == "yes", cleaned["in_round"]
        return service.mark_activated(**sent, unit=cleaned["unit"], number=number, yes=yes)
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
        "may_mark": role.is_organizer or battle_access.plays(role, battle),
        "mission": mission_of(battle),
        "mission_map": map_of(battle),
        "round_side": next(view.side for view in (current, *sides) if view.side.register),
        "table_url": url,
        "details_url": f"{battle.get_absolute_url()}?details",
        "poll_url": f"{url}?seen={table_version(battle, [view.version for view in sides])}",
    }


def _current(request: HttpRequest, sides: list[TableSide]) -> TableSide:
    """Return the side to show on the phone: the requested one, or else the user's own, or else blue."""
    wished = [view for view in sides if view.side.colour == request.GET.get("side")]
    own = [view for view in sides if view.side.register and view.side.register.owner_id == request.user.pk]
    return (wished or own or sides)[0]

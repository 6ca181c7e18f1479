"""Reporting a battle, and confirming what was reported."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaign import access
from campaign.forms.refusals import spoken
from campaign.forms.report import ReportForm
from campaign.models import Battle
from campaign.services import reports
from catalogue.snapshot import rulebook
from registers.services import ledger
from rules.refusal import Refusal, refuse_any

REPORTABLE = (Battle.Status.IN_PLAY, Battle.Status.REPORTED)


def report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The report on one form; `reckon` in the form only says what it would come to."""
    battle = access.fought_battle_for(request.user, pk)
    sides = list(battle.sides.all())
    if battle.status not in REPORTABLE and request.method != "POST":
        return redirect(battle)
    forces = ledger.forces_of([side.register for side in sides if side.register])
    posted = request.POST if request.method == "POST" else None
    form = ReportForm(battle, sides, forces, posted)
    alone = not reports.needs_other_to_confirm(sides, request.user)
    if posted is not None and "reckon" not in posted:
        try:
            refuse_any(form.own_problems())
            send = reports.report_and_begin if alone else reports.report
            send(actor=request.user, battle_id=battle.pk, version=form.version, report=form.report())
        except Refusal as refusal:
            form.problems = list(refusal.problems)
        else:
            return redirect("campaign:sequence", battle.pk) if alone else redirect(battle)
    mine = {side.colour for side in sides if side.register and side.register.owner_id == request.user.pk}
    context = {
        "battle": battle,
        "alone": alone,
        "turning_point": rulebook().story_arcs[arc].turning_point
        if (arc := battle.turning_point_id)
        else None,
        "other_player": _other_player(battle, request),
        "crumbs": [{"label": str(battle), "href": battle.get_absolute_url()}],
        **form.context(mine=mine or {side.colour for side in sides}),
    }
    template = "campaign/report.html"
    if request.htmx and posted is not None and "reckon" in posted:
        template += "#outcomes" if posted["reckon"] == "outcomes" else "#sides"
    return render(request, template, context, status=422 if form.problems else 200)


@require_POST
def confirm(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Agree to the report as it was shown; then the sequence begins."""
    battle = access.fought_battle_for(request.user, pk)
    organises = access.is_organiser(request.user, battle.campaign)
    version = request.POST.get("version", "")
    begun = battle.status in (Battle.Status.SEQUENCE, Battle.Status.CLOSED)
    if not begun and not access.may_confirm(request.user, battle, organises=organises):
        messages.error(request, "The other player confirms this report.")
        return redirect(battle)
    try:
        reports.confirm(
            actor=request.user, battle_id=battle.pk, version=int(version) if version.isdecimal() else -1
        )
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
        return redirect(battle)
    if access.plays(request.user, battle):
        return redirect("campaign:sequence", battle.pk)
    return redirect(battle)


def _other_player(battle: Battle, request: HttpRequest) -> str:
    owners = [side.register.owner for side in battle.sides.all() if side.register and side.register.owner]
    return next((owner.get_username() for owner in owners if owner.pk != request.user.pk), "")

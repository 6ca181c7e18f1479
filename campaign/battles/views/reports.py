"""Pages to report a battle, and to confirm, dispute or settle its report."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.models import User
from campaign.battles import access as battle_access, state_machine
from campaign.battles.forms.actions import ConfirmForm, DisputeForm, SettleForm
from campaign.battles.forms.report import ReportForm
from campaign.battles.models import Side
from campaign.battles.pages import activity
from campaign.battles.queries.battles import mission_of
from campaign.battles.services import reports
from campaign.battles.views.battles import nothing_entered, perform
from campaign.models import Action
from core.form_errors import refusals_as_messages, refusals_on, valid
from core.form_fields import posted
from core.ui.crumbs import crumbs_of
from registers import projection
from rules.core.violations import raise_if_any


def report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the report form; `reckon` in the form only previews its result."""
    battle, role = battle_access.fought_battle_for(request.user, pk)
    sides = list(battle.sides.all())
    if battle.status not in state_machine.FOUGHT and request.method != "POST":
        return redirect(battle)
    states = projection.states_of([side.register for side in sides if side.register])
    form = ReportForm(battle, sides, states, posted(request))
    colour = str(form["for"].data or "")
    alone = not reports.needs_other_to_confirm(sides)
    is_valid = form.is_valid()
    if not form.is_sent:
        form.drop_errors()
    elif is_valid and _is_written(request.user, form, colour, alone=alone):
        return redirect("battles:sequence", battle.pk) if alone else redirect(battle)
    context = _context(form, sides, request.user, reports.player_reporting(request.user, sides, colour))
    context["alone"] = alone
    who = state_machine.battle_role(role, battle)
    context["may_settle"] = not alone and state_machine.may_report_and_settle(who, battle)
    return render(request, template_of(request, context), context, status=422 if form.is_sent else 200)


def _is_written(actor: User, form: ReportForm, colour: str, *, alone: bool) -> bool:
    """Save the report; begin the sequence if nobody has to confirm it. If refused, the form says why."""
    sent: dict[str, Any] = {
        "actor": actor,
        "battle_id": form.battle.pk,
        "version": form.cleaned_data["version"],
        "report": form.report(),
    }
    with refusals_on(form, form.add_violations):
        if alone:
            reports.report_and_begin(**sent)
        elif form.cleaned_data["settle"]:
            reports.report_and_settle(**sent)
        else:
            reports.report(**sent, colour=colour)
        return True
    return False


def _context(form: ReportForm, sides: list[Side], user: User, reporter: User | None) -> dict[str, Any]:
    battle = form.battle
    mine = {side.colour for side in sides if side.register and side.register.owner_id == user.pk}
    owners = [side.register.owner for side in sides if side.register and side.register.owner]
    disputed = battle.status == battle.Status.DISPUTED
    return {
        "battle": battle,
        "here": reverse("battles:report", args=[battle.pk]),
        "dispute": activity.latest(battle, Action.DISPUTE) if disputed else None,
        "reporter": reporter,
        "acting": not mine,
        "turning_point": mission_of(battle),
        "other_player": next((user.get_username() for user in owners if user != reporter), ""),
        "crumbs": crumbs_of(battle),
        **form.context(mine=mine or {side.colour for side in sides}),
    }


@require_POST
def confirm_report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Agree to the report on the page; then the sequence begins."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    with refusals_as_messages(request):
        cleaned = valid(ConfirmForm(request.POST))
        if not cleaned["nothing"]:
            raise_if_any(nothing_entered(request.user, battle))
        reports.confirm_report(actor=request.user, battle_id=battle.pk, version=cleaned["version"])
        return redirect("battles:sequence", battle.pk)
    return redirect(battle)


@require_POST
def dispute(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Dispute the report on the page, with a reason."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    act = partial(reports.dispute, actor=request.user, battle_id=battle.pk)
    return perform(request, battle.pk, DisputeForm(request.POST), act) or redirect(battle)


@require_POST
def settle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Settle the report on the page as an organizer; then the sequence begins."""
    battle = battle_access.organized_battle_for(request.user, pk)
    act = partial(reports.settle, actor=request.user, battle_id=battle.pk)
    return perform(request, battle.pk, SettleForm(request.POST), act) or redirect(battle)


def template_of(request: HttpRequest, context: dict[str, Any]) -> str:
    """Return the template of the report page, or of the part that previews the form's result."""
    reckon = context["form"]["reckon"].data if request.htmx else None
    # Only a partial response swaps out of band. In a whole page, HTMX would remove that part from the form.
    context["reckoned"] = reckon is not None
    if reckon is None:
        return "battles/report.html"
    return f"battles/report.html#{'outcomes' if reckon == 'outcomes' else 'sides'}"

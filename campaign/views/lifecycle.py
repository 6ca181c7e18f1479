"""Pages that close, archive, reopen, delete and restore a campaign, and the page of one that is over."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from campaign import access
from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages.battle_lines import battle_lines
from campaign.chronicle.narrative.battle_story import battle_stories
from campaign.chronicle.narrative.book import fallen, honors, number_in_words
from campaign.enlistments.forms import StatusForm
from campaign.lifecycle import queries, services
from campaign.lifecycle.access import lifecycle_campaign_for
from campaign.pages.standings import standings_table
from campaign.queries.registers import playing_in, registers_of
from core.db.snapshot import read_snapshot
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_in
from core.form_fields import entered, pressed_button
from core.retention import IN_BIN
from core.ui.crumbs import crumbs_of, home_crumb
from rules.core.violations import Violation

#: The service of each button, and the message once it is done.
ACTS = {
    services.CLOSE: (services.close, gettext_noop("%(campaign)s is closed.")),
    services.ARCHIVE: (partial(services.close, archive=True), gettext_noop("%(campaign)s is archived.")),
    services.REOPEN: (services.reopen, gettext_noop("%(campaign)s is open again.")),
    services.RESTORE: (services.restore, gettext_noop("%(campaign)s is restored.")),
}


@require_safe
@read_snapshot()
def end(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the final standings, the roll of honor and the fallen of a campaign that is over."""
    campaign, role = access.campaign_for(request.user, pk)
    if campaign.is_open:
        return redirect(campaign)
    whole = standings_table(playing_in(registers_of(campaign)), request.user, QueryDict("all=1"))
    closed = campaign.battles.filter(status=Battle.Status.CLOSED).order_by("number").prefetch_related(SIDES)
    told = list(battle_stories(list(closed)).values())
    days = [story.date for story in told]
    context = {
        "campaign": campaign,
        "organizes": role.is_organizer,
        "places": sorted(whole.places, key=lambda place: place.number),
        "teams": whole.teams,
        "honors": honors(told),
        "fallen": fallen(told),
        "words": number_in_words(len(told)),
        "first": min(days, default=None),
        "last": max(days, default=None),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/end.html", context)


def lifecycle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Say what follows from closing, archiving and reopening a campaign, and do it; restore a deleted one."""
    campaign = lifecycle_campaign_for(request.user, pk)
    violations: list[Violation] = []
    if button := pressed_button(request.POST, *ACTS):
        act, message = ACTS[button]
        planned = entered(StatusForm(request.POST))["planned"]
        asked = {"planned": planned} if button in (services.CLOSE, services.ARCHIVE) else {}
        with refusals_in(violations):
            campaign = act(actor=request.user, campaign=campaign, **asked)
            messages.success(request, gettext(message) % {"campaign": campaign})
            return redirect("campaign:end", pk=pk)  # leads on to the campaign if that is open
    battles = list(campaign.battles.order_by("number").prefetch_related(SIDES))
    under_way = queries.battles_under_way(battles)
    context = {
        "campaign": campaign,
        "gone_at": campaign.deleted_at and campaign.deleted_at + IN_BIN,
        "under_way": battle_lines(under_way),
        "planned": battle_lines(queries.planned_battles(battles)),
        "violations": as_context(violations),
        "crumbs": [home_crumb()] if campaign.deleted_at else crumbs_of(campaign),
    }
    return form_page(request, "campaign/lifecycle.html", context, refused=violations)


def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask before deleting a campaign, listing what it loses and keeps; then delete it."""
    campaign = lifecycle_campaign_for(request.user, pk)
    if request.method == "POST":
        with refusals_as_messages(request):
            deleted = services.delete(actor=request.user, campaign=campaign)
            text = gettext("%(campaign)s is deleted. You can restore it for %(days)s days.")
            messages.success(request, text % {"campaign": deleted, "days": IN_BIN.days})
        return redirect("campaign:delete", pk=pk)
    if campaign.deleted_at:
        return redirect("campaign:lifecycle", pk=pk)
    context = {
        "campaign": campaign,
        "to_do": as_context(queries.deletion_violations(campaign)),
        "days": IN_BIN.days,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/delete.html", context)

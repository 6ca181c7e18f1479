"""Pages of teams: their standings, the Registers in them, and each team."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign import access
from campaign.battles.pages.register_lines import outlines
from campaign.models import Campaign
from campaign.queries.registers import by_standing, registers_of
from campaign.teams.forms import AssignForm, ChoiceSettingForm, TeamForm
from campaign.teams.models import Colour, Emblem, Team
from campaign.teams.services import teams as services
from campaign.teams.standings import team_standings
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import posted, pressed_button
from core.names import name_order
from core.ui.crumbs import crumbs_of
from rules.core.violations import refuse

CREATE, ASSIGN, CHOICE, DELETE = "create", "assign", "choice", "delete"


def index(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the standings of the teams and the Registers in them. Organizers create teams, assign Registers, and let
    players choose (`create`, `assign`, `choice`); players may then assign their own Registers.
    """
    campaign, role = access.campaign_for(request.user, pk)
    may_choose = services.players_choose(campaign)
    if request.method == "POST" and not role.is_organizer and not (may_choose and role.is_player):
        raise Http404("No teams to change")
    if request.method == "POST":
        access.check_state(campaign)
    button = pressed_button(request.POST, CREATE, ASSIGN, CHOICE)
    if button and button != ASSIGN and not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    new = TeamForm(request.POST if button == CREATE else None, initial=_unused(campaign))
    if button == CREATE and new.is_valid():
        with refusals_on(new):
            return _saved(request, campaign, new)
    if button == CHOICE:
        allowed = "players_choose" in request.POST
        services.let_players_choose(actor=request.user, campaign=campaign, allowed=allowed)
        messages.success(request, _("Setting saved."))
        return redirect("teams:index", pk=pk)
    return _index_page(request, campaign, role, new, may_choose=may_choose, assigns=button == ASSIGN)


def _index_page(
    request: HttpRequest,
    campaign: Campaign,
    role: access.CampaignRole,
    new: TeamForm,
    *,
    may_choose: bool,
    assigns: bool,
) -> HttpResponse:
    registers, teams = (
        by_standing(registers_of(campaign)),
        sorted(campaign.teams.all(), key=lambda team: name_order(team.name)),
    )
    own = [each for each in registers if each.owner_id == request.user.pk]
    assignable = registers if role.may_organize() else own if may_choose and role.may_play() else []
    assign = AssignForm(assignable, teams, request.POST if assigns else None)
    if assigns and assign.is_valid():
        with refusals_on(assign):
            services.assign_registers(actor=request.user, campaign=campaign, teams=assign.sent())
            messages.success(request, _("Teams saved."))
            return redirect("teams:index", pk=campaign.pk)
    context = {
        "campaign": campaign,
        "organizes": role.may_organize(),
        "teams": teams,
        "standings": team_standings(outlines(registers)),
        "assign": assign if teams and assignable else None,
        "new": new,
        "setting": ChoiceSettingForm(initial={"players_choose": may_choose}),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "teams/index.html", context, refused=assign.errors)


def team(request: HttpRequest, pk: UUID, team: UUID) -> HttpResponse:
    """Change a team; `delete` deletes it."""
    campaign = access.organized_campaign_for(request.user, pk)
    found = get_object_or_404(campaign.teams, pk=team)
    if pressed_button(request.POST, DELETE):
        with refusals_as_messages(request):
            services.delete_team(actor=request.user, campaign=campaign, team_id=found.pk)
            messages.success(request, _("%(team)s was deleted.") % {"team": found})
            return redirect("teams:index", pk=pk)
        return redirect(found)
    values = {"team": found.pk, "name": found.name, "colour": found.colour, "emblem": found.emblem}
    form = TeamForm(posted(request), initial=values)
    with refusals_on(form):
        if valid(form)["team"] != found.pk:
            raise refuse("", _("This form is out of date. Reload the page."))
        return _saved(request, campaign, form)
    crumbs = [*crumbs_of(campaign), {"label": _("Teams"), "href": reverse("teams:index", args=[pk])}]
    context = {"campaign": campaign, "team": found, "form": form, "crumbs": crumbs}
    return form_page(request, "teams/team.html", context)


def _saved(request: HttpRequest, campaign: Campaign, form: TeamForm) -> HttpResponse:
    values = dict(form.cleaned_data)
    saved = services.save_team(actor=request.user, campaign=campaign, team_id=values.pop("team"), **values)
    messages.success(request, _("%(team)s was saved.") % {"team": saved})
    return redirect("teams:index", pk=campaign.pk)


def _unused(campaign: Campaign) -> dict[str, Any]:
    """Return what a new team starts with: the first color and emblem that no team has."""
    used = [(each.colour, each.emblem) for each in Team.objects.filter(campaign=campaign)]
    colours, emblems = [colour for colour, _emblem in used], [emblem for _colour, emblem in used]
    return {
        "team": uuid4(),
        "colour": next((each for each in Colour.values if each not in colours), Colour.values[0]),
        "emblem": next((each for each in Emblem.values if each not in emblems), Emblem.values[0]),
    }

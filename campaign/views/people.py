"""The people of a campaign: who they are, what they may, how they come and go."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import too_often
from accounts.models import User
from campaign import access, roster
from campaign.forms.people import ROLES, InvitationForm, MemberForm
from campaign.forms.refusals import blame, said, spoken
from campaign.models import Campaign, Kind, Membership
from campaign.services import invitations
from campaign.services import people as services
from rules.refusal import Problem, Refusal

from .battle import crumbs_of


@require_safe
def people(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Who is in the campaign; for organisers also the ways into it."""
    campaign, role = access.campaign_for(request.user, pk)
    return people_page(request, campaign, organises=role.is_organizer)


@require_POST
def add_member(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add somebody by the name they sign in with."""
    campaign = access.organised_campaign_for(request.user, pk)
    if limited := too_often(request, "add_member"):
        return limited
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            added = services.add_member(
                actor=request.user, campaign=campaign, username=form.cleaned_data["username"]
            )
        except Refusal as refusal:
            blame(form, refusal)
        else:
            messages.success(
                request, _("%(person)s is in %(campaign)s.") % {"person": added, "campaign": campaign}
            )
            return redirect("campaign:people", pk=pk)
    return people_page(request, campaign, member_form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, pk: UUID, user: int) -> HttpResponse:
    """Somebody's role; an organiser gives another, hands over to them, or removes them."""
    if request.POST.get("do") == "hand_over":
        campaign = access.handed_campaign_for(request.user, pk, user)
    else:
        campaign = access.organised_campaign_for(request.user, pk)
    membership = campaign.memberships.select_related("user").filter(user=user).first()
    if membership is None:
        return _removed_already(request, campaign, user)
    if request.method != "POST":
        return _person_page(request, membership)
    try:
        if request.POST.get("do") == "invite" and membership.user.is_stand_in:
            return _invite(request, membership)
        _do(request, campaign, membership)
    except Refusal as refusal:
        return _person_page(request, membership, refusal.problems)
    return redirect("campaign:people", pk=pk)


@require_POST
def leave(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Leave the campaign."""
    campaign = access.left_campaign_for(request.user, pk)
    try:
        services.leave(actor=request.user, campaign=campaign)
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
        return redirect("campaign:people", pk=pk)
    messages.success(request, _("You have left %(campaign)s.") % {"campaign": campaign})
    return redirect("home")


def people_page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    organises: bool = True,
    member_form: MemberForm | None = None,
    invitation_form: InvitationForm | None = None,
) -> HttpResponse:
    """The page, with a form that was refused as it was typed."""
    found = roster.people_of(campaign)
    context = {
        "campaign": campaign,
        "people": found,
        "organises": organises,
        "ways": roster.ways_into(campaign) if organises else [],
        "is_in": any(each.membership.user_id == request.user.pk for each in found),
        "member_form": member_form or MemberForm(),
        "invitation_form": invitation_form or InvitationForm(initial={"invitation": uuid4()}),
        "crumbs": crumbs_of(campaign),
    }
    refused = any(form and form.errors for form in (member_form, invitation_form))
    return render(request, "campaign/people.html", context, status=422 if refused else 200)


def _person_page(
    request: HttpRequest, membership: Membership, problems: tuple[Problem, ...] = ()
) -> HttpResponse:
    campaign = membership.campaign
    context = {
        "campaign": campaign,
        "person": membership.user,
        "membership": membership,
        "oneself": membership.user_id == request.user.pk,
        "roles": [
            {"value": role.value, "label": role.label, "note": note, "checked": role == membership.role}
            for role, note in ROLES.items()
        ],
        "may_hand_over": membership.user.is_active
        and campaign.memberships.filter(user=request.user, role=Membership.Role.ORGANISER).exists(),
        "registers": list(campaign.registers.filter(owner=membership.user)),
        "problems": said(problems),
        "crumbs": [
            *crumbs_of(campaign),
            {"label": _("People"), "href": f"{campaign.get_absolute_url()}people/"},
        ],
    }
    return render(request, "campaign/person.html", context, status=422 if problems else 200)


def _invite(request: HttpRequest, membership: Membership) -> HttpResponse:
    """An invitation for whoever's place is kept."""
    made = invitations.invite_to_place(actor=request.user, campaign=membership.campaign, of=membership.user)
    return redirect("campaign:invitation", pk=membership.campaign_id, invitation=made.pk)


def _do(request: HttpRequest, campaign: Campaign, membership: Membership) -> None:
    """What the pressed button says."""
    act = {"actor": request.user, "campaign": campaign, "user": membership.user}
    names = {"person": membership.user, "campaign": campaign}
    match request.POST.get("do"):
        case "role":
            given = services.give_role(**act, role=request.POST.get("role", ""))
            names["role"] = given.get_role_display()
            messages.success(request, _("%(person)s is %(role)s of %(campaign)s.") % names)
        case "hand_over":
            services.hand_over(**act)
            messages.success(request, _("%(person)s organises %(campaign)s now. You are a player.") % names)
        case "remove":
            services.remove(**act)
            _say_removed(request, campaign, membership.user)


def _removed_already(request: HttpRequest, campaign: Campaign, user: int) -> HttpResponse:
    """A removal that comes twice ends where the first one did. Nobody else who is not in the campaign has a page."""
    removed = campaign.events.filter(kind=Kind.REMOVED, facts__user=user)
    if request.POST.get("do") != "remove" or not removed.exists():
        raise Http404("Not in this campaign")
    _say_removed(request, campaign, User.objects.get(pk=user))
    return redirect("campaign:people", pk=campaign.pk)


def _say_removed(request: HttpRequest, campaign: Campaign, user: User) -> None:
    names = {"person": user, "campaign": campaign}
    messages.success(request, _("%(person)s is not in %(campaign)s any more.") % names)

"""Giving a Register to another player of the campaign."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.models import User
from campaign import access
from campaign.forms.refusals import said
from campaign.models import Campaign
from campaign.services import giving
from registers.models import Register
from registers.numbers import whole_number
from rules.refusal import Problem, Refusal, refuse


def give(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """To whom it shall belong."""
    campaign = access.organised_campaign_for(request.user, pk)
    found = campaign.registers.select_related("owner").filter(pk=register).first()
    if found is None:
        raise Http404("No such Register")
    if request.method != "POST":
        return _page(request, campaign, found)
    try:
        given = giving.give_register(
            actor=request.user, campaign=campaign, register_id=register, to=_chosen(request, campaign)
        )
    except Refusal as refusal:
        return _page(request, campaign, found, refusal.problems)
    names = {"register": given, "person": given.owner}
    messages.success(request, _("%(register)s belongs to %(person)s from now on.") % names)
    return redirect("campaign:people", pk=pk)


def _chosen(request: HttpRequest, campaign: Campaign) -> User:
    to = whole_number(request.POST.get("to", ""))
    membership = campaign.memberships.select_related("user").filter(user=to).first()
    if membership is None:
        raise refuse("", _("Choose somebody who plays in the campaign."), "to")
    return membership.user


def _page(
    request: HttpRequest, campaign: Campaign, register: Register, problems: tuple[Problem, ...] = ()
) -> HttpResponse:
    others = access.players_of(campaign).select_related("user").exclude(user=register.owner_id)
    people = f"{campaign.get_absolute_url()}people/"
    context = {
        "register": register,
        "problems": said(problems),
        "options": [
            {
                "value": each.user_id,
                "label": each.user.get_username(),
                "checked": str(each.user_id) == request.POST.get("to"),
            }
            for each in others.filter(user__is_active=True)
        ],
        "crumbs": [
            {"label": str(campaign), "href": campaign.get_absolute_url()},
            {"label": _("People"), "href": people},
        ],
    }
    return render(request, "campaign/give_register.html", context, status=422 if problems else 200)

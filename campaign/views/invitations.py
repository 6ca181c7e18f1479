"""Invitations into a campaign: create, show with a QR code, revoke, and join by them."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.enlistments.views import people_crumbs
from campaign.models import Campaign, Invitation
from campaign.people import queries as people_queries
from campaign.people.services import joining
from campaign.people.views import people_page
from campaign.queries.campaign_rules import in_short
from catalogue.snapshot import rulebook
from members import views as members_views
from members.forms import ROLES, InvitationForm
from members.models import Role
from rules.core.campaign_rules import STANDARD_RULES

#: The rules that the page of an invitation shows as numbers, as the rulebook has them.
NUMBERS = {name: getattr(STANDARD_RULES, name) for name in ("combat_potential", "supply_points", "length")}


@require_POST
def invite(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create an invitation, and show it."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    form = InvitationForm(campaign, request.POST)
    return members_views.invite(
        request, campaign, form, page="campaign:invitation",
        refused=lambda: people_page(request, campaign, invitation_form=form),
    )  # fmt: skip


@require_safe
@never_cache
def invitation(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Show an invitation to send or show to somebody: its link, also as a QR code."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    line = members_views.invitation_line(campaign, invitation)
    context = {
        "campaign": campaign, "about_role": ROLES[Role(line.invitation.role)], "crumbs": people_crumbs(campaign),
    }  # fmt: skip
    return members_views.invitation_page(request, "campaign/invitation.html", line, context)


@require_POST
def revoke(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Revoke an invitation."""
    campaign = access.organized_campaign_for(request.user, pk, until=Campaign.State.CLOSED)
    return members_views.revoke(request, members_views.invitation_line(campaign, invitation), page="campaign:people")


@login_not_required
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: join, or sign up or in first and join by that."""
    known = Invitation.objects.select_related("campaign", "created_by", "placeholder")

    def page(found: Any) -> HttpResponse:
        campaign = found.campaign
        context = {
            "invitation": found,
            "campaign": campaign,
            "players": people_queries.players_for_invited(campaign),
            "numbers": campaign.campaign_rules,
            "different": in_short(rulebook(), replace(campaign.campaign_rules, **NUMBERS)),
        }
        return render(request, "campaign/join.html", context)

    return members_views.follow(request, known.filter(token=token).first(), join=joining.join, page=page)

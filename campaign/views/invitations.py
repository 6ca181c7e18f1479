"""Invitations into a campaign: create, show with a QR code, revoke, and join by them."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.adapters import too_often
from accounts.models import User
from campaign import access
from campaign.enlistments.views import people_crumbs
from campaign.models import Campaign, Invitation
from campaign.people import queries as people_queries
from campaign.people.services import joining
from campaign.people.views import people_page
from campaign.queries.campaign_rules import in_short
from catalogue.snapshot import rulebook
from core.form_errors import as_sentence, refusals_on
from core.qr import qr_svg
from members import invitation_session
from members.forms import ROLES, InvitationForm
from members.services import invitations
from rules.core.campaign_rules import STANDARD_RULES
from rules.core.violations import RuleViolation

#: The rules that the page of an invitation shows as numbers, as the rulebook has them.
NUMBERS = {name: getattr(STANDARD_RULES, name) for name in ("combat_potential", "supply_points", "length")}


@require_POST
def invite(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create an invitation, and show it."""
    campaign = access.organized_campaign_for(request.user, pk)
    if limited := too_often(request, "invite"):
        return limited
    form = InvitationForm(campaign, request.POST)
    if form.is_valid():
        words = dict(form.cleaned_data)
        key = words.pop("invitation")
        with refusals_on(form):
            made = invitations.invite(actor=request.user, group=campaign, invitation_id=key, **words)
            return redirect("campaign:invitation", pk=pk, invitation=made.pk)
    return people_page(request, campaign, invitation_form=form)


@require_safe
@never_cache
def invitation(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Show an invitation to send or show to somebody: its link, also as a QR code."""
    campaign = access.organized_campaign_for(request.user, pk)
    line = _invitation_line(campaign, invitation)
    link = request.build_absolute_uri(line.invitation.get_absolute_url())
    context = {
        "campaign": campaign,
        "line": line,
        "link": link,
        "qr": "" if line.end else qr_svg(link),
        "role": line.invitation.get_role_display(),
        "about_role": ROLES[line.invitation.role],
        "crumbs": people_crumbs(campaign),
    }
    return render(request, "campaign/invitation.html", context)


@require_POST
def revoke(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Revoke an invitation."""
    campaign = access.organized_campaign_for(request.user, pk)
    invitations.revoke(actor=request.user, invitation=_invitation_line(campaign, invitation).invitation)
    messages.success(request, _("The invitation is revoked. Everyone who joined by it stays."))
    return redirect("campaign:people", pk=pk)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: join, or sign up or in first and join by that."""
    if limited := too_often(request, "join", counts=False):
        return limited
    known = Invitation.objects.select_related("campaign", "created_by", "placeholder")
    found = known.filter(token=token).first()
    if found is None:
        return invitation_session.unknown_page(request)
    user = request.user if request.user.is_authenticated else None
    if user and request.method == "POST":
        return _join(request, found)
    if user and _has_joined(user, found):
        return redirect(found.campaign)
    if violations := joining.why_not(user, found):
        return invitation_session.refused_page(request, as_sentence(violations), 410)
    if request.method == "POST":
        return invitation_session.sign_in_first(request, found)
    campaign = found.campaign
    context = {
        "invitation": found,
        "campaign": campaign,
        "players": people_queries.players_for_invited(campaign),
        "numbers": campaign.campaign_rules,
        "different": in_short(rulebook(), replace(campaign.campaign_rules, **NUMBERS)),
    }
    return render(request, "campaign/join.html", context)


def _has_joined(user: User, found: Invitation) -> bool:
    """Return whether following the invitation would change nothing."""
    if not found.campaign.memberships.filter(user=user).exists():
        return False
    return found.placeholder is None or found.admissions.filter(user=user).exists()


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    try:
        joining.join(actor=request.user, invitation=found)
    except RuleViolation as refusal:
        if _has_joined(request.user, found):
            return redirect(found.campaign)
        return invitation_session.refused_page(request, as_sentence(refusal.violations), 410)
    messages.success(request, invitation_session.welcome(found.campaign))
    return redirect(found.campaign)


def _invitation_line(campaign: Campaign, invitation: UUID) -> people_queries.InvitationLine:
    line = people_queries.invitation_line(campaign, invitation)
    if line is None:
        raise Http404("No such invitation")
    return line

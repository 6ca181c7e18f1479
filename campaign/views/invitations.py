"""Invitations: making them, showing them, following them."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import too_often
from accounts.models import User
from accounts.qr import qr_svg
from campaign import access, arrivals, roster
from campaign.forms.people import ROLES, InvitationForm
from campaign.forms.refusals import blame, spoken
from campaign.models import Campaign, Invitation
from campaign.services import invitations
from campaign.views.people import people_page
from rules.refusal import Refusal


@require_POST
def invite(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Make an invitation, and show it."""
    campaign = access.organised_campaign_for(request.user, pk)
    if limited := too_often(request, "invite"):
        return limited
    form = InvitationForm(request.POST)
    if form.is_valid():
        words = form.cleaned_data
        try:
            made = invitations.invite(
                actor=request.user, campaign=campaign, role=words["role"], max_uses=words["max_uses"],
                days=words["days"], invitation_id=words["invitation"],
            )  # fmt: skip
        except Refusal as refusal:
            blame(form, refusal)
        else:
            return redirect("campaign:invitation", pk=pk, invitation=made.pk)
    return people_page(request, campaign, invitation_form=form)


@require_safe
@never_cache
def invitation(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """An invitation to send or to hold out: its link, and the same as a QR code."""
    campaign = access.organised_campaign_for(request.user, pk)
    way = _way(campaign, invitation)
    link = request.build_absolute_uri(way.invitation.get_absolute_url())
    context = {
        "campaign": campaign,
        "way": way,
        "link": link,
        "qr": "" if way.end else qr_svg(link),
        "about_role": ROLES[way.invitation.role],
        "crumbs": [
            {"label": str(campaign), "href": campaign.get_absolute_url()},
            {"label": _("People"), "href": reverse("campaign:people", args=[pk])},
        ],
    }
    return render(request, "campaign/invitation.html", context)


@require_POST
def revoke(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Take an invitation back."""
    campaign = access.organised_campaign_for(request.user, pk)
    invitations.revoke(actor=request.user, invitation=_way(campaign, invitation).invitation)
    messages.success(request, _("The invitation is taken back. Whoever came in by it stays."))
    return redirect("campaign:people", pk=pk)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation: come in, or sign up or in first and come in by that."""
    if limited := too_often(request, "join", counts=False):
        return limited
    invitations_with = Invitation.objects.select_related("campaign", "created_by", "stands_for")
    found = invitations_with.filter(token=token).first()
    if found is None:
        too_often(request, "join")
        unknown = _(
            "This invitation is not known here. See whether the link is complete, or ask for a new one."
        )
        return _no_way(request, unknown, 404)
    user = request.user if request.user.is_authenticated else None
    if user and request.method == "POST":
        return _come_in(request, found)
    if user and _is_in(user, found):
        return redirect(found.campaign)
    if problems := invitations.why_not(user, found):
        return _no_way(request, spoken(problems), 410)
    if request.method == "POST":
        return _sign_in_first(request, found)
    about = {"invitation": found, "campaign": found.campaign, "about_role": ROLES[found.role]}
    return render(request, "campaign/join.html", about)


def _is_in(user: User, found: Invitation) -> bool:
    """Whether following it changes nothing any more."""
    if not found.campaign.memberships.filter(user=user).exists():
        return False
    return found.stands_for is None or found.admissions.filter(user=user).exists()


def _come_in(request: HttpRequest, found: Invitation) -> HttpResponse:
    try:
        invitations.join(actor=request.user, invitation=found)
    except Refusal as refusal:
        if _is_in(request.user, found):
            return redirect(found.campaign)
        return _no_way(request, spoken(refusal.problems), 410)
    messages.success(request, arrivals.welcome(found.campaign))
    return redirect(found.campaign)


def _sign_in_first(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Remember which invitation it was: signing up or in brings them in. `next` leads on to the campaign."""
    arrivals.remember(request, found)
    page = "account_login" if request.POST.get("do") == "sign_in" else "account_signup"
    return redirect(f"{reverse(page)}?{urlencode({'next': found.get_absolute_url()})}")


def _no_way(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "campaign/no_way.html", {"sentence": sentence}, status=status)


def _way(campaign: Campaign, invitation: UUID) -> roster.Way:
    way = roster.way(campaign, invitation)
    if way is None:
        raise Http404("No such invitation")
    return way

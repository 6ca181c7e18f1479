"""Whoever follows an invitation without being signed in comes in by it as soon as they are.

The session keeps which one it was while they sign up or in, by password, passkey or Discord.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from campaign.models import Campaign, Invitation
from campaign.services import members
from core.form_errors import as_sentence
from rules.core.violations import RuleViolation

_KEY = "invitation"


def remember(request: HttpRequest, invitation: Invitation) -> None:
    """Keep in the session by which invitation this visitor will come in."""
    request.session[_KEY] = str(invitation.pk)


def join_after_login(*, request: HttpRequest, user: User, **signal: Any) -> None:
    """When somebody signs in: let them in by the invitation they followed. If that is refused, its page says so, where
    they are led next, unless they signed in elsewhere.
    """
    followed = request.session.pop(_KEY, None)
    if followed is None:
        return
    try:
        campaign = members.follow(actor=user, key=UUID(followed))
    except RuleViolation as refusal:
        if not get_next_redirect_url(request):
            messages.warning(request, as_sentence(refusal.problems))
        return
    if campaign:
        messages.success(request, welcome(campaign))


def expected_in(request: HttpRequest) -> Campaign | None:
    """The campaign into which this visitor comes by signing up or in; None if they followed no invitation."""
    kept = request.session.get(_KEY)
    followed = Invitation.objects.select_related("campaign").filter(pk=kept).first() if kept else None
    return followed.campaign if followed else None


def welcome(campaign: Campaign) -> str:
    """What a newcomer reads."""
    return _("Welcome to %(campaign)s.") % {"campaign": campaign}

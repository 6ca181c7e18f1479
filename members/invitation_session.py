"""Let people who followed an invitation before they signed in join as soon as they have.

The session keeps the invitation while they sign up or in, by password, passkey or Discord.
"""

from typing import Any
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from django.apps import apps
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from accounts.adapters import too_often
from accounts.models import User
from core.form_errors import as_sentence
from core.form_fields import pressed_button
from members.models import AbstractInvitation, MemberGroup
from members.services import invitations
from rules.core.violations import RuleViolation

_KEY = "invitation"


def sign_in_first(request: HttpRequest, invitation: AbstractInvitation) -> HttpResponse:
    """Keep the invitation in the session and lead to the sign-in or the sign-up, after which the user joins by it."""
    request.session[_KEY] = [invitation._meta.label, str(invitation.pk)]
    page = "account_login" if pressed_button(request.POST, "sign_in") else "account_signup"
    return redirect(f"{reverse(page)}?{urlencode({'next': invitation.get_absolute_url()})}")


def expected_in(request: HttpRequest) -> dict[str, object]:
    """Return for templates the group that a visitor joins by signing up or in. Other pages than those read nothing."""

    def group() -> MemberGroup | None:
        followed = _invitation(request.session.get(_KEY))
        return followed.group if followed else None

    return {"expected_in": SimpleLazyObject(group)}


def join_after_login(*, request: HttpRequest, user: User, **_signal: Any) -> None:
    """Let a user who signs in join by the invitation they followed. If that is refused and they are not led to its
    page, a message says why. A guest of the demo joins nothing.
    """
    if user.guest_until:
        return
    if (followed := _invitation(request.session.pop(_KEY, None))) is None:
        return
    try:
        invitations.join_after_login(actor=user, invitation=followed)
    except RuleViolation as refusal:
        if not get_next_redirect_url(request):
            messages.warning(request, as_sentence(refusal.violations))
        return
    messages.success(request, welcome(followed.group))


def welcome(group: MemberGroup) -> str:
    """Return the message for a new member."""
    return _("Welcome to %(group)s.") % {"group": group}


def refused_page(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    """Return the page about an invitation by which a visitor cannot join; `sentence` says why."""
    return render(request, "members/invitation_refused.html", {"sentence": sentence}, status=status)


def unknown_page(request: HttpRequest) -> HttpResponse:
    """Return the page about a link that leads to no invitation (404), and count it as a try."""
    too_often(request, "join")
    sentence = _("This invitation link is not valid. Check that the link is complete, or ask for a new one.")
    return refused_page(request, sentence, 404)


def _invitation(kept: list[str] | None) -> AbstractInvitation | None:
    if not kept:
        return None
    label, pk = kept
    try:
        found: AbstractInvitation = apps.get_model(label)._default_manager.get(pk=pk)
    except ObjectDoesNotExist:
        return None
    return found

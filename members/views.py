"""What the pages of invitations of all groups share: create one, show it with a QR code, revoke it, and join by it."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.adapters import check_limit
from accounts.models import User
from core.form_errors import as_sentence, refusals_on
from core.qr import qr_svg
from core.ui.reachable import address_for_others
from members import invitation_session
from members.forms import InvitationForm
from members.models import AbstractInvitation, MemberGroup
from members.queries import InvitationLine, invitation_lines
from members.services import invitations
from rules.core.violations import RuleViolation


def invite(
    request: HttpRequest, group: MemberGroup, form: InvitationForm, *, page: str, refused: Callable[[], HttpResponse]
) -> HttpResponse:
    """Create an invitation, and redirect to its `page` (the name of a URL); `refused` shows the form again."""
    check_limit(request, "invite")
    if form.is_valid():
        words = dict(form.cleaned_data)
        key = words.pop("invitation")
        with refusals_on(form):
            created = invitations.invite(actor=request.user, group=group, invitation_id=key, **words)
            return redirect(page, pk=group.pk, invitation=created.pk)
    return refused()


def invitation_page(
    request: HttpRequest, template: str, line: InvitationLine, context: Mapping[str, Any]
) -> HttpResponse:
    """Show an invitation to send or show to somebody: its link, also as a QR code."""
    link = address_for_others(request, line.invitation.get_absolute_url())
    qr = "" if line.end else qr_svg(link)
    return render(request, template, {**context, "line": line, "link": link, "qr": qr})


def revoke(request: HttpRequest, line: InvitationLine, *, page: str) -> HttpResponse:
    """Revoke an invitation, and redirect to the `page` of the group's people."""
    invitations.revoke(actor=request.user, invitation=line.invitation)
    messages.success(request, _("The invitation is revoked. Everyone who joined by it stays."))
    return redirect(page, pk=line.invitation.group.pk)


def invitation_line(group: MemberGroup, pk: UUID, **title: Any) -> InvitationLine:
    """Return one of the group's invitations, in one query. Raises Http404 for any other."""
    if (line := next(iter(invitation_lines(group, pk=pk, **title)), None)) is None:
        raise Http404("No such invitation")
    return line


def follow(
    request: HttpRequest,
    found: AbstractInvitation | None,
    *,
    join: Callable[..., None],
    page: Callable[[AbstractInvitation], HttpResponse],
) -> HttpResponse:
    """Follow an invitation: join by the service `join`, or sign up or in first and join by that. `page` asks before."""
    check_limit(request, "join", counts=False)
    if found is None:
        return invitation_session.unknown_page(request)
    user = request.user if isinstance(request.user, User) else None
    if user and request.method == "POST":
        try:
            join(actor=user, invitation=found)
        except RuleViolation as refusal:
            if found.has_admitted(user):
                return redirect(found.group)
            return invitation_session.refused_page(request, as_sentence(refusal.violations), 410)
        messages.success(request, invitation_session.welcome(found.group))
        return redirect(found.group)
    if user and found.has_admitted(user):
        return redirect(found.group)
    if violations := invitations.violations_of(invitations.invitation_use(user, found)):
        return invitation_session.refused_page(request, as_sentence(violations), 410)
    return invitation_session.sign_in_first(request, found) if request.method == "POST" else page(found)

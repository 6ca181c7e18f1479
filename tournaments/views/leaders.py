"""The leaders of an event and the invitations by which they join (E1, E2)."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from accounts.models import User
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import pressed_button
from members import views as members_views
from members.forms import InvitationForm, MemberForm
from members.models import MembershipChange
from members.queries import invitation_lines
from members.services import membership
from rules.core.violations import RuleViolation, Violation
from tournaments import access
from tournaments.access import EventRole
from tournaments.forms.leaders import LeaderRoleForm
from tournaments.models import Event, Invitation, Membership
from tournaments.queries.leaders import leaders_of, playing_leaders
from tournaments.roles import about_role, role_title
from tournaments.services import leaders as services

from .common import frame


@require_safe
def leaders(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the leaders of an event; organizers also see its invitations."""
    event, role = access.led_event_for(request, pk)
    return leaders_page(request, event, role)


def leaders_page(request: HttpRequest, event: Event, role: EventRole, **refused: BaseForm) -> HttpResponse:
    """Show the page, with a refused `member_form` or `invitation_form` as it was typed."""
    found = leaders_of(event)
    context = {
        **frame(event, role, "leaders"),
        "leaders": found,
        "breaking": playing_leaders(event, found, list(event.entries.exclude(user=None))),
        "invitations": invitation_lines(event, partial(role_title, event.rule_set)) if role.is_organizer else [],
        "is_in": any(each.membership.user_id == request.user.pk for each in found),
        "member_form": MemberForm(),
        "invitation_form": _invitation_form(event, invitation=uuid4()),
        "default_title": role_title(event.rule_set, event.default_role),
        **refused,
    }
    return form_page(request, "tournaments/leaders/leaders.html", context)


@require_POST
def add_leader(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add a judge by their sign-in name."""
    event, role = access.organized_event_for(request, pk)
    check_limit(request, "add_member")
    form = MemberForm(request.POST)
    with refusals_on(form):
        added = services.add_leader(actor=request.user, event=event, username=valid(form)["username"])
        messages.success(request, _("%(person)s leads %(event)s.") % {"person": added, "event": event})
        return redirect("tournaments:leaders", pk=pk)
    return leaders_page(request, event, role, member_form=form)


def leader(request: HttpRequest, pk: UUID, user: int) -> HttpResponse:
    """Show a leader's role; organizers change it or remove the leader."""
    event, role = access.organized_event_for(request, pk)
    button = pressed_button(request.POST, "role", "remove")
    if (member := event.memberships.select_related("user").filter(user=user).first()) is None:
        return _removed_already(request, event, user, button)
    if request.method != "POST":
        return _leader_page(request, event, role, member)
    form = LeaderRoleForm(event, request.POST) if button == "role" else None
    if form and not form.is_valid():
        return _leader_page(request, event, role, member, form=form)
    try:
        _do(request, event, member.user, button, form)
    except RuleViolation as refusal:
        return _leader_page(request, event, role, member, refusal.violations, form)
    return redirect("tournaments:leaders", pk=pk)


@require_POST
def leave(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop leading an event."""
    event, _role = access.event_for(request, pk)
    with refusals_as_messages(request):
        membership.leave(actor=request.user, group=event)
        messages.success(request, _("You are no longer a leader of %(event)s.") % {"event": event})
        return redirect("tournaments:events")
    return redirect("tournaments:leaders", pk=pk)


@require_POST
def invite(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Create an invitation, and show it."""
    event, role = access.organized_event_for(request, pk)
    form = _invitation_form(event, request.POST)
    return members_views.invite(
        request, event, form, page="tournaments:invitation",
        refused=lambda: leaders_page(request, event, role, invitation_form=form),
    )  # fmt: skip


@require_safe
@never_cache
def invitation(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Show an invitation to send or show to somebody: its link, also as a QR code."""
    event, role = access.organized_event_for(request, pk)
    line = members_views.invitation_line(event, invitation, title=partial(role_title, event.rule_set))
    context = {**frame(event, role, "invitation", (_("Leaders"), "leaders")), "about": about_role(line.invitation.role)}
    return members_views.invitation_page(request, "tournaments/leaders/invitation.html", line, context)


@require_POST
def revoke(request: HttpRequest, pk: UUID, invitation: UUID) -> HttpResponse:
    """Revoke an invitation."""
    event, _role = access.organized_event_for(request, pk)
    return members_views.revoke(request, members_views.invitation_line(event, invitation), page="tournaments:leaders")


@login_not_required
@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Follow an invitation to lead an event: join, or sign up or in first and join by that."""

    def page(found: Any) -> HttpResponse:
        title = role_title(found.event.rule_set, found.role)
        context = {"invitation": found, "event": found.event, "title": title, "about": about_role(found.role)}
        return render(request, "tournaments/leaders/join.html", context)

    known = Invitation.objects.select_related("event", "created_by")
    return members_views.follow(request, known.filter(token=token).first(), join=services.join, page=page)


def _leader_page(
    request: HttpRequest,
    event: Event,
    role: EventRole,
    member: Membership,
    violations: tuple[Violation, ...] = (),
    form: LeaderRoleForm | None = None,
) -> HttpResponse:
    context = {
        **frame(event, role, "leader", (_("Leaders"), "leaders")),
        "person": member.user,
        "oneself": member.user_id == request.user.pk,
        "form": form or LeaderRoleForm(event, initial={"role": member.role}),
        "violations": as_context(violations),
    }
    return form_page(request, "tournaments/leaders/leader.html", context, refused=violations)


def _do(request: HttpRequest, event: Event, user: User, button: str, form: LeaderRoleForm | None) -> None:
    if form:
        given = services.give_role(actor=request.user, event=event, user=user, role=form.cleaned_data["role"])
        names = {"person": user, "role": role_title(event.rule_set, given.role)}
        messages.success(request, _("%(person)s is %(role)s now.") % names)
    elif button == "remove":
        membership.remove_member(actor=request.user, group=event, user=user)
        _say_removed(request, event, user)


def _removed_already(request: HttpRequest, event: Event, user: int, button: str) -> HttpResponse:
    """Redirect a removal that is posted twice as the first one did. Raises Http404 for anyone else."""
    if button != "remove" or not event.log.filter(kind=MembershipChange.REMOVED, facts__user=user).exists():
        raise Http404("No leader of this event")
    _say_removed(request, event, User.objects.get(pk=user))
    return redirect("tournaments:leaders", pk=event.pk)


def _say_removed(request: HttpRequest, event: Event, user: User) -> None:
    messages.success(request, _("%(person)s is no longer a leader of %(event)s.") % {"person": user, "event": event})


def _invitation_form(event: Event, *data: QueryDict, **initial: Any) -> InvitationForm:
    """Return the form of a new invitation in the words of the event's rule set, for one person unless changed."""
    title = partial(role_title, event.rule_set)
    return InvitationForm(event, *data, title=title, initial={"max_uses": 1, **initial})

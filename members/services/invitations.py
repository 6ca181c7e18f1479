"""Invite people by a link, and let them join by it."""

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from members.models import AbstractInvitation, InvitationEnd, MemberGroup, MembershipChange, Role
from members.services.membership import admit, lock_group, lock_organized, role_violation
from rules.core.violations import Violation, raise_if_any, refuse

#: Days an invitation is good for, unless another number up to LONGEST is chosen.
DAYS, LONGEST = 14, 90
#: The maximum number of open invitations of a group.
MOST_OPEN = 20

END_TEXTS: Mapping[str, str] = {
    InvitationEnd.REVOKED: gettext_noop("This invitation was revoked. Ask an organizer for a new one."),
    InvitationEnd.EXPIRED: gettext_noop("This invitation has expired. Ask an organizer for a new one."),
    InvitationEnd.USED_UP: gettext_noop("This invitation is used up. Ask an organizer for one of your own."),
}
#: Changes of a membership that an older invitation must not undo: otherwise a former organizer could leave and return
#: by it.
CHANGE_TEXTS: Mapping[str, str] = {
    MembershipChange.REMOVED: gettext_noop("You were removed. Only a newer invitation lets you join again."),
    MembershipChange.ROLE: gettext_noop("Your role has changed since this invitation. Ask for a newer one."),
}


@transaction.atomic
def invite(
    *,
    actor: User,
    group: MemberGroup,
    role: str = Role.PLAYER,
    max_uses: int | None = None,
    days: int = DAYS,
    invitation_id: UUID | None = None,
) -> AbstractInvitation:
    """Create an invitation for `max_uses` people (None: any number), valid for `days` days. `invitation_id` is its
    primary key, so that a form sent twice creates one. Refuses an actor who does not organize, an unknown role, an
    organizer link for more than one person, days outside 1 to LONGEST, and more than MOST_OPEN open links; all
    violations together.
    """
    group = lock_organized(actor, group, gettext("Only an organizer can create invitations."))
    model = group.invitations.model
    if invitation_id and (existing := model._default_manager.filter(pk=invitation_id).first()):
        if existing.group != group:
            raise refuse("", gettext("This link leads somewhere else. Reload the page."))
        return existing  # type: ignore[no-any-return]
    raise_if_any(_violations(group, role, max_uses, days))
    created: AbstractInvitation = group.invitations.create(
        pk=invitation_id or uuid4(),
        role=role,
        max_uses=max_uses,
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return created


@transaction.atomic
def revoke(*, actor: User, invitation: AbstractInvitation) -> None:
    """Revoke an invitation: nobody joins by it any more, and members stay. Revoking it again changes nothing. Refuses
    an actor who does not organize the group.
    """
    lock_organized(actor, invitation.group, gettext("Only an organizer can revoke an invitation."))
    same = type(invitation)._default_manager.filter(pk=invitation.pk, revoked_at=None)
    same.update(revoked_at=timezone.now())


@transaction.atomic
def join(*, actor: User, invitation: AbstractInvitation) -> None:
    """Join by an invitation. It changes nothing for members and does not count as a use; neither does a returning
    member. Refuses an invitation that has ended, and one older than the removal or the last role change of this person.
    """
    group = lock_group(invitation.group)
    use = invitation_use(actor, invitation)
    if not use.is_member:
        come_in(actor, use)
        admit(actor=actor, group=group, user=actor, role=use.invitation.role, invited_by=use.invitation.created_by_id)


#: The functions for joining by an invitation followed before the sign-in, by model, if it is not `join`.
_after_login: dict[type[AbstractInvitation], Callable[..., None]] = {}


def join_after_login_with(model: type[AbstractInvitation], join: Callable[..., None]) -> None:
    """Register the function that joins by invitations of this model; it has the parameters of `join`."""
    _after_login[model] = join


def join_after_login(*, actor: User, invitation: AbstractInvitation) -> None:
    """Join by an invitation that was followed before the sign-in. Refuses what `join` refuses, or the group's own."""
    _after_login.get(type(invitation), join)(actor=actor, invitation=invitation)


class InvitationUse(NamedTuple):
    """An invitation as it is now, how many others have used it, and for one person: whether they have used it, whether
    they are a member, and how their membership has changed since it was created.
    """

    invitation: AbstractInvitation
    others: int
    used: bool
    is_member: bool
    changes: Collection[str]


def invitation_use(user: User | None, invitation: AbstractInvitation) -> InvitationUse:
    """Return an invitation as it is now for a user, or for somebody who has not signed in."""
    own = Q(admissions__user=user.pk if user else 0)
    counts: dict[str, Any] = {"own": Count("admissions", filter=own), "others": Count("admissions", filter=~own)}
    now: Any = type(invitation)._default_manager.annotate(**counts).get(pk=invitation.pk)
    group = invitation.group
    changes = group.membership_changes(user, since=now.created_at)
    is_member = user is not None and group.memberships.filter(user=user).exists()
    return InvitationUse(now, now.others, bool(now.own), is_member, changes)


def violations_of(use: InvitationUse) -> list[Violation]:
    """Return why this person cannot join by the invitation: one reason at most."""
    if why := use.invitation.group.people_refusal():
        return [Violation("", why)]
    if end := use.invitation.end(now=timezone.now(), uses=use.others):
        return [Violation("", gettext(END_TEXTS[end]))]
    return [Violation("", gettext(text)) for change, text in CHANGE_TEXTS.items() if change in use.changes][:1]


def come_in(actor: User, use: InvitationUse) -> None:
    """Record the use of an invitation of a locked group, once for each person. Refuses everything that `violations_of`
    names.
    """
    raise_if_any(violations_of(use))
    if not use.used:
        use.invitation.admissions.create(user=actor, at=timezone.now())  # type: ignore[attr-defined]


def _violations(group: MemberGroup, role: str, max_uses: int | None, days: int) -> list[Violation]:
    found = []
    if wrong := role_violation(group, None, role):
        found.append(Violation("", wrong, "role"))
    if role == Role.ORGANIZER and max_uses != 1:
        found.append(Violation("", gettext("An invitation for an organizer works for 1 person only."), "max_uses"))
    if max_uses is not None and max_uses < 1:
        found.append(Violation("", gettext("Enter how many people may use it."), "max_uses"))
    if not 1 <= days <= LONGEST:
        text = gettext("An invitation can be valid for 1 to %(longest)s days.") % {"longest": LONGEST}
        found.append(Violation("", text, "days"))
    good = group.invitations.filter(revoked_at=None, expires_at__gt=timezone.now())
    if good.annotate(uses=Count("admissions")).exclude(max_uses__lte=F("uses")).count() >= MOST_OPEN:
        text = gettext("There are %(most_open)s open invitations. Revoke one first.") % {"most_open": MOST_OPEN}
        found.append(Violation("", text))
    return found

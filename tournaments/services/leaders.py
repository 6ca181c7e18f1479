"""Add leaders to an event and change their roles, with the rules on who may lead and play (E1, E2)."""

from typing import cast

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import name_key
from members.models import AbstractInvitation
from members.services import invitations, membership
from rules.core.violations import refuse
from tournaments.models import Event, Membership
from tournaments.models.entry import ACTIVE
from tournaments.queries.leaders import leading_violation
from tournaments.services.locks import lock_event, lock_organized


@transaction.atomic
def add_leader(*, actor: User, event: Event, username: str) -> User:
    """Add the person who signs in as `username` as a judge, and return them. Adding a leader again changes nothing.
    Refuses what `members.services.membership.add_member` refuses, and a player who may not lead (E2).
    """
    locked = lock_organized(actor, event)
    if user := User.objects.filter(username_key=name_key(username.strip()), is_active=True).first():
        check_may_lead(locked, user, Event.default_role, field="username")
    return membership.add_member(actor=actor, group=locked, username=username)


@transaction.atomic
def join(*, actor: User, invitation: AbstractInvitation) -> None:
    """Join the leaders of an event by an invitation. It changes nothing for its leaders. Refuses an invitation that has
    ended, a second head judge (E1), and a player who may not lead (E2).
    """
    locked = lock_event(Event.objects.get(pk=invitation.group.pk))
    if not locked.memberships.filter(user=actor).exists():
        check_may_lead(locked, actor, invitation.role)
        if wrong := membership.role_violation(locked, actor, invitation.role):
            raise refuse("E1", wrong)
    invitations.join(actor=actor, invitation=invitation)


@transaction.atomic
def give_role(*, actor: User, event: Event, user: User, role: str) -> Membership:
    """Change a leader's role. Refuses a second head judge (E1) and what `membership.give_role` refuses. Idempotent."""
    return cast(Membership, membership.give_role(actor=actor, group=lock_organized(actor, event), user=user, role=role))


def check_may_lead(event: Event, user: User, role: str, field: str = "") -> None:
    """Refuse a player as a new leader of a locked event, if a leader with this role does not play (E2)."""
    is_leader = event.memberships.filter(user=user).exists()
    if is_leader or not event.entries.filter(user=user, state__in=ACTIVE).exists():
        return
    if violation := leading_violation(event, user, role):
        text = gettext("%(person)s plays in this event. Withdraw them before they lead it.") % {"person": user}
        raise refuse(violation.rule, text, field)

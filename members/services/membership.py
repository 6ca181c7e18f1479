"""Add and remove members, and change their roles. Services check rights only once they hold the lock of the group,
because until then a role may be taken away.
"""

from typing import Any, TypeVar

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import name_key
from members.models import AbstractMembership, MemberGroup, MembershipChange, Role
from members.roles import has_handed_over, is_organizer
from rules.core.violations import refuse

Group = TypeVar("Group", bound=MemberGroup)


def lock_group(group: Group) -> Group:
    """Lock a group until the transaction ends, and return it as it is now. Rows that only refer to it are not blocked.
    Refuses one that was deleted since it was read.
    """
    if locked := type(group)._base_manager.select_for_update(of=("self",), no_key=True).filter(pk=group.pk).first():
        return locked
    raise refuse("", gettext("%(group)s was deleted a moment ago.") % {"group": group})


def lock_people(group: Group) -> Group:
    """Lock a group as `lock_group` does. Refuses one whose people cannot change now (`MemberGroup.people_refusal`)."""
    locked = lock_group(group)
    if why := locked.people_refusal():
        raise refuse("", why)
    return locked


def lock_organized(actor: User, group: Group, text: str, field: str = "") -> Group:
    """Lock a group as `lock_people` does. Refuses an actor who does not organize it with `text` at `field`."""
    locked = lock_people(group)
    if not is_organizer(actor, locked):
        raise refuse("", text, field)
    return locked


@transaction.atomic
def add_member(*, actor: User, group: MemberGroup, username: str) -> User:
    """Add the person who signs in as `username` with the group's default role, and return them. Adding a member again
    changes nothing. Refuses an actor who does not organize the group, and a name that nobody signs in with.
    """
    group = lock_organized(actor, group, gettext("Only an organizer can add members."), "username")
    if not (username := username.strip()):
        raise refuse("", gettext("Enter the sign-in name of the person you want to add."), "username")
    user = User.objects.filter(username_key=name_key(username), is_active=True).first()
    if user is None:
        text = gettext("Nobody signs in as “%(username)s”. Send them an invitation link.") % {"username": username}
        raise refuse("", text, "username")
    if not group.memberships.filter(user=user).exists():
        admit(actor=actor, group=group, user=user, role=group.default_role)
    return user


def admit(*, actor: User, group: MemberGroup, user: User, role: str, **facts: Any) -> None:
    """Add a person who is no member yet to a locked group. The activity log keeps the `facts`."""
    group.memberships.create(user=user, role=role)
    group.record_membership(MembershipChange.JOINED, actor=actor, user=user, role=role, **facts)


@transaction.atomic
def give_role(*, actor: User, group: MemberGroup, user: User, role: str) -> AbstractMembership:
    """Change a member's role. The role they have already changes nothing. A player who becomes a viewer keeps their
    Registers; organizers act for them in battles under way. Refuses an actor who does not organize, a person outside
    the group, and taking the role from its last organizer.
    """
    group = lock_organized(actor, group, gettext("Only an organizer can change roles."))
    membership = _membership(group, user)
    if wrong := role_violation(group, user, role):
        raise refuse("", wrong, "role")
    if membership.role == Role.ORGANIZER != role:
        _check_not_last(group, user, actor)
    _change_role(group, actor, membership, role)
    return membership


@transaction.atomic
def hand_over(*, actor: User, group: MemberGroup, user: User) -> None:
    """Make a member organizer and give the actor the default role, both or neither. Repeating it changes nothing.
    Refuses an actor who is not an organizer (staff give roles instead), the actor themselves, anyone outside the group,
    and a placeholder account, because then nobody could organize.
    """
    group = lock_people(group)
    own = group.memberships.filter(user=actor, role=Role.ORGANIZER).first()
    if own is None and has_handed_over(actor, group, user.pk):
        return
    if own is None:
        raise refuse("", gettext("Only an organizer can make somebody else the organizer."))
    if user == actor:
        raise refuse("", gettext("You are already the organizer."))
    if not user.is_active:
        raise refuse("", gettext("Nobody signs in as %(user)s.") % {"user": user})
    _change_role(group, actor, _membership(group, user), Role.ORGANIZER)
    _change_role(group, actor, own, group.default_role)


@transaction.atomic
def remove_member(*, actor: User, group: MemberGroup, user: User) -> None:
    """Remove a member; their data in the group stays. Repeating it changes nothing. Refuses an actor who does not
    organize, the actor themselves (see `leave`), and the last organizer.
    """
    group = lock_organized(actor, group, gettext("Only an organizer can remove people."))
    if user == actor:
        raise refuse("", gettext("You cannot remove yourself. Leave instead."))
    _end_membership(group, actor, user, MembershipChange.REMOVED)


@transaction.atomic
def leave(*, actor: User, group: MemberGroup) -> None:
    """Leave a group; the actor's data in it stays. Refuses its last organizer."""
    _end_membership(lock_group(group), actor, actor, MembershipChange.LEFT)


def role_violation(group: MemberGroup, user: User | None, role: str) -> str:
    """Return why `user` cannot have a role in a group, or an empty text. `user` is None for an invitation."""
    if role not in group.roles:
        return gettext("Choose one of these roles.")
    return group.role_violation(user, role)


def _end_membership(group: MemberGroup, actor: User, user: User, change: MembershipChange) -> None:
    if (membership := group.memberships.filter(user=user).first()) is None:
        return
    if membership.role == Role.ORGANIZER:
        _check_not_last(group, user, actor)
    membership.delete()
    group.record_membership(change, actor=actor, user=user, role=membership.role)


def _change_role(group: MemberGroup, actor: User, membership: AbstractMembership, role: str) -> None:
    before, membership.role = membership.role, role
    if before != role:
        membership.save(update_fields=["role"])
        group.record_membership(MembershipChange.ROLE, actor=actor, user=membership.user, role=role, before=before)


def _membership(group: MemberGroup, user: User) -> AbstractMembership:
    membership: AbstractMembership | None = group.memberships.filter(user=user).first()
    if membership is None:
        raise refuse("", gettext("%(user)s is not a member.") % {"user": user})
    return membership


def _check_not_last(group: MemberGroup, user: User, actor: User) -> None:
    others = group.memberships.filter(role=Role.ORGANIZER, user__is_active=True).exclude(user=user)
    if not others.exists():
        if user == actor:
            raise refuse("", gettext("You are the only organizer. Make somebody else organizer first."))
        text = gettext("%(user)s is the only organizer. Make somebody else organizer first.")
        raise refuse("", text % {"user": user})

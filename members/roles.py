"""What members of a group may do."""

from accounts.models import User, has_right
from members.models import MemberGroup, Role
from rules.core.values import Value

ORGANIZE = "campaign.organize_campaign"  # the permission of staff who organize every campaign and event


class MemberRole(Value):
    """The role of a user in a group. `role` is that of their membership, None for anyone who is not a member."""

    user: User
    role: str | None

    @property
    def is_organizer(self) -> bool:
        """Whether they organize the group. Staff with ORGANIZE organize every group."""
        return has_right(self.user, ORGANIZE) or self.role == Role.ORGANIZER

    @property
    def is_player(self) -> bool:
        """Whether they may play: players and organizers may, viewers may not."""
        return self.is_organizer or self.role == Role.PLAYER

    @property
    def is_member(self) -> bool:
        """Whether they may see the group."""
        return has_right(self.user, ORGANIZE) or bool(self.role)


def member_role(user: User, group: MemberGroup) -> MemberRole:
    """Return the current role of a user in a group, in one query."""
    return MemberRole(user, group.memberships.filter(user=user).values_list("role", flat=True).first())


def is_organizer(user: User, group: MemberGroup) -> bool:
    """Return whether the user organizes the group now, in one query; for staff also those of their rights."""
    return has_right(user, ORGANIZE) or member_role(user, group).is_organizer


def is_player(user: User, group: MemberGroup) -> bool:
    """Return whether the user may play in the group now, in queries as `is_organizer`."""
    return has_right(user, ORGANIZE) or member_role(user, group).is_player


def has_handed_over(user: User, group: MemberGroup, to: int) -> bool:
    """Return whether this user stepped down as an organizer to the group's default role, and `to` (a primary key)
    organizes the group.
    """
    roles = dict(group.memberships.filter(user__in=(user.pk, to)).values_list("user", "role"))
    return roles == {user.pk: group.default_role, to: Role.ORGANIZER} and group.has_stepped_down(user)

"""Abstract models of a group that people join. Each app that has such a group (a campaign, a tournament) makes them
concrete and adds the foreign keys to its group.
"""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from core.db.uuid_key import UUIDModel
from core.tokens import new_token


class Role(models.TextChoices):
    """What a member may do."""

    ORGANIZER = "organizer", gettext_lazy("organizer")
    PLAYER = "player", gettext_lazy("player")
    VIEWER = "viewer", gettext_lazy("viewer")
    HEAD_JUDGE = "head_judge", gettext_lazy("head judge")
    JUDGE = "judge", gettext_lazy("judge")


class MembershipChange(models.TextChoices):
    """A change of a membership. A group's activity log has these kinds."""

    JOINED = "joined", gettext_lazy("person joined")
    LEFT = "left", gettext_lazy("person left")
    REMOVED = "removed", gettext_lazy("person removed")
    ROLE = "role", gettext_lazy("role changed")


class MemberGroup(UUIDModel):
    """A group that people join. Its memberships and invitations have the related names `memberships` and
    `invitations`, and `log` has the lines of its log. `roles` are those that its members can have, and `default_role`
    is that of somebody who is added.
    """

    roles: ClassVar[tuple[Role, ...]] = (Role.ORGANIZER, Role.PLAYER, Role.VIEWER)
    default_role: ClassVar[Role] = Role.PLAYER

    if TYPE_CHECKING:
        memberships: Any  # related managers of the concrete models
        invitations: Any
        log: Any

    class Meta:
        abstract = True

    def people_refusal(self) -> str:
        """Return why nobody can join, be invited or get another role now; empty if they can."""
        return ""

    def role_violation(self, user: User | None, role: str) -> str:
        """Return why `user` cannot have one of the `roles`, or an empty text. `user` is None for an invitation."""
        return ""

    def record_membership(self, change: MembershipChange, *, actor: User, user: User, role: str, **facts: Any) -> None:
        """Write a change of a membership into the group's log."""
        self.log.create(kind=change, actor=actor, facts={"user": user.pk, "role": role, **facts})

    def has_stepped_down(self, user: User) -> bool:
        """Return whether this user has given up the role of an organizer themselves."""
        own = self.log.filter(kind=MembershipChange.ROLE, actor=user, facts__user=user.pk)
        return bool(own.filter(facts__before=Role.ORGANIZER).exists())

    def membership_changes(self, user: User | None, *, since: datetime) -> Collection[str]:
        """Return the changes to a user's membership after `since`, as values of MembershipChange."""
        done = self.log.filter(at__gt=since, kind__in=MembershipChange.values, facts__user=user and user.pk)
        return set(done.values_list("kind", flat=True)) if user else set()


class AbstractMembership(models.Model):
    """A person in a group, with one role."""

    Role = Role

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="%(app_label)s_memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        abstract = True
        ordering = ["pk"]


class InvitationEnd(models.TextChoices):
    """Why an invitation can no longer be used."""

    OPEN = "", gettext_lazy("open")
    REVOKED = "revoked", gettext_lazy("revoked")
    EXPIRED = "expired", gettext_lazy("expired")
    USED_UP = "used up", gettext_lazy("used up")


class AbstractInvitation(UUIDModel):
    """A link for joining a group until it is revoked, expires, or `max_uses` people have joined. Without `max_uses` any
    number may join. A link that makes organizers is for one person.
    """

    End = InvitationEnd

    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    role = models.CharField(max_length=10, choices=Role)
    max_uses = models.PositiveSmallIntegerField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="%(app_label)s_%(class)s_has_known_role"),
            models.CheckConstraint(
                condition=Q(max_uses__isnull=True) | Q(max_uses__gte=1), name="%(app_label)s_%(class)s_has_uses"
            ),
            models.CheckConstraint(
                condition=~Q(role=Role.ORGANIZER) | Q(max_uses=1, max_uses__isnull=False),
                name="%(app_label)s_%(class)s_makes_one_organizer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.get_role_display()}"

    @property
    def group(self) -> MemberGroup:
        """The group that the invitation leads into."""
        raise NotImplementedError

    def has_admitted(self, user: User) -> bool:
        """Return whether following the invitation would change nothing for this user."""
        return self.group.memberships.filter(user=user).exists()  # type: ignore[no-any-return]

    def end(self, *, now: datetime, uses: int) -> InvitationEnd:
        """Return why it can no longer be used, or OPEN. `uses` is how many people have joined by it."""
        if self.revoked_at:
            return self.End.REVOKED
        if now >= self.expires_at:
            return self.End.EXPIRED
        return self.End.USED_UP if self.max_uses and uses >= self.max_uses else self.End.OPEN


class AbstractAdmission(models.Model):
    """A person who joined by an invitation. Joining again by the same one counts once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="%(app_label)s_admissions")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["at"]

    def __str__(self) -> str:
        return gettext("%(user)s by %(invitation)s") % {"user": self.user, "invitation": self.invitation}

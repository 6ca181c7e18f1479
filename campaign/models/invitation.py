"""Invitations into a campaign, and who came in by them."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy

from rules.core.translation import gettext

from .campaign import Campaign, Membership


def new_token() -> str:
    """What makes a link that nobody guesses: 128 random bits as 22 letters."""
    return secrets.token_urlsafe(16)


class Invitation(models.Model):
    """A link for joining a campaign until it is revoked, expires, or `max_uses` people have joined. Without `max_uses`
    any number may join. A link that makes organizers is for one person. `stands_for` is the placeholder account
    (`User.is_stand_in`) that holds the place of the invited player until they join.
    """

    class End(models.TextChoices):
        OPEN = "", gettext_lazy("open")
        REVOKED = "revoked", gettext_lazy("taken back")
        EXPIRED = "expired", gettext_lazy("expired")
        USED_UP = "used up", gettext_lazy("used up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    role = models.CharField(max_length=10, choices=Membership.Role)
    max_uses = models.PositiveSmallIntegerField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    stands_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=["organiser", "player", "reader"]), name="invitation_known_role"
            ),
            models.CheckConstraint(
                condition=Q(max_uses__isnull=True) | Q(max_uses__gte=1), name="invitation_for_somebody"
            ),
            models.CheckConstraint(
                condition=~Q(role="organiser") | Q(max_uses=1, max_uses__isnull=False),
                name="invitation_of_one_organiser",
            ),
            models.CheckConstraint(
                condition=Q(stands_for__isnull=True) | Q(max_uses=1, max_uses__isnull=False),
                name="invitation_of_one_place",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.get_role_display()}"

    def get_absolute_url(self) -> str:
        """Where whoever follows it arrives."""
        return reverse("campaign:join", args=[self.token])

    def end(self, *, now: datetime, uses: int) -> End:
        """Why it leads nowhere any more; OPEN while it does. `uses` is how many came in by it."""
        if self.revoked_at:
            return self.End.REVOKED
        if now >= self.expires_at:
            return self.End.EXPIRED
        return self.End.USED_UP if self.max_uses and uses >= self.max_uses else self.End.OPEN


class Admission(models.Model):
    """A person who came in by an invitation. Whoever comes again has used it once."""

    invitation = models.ForeignKey(Invitation, models.CASCADE, related_name="admissions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="admissions")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at"]
        constraints = [models.UniqueConstraint(fields=["invitation", "user"], name="one_admission_a_person")]

    def __str__(self) -> str:
        return gettext("{user} by {invitation}", user=self.user, invitation=self.invitation)

"""Invitations into a campaign, and who joined by them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from members.models import AbstractAdmission, AbstractInvitation

from .campaign import Campaign


class Invitation(AbstractInvitation):
    """A link for joining a campaign, or for taking the place of the placeholder account `placeholder`."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    placeholder = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta(AbstractInvitation.Meta):
        constraints = [
            *AbstractInvitation.Meta.constraints,
            models.CheckConstraint(
                condition=Q(placeholder__isnull=True) | Q(max_uses=1, max_uses__isnull=False),
                name="invitation_of_one_place",
            ),
        ]

    @property
    def group(self) -> Campaign:
        """The campaign that the invitation leads into."""
        return self.campaign

    def has_admitted(self, user: User) -> bool:
        """Return whether following it would change nothing: an invitation to a place also merges an account."""
        admissions = self.admissions.filter(user=user)  # type: ignore[attr-defined]
        return super().has_admitted(user) and (self.placeholder_id is None or admissions.exists())

    def get_absolute_url(self) -> str:
        """Return the address of the page that the link opens."""
        return reverse("campaign:join", args=[self.token])


class Admission(AbstractAdmission):
    """A person who joined a campaign by an invitation."""

    invitation = models.ForeignKey(Invitation, models.CASCADE, related_name="admissions")

    class Meta(AbstractAdmission.Meta):
        constraints = [models.UniqueConstraint(fields=["invitation", "user"], name="one_admission_a_person")]

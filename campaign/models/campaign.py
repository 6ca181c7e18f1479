"""A campaign, the people in it, and the Registers that serve in it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse

from registers.models import Register


class Campaign(models.Model):
    """A playgroup's campaign. `unreleased_allowed` lets its Registers hold cards before their release (R5)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True)
    unreleased_allowed = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    registers = models.ManyToManyField(Register, through="Enlistment", related_name="campaigns")

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The campaign page."""
        return reverse("campaign:detail", args=[self.pk])


class Membership(models.Model):
    """A person in a campaign."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", "organiser"
        PLAYER = "player", "player"
        READER = "reader", "reader"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.user} in {self.campaign}"


class Enlistment(models.Model):
    """A Register in a campaign; a Register serves in one only."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="enlistments")
    register = models.OneToOneField(Register, models.CASCADE, related_name="enlistment")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.register} in {self.campaign}"

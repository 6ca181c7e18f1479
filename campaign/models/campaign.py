"""A campaign, the people in it, and the Registers that serve in it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from registers.fields import TermsField
from registers.models import NOTHING_CHANGED, Register
from rules.core.campaign_rules import CampaignRules
from rules.core.translation import gettext


class Campaign(models.Model):
    """A playgroup's campaign. `terms` are what it plays by; `terms_version` counts their changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True)
    terms = TermsField(default=CampaignRules, db_default=NOTHING_CHANGED)
    terms_version = models.PositiveIntegerField(default=0, db_default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    picture = models.OneToOneField("uploads.Picture", models.SET_NULL, null=True, blank=True)
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
        ORGANISER = "organiser", gettext_lazy("organiser")
        PLAYER = "player", gettext_lazy("player")
        READER = "reader", gettext_lazy("reader")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return gettext("{user} in {campaign}", user=self.user, campaign=self.campaign)


class Enlistment(models.Model):
    """A Register in a campaign; a Register serves in one only. One that took over from a list what it has become
    elsewhere fights only once an organiser has consented.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="enlistments")
    register = models.OneToOneField(Register, models.CASCADE, related_name="enlistment")
    awaits_consent = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return gettext("{register} in {campaign}", register=self.register, campaign=self.campaign)

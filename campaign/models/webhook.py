"""The Discord channel a campaign tells its battles to, and what was told there."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from .campaign import Campaign


class Webhook(models.Model):
    """A campaign's webhook. `sealed` is its address, a secret; `hint` the beginning of its number. `site` is where the
    site was when it was set, for the links in messages. Discord may say that there is no such webhook, or that it is
    not ours: then it is off, and `off_status` is the HTTP status that said so.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="webhook")
    sealed = models.TextField()
    hint = models.CharField(max_length=4)
    site = models.CharField(max_length=200)
    battles = models.BooleanField(default=True)
    casualties = models.BooleanField(default=True)
    veterans = models.BooleanField(default=True)
    arcs = models.BooleanField(default=True)
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    set_at = models.DateTimeField()
    off_at = models.DateTimeField(null=True, blank=True)
    off_status = models.PositiveSmallIntegerField(null=True, blank=True)

    #: What it may be told, in the order of a message.
    KINDS: Mapping[str, str] = {
        "battles": gettext_lazy("a battle has closed: who won"),
        "casualties": gettext_lazy("who fell in it"),
        "veterans": gettext_lazy("who reached a Veteran Rank"),
        "arcs": gettext_lazy("a Story Arc has ended"),
    }

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(battles=True) | Q(casualties=True) | Q(veterans=True) | Q(arcs=True),
                name="webhook_tells_something",
            ),
            models.CheckConstraint(
                condition=Q(off_at__isnull=True, off_status__isnull=True)
                | Q(off_at__isnull=False, off_status__isnull=False),
                name="webhook_is_off_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"…/webhooks/{self.hint}…"

    @property
    def told(self) -> frozenset[str]:
        """The kinds that are switched on."""
        return frozenset(kind for kind in self.KINDS if getattr(self, kind))


class Dispatch(models.Model):
    """One message to the webhook of a campaign: of a battle that closed, once a battle, or (without one) a test. That
    of a battle which is reopened before it was sent waits until it closes again. `trouble` says why the last try
    failed: an HTTP status, or a word of `campaign.discord`. Texts are not kept.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", gettext_lazy("on its way")
        SENT = "sent", gettext_lazy("arrived")
        NOTHING = "nothing", gettext_lazy("nothing to tell")
        FAILED = "failed", gettext_lazy("given up")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="dispatches")
    battle = models.OneToOneField("battles.Battle", models.CASCADE, null=True, related_name="dispatch")
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    trouble = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="waiting", settled_at__isnull=True)
                | ~Q(status="waiting") & Q(settled_at__isnull=False),
                name="dispatch_waits_or_is_settled",
            )
        ]

    def __str__(self) -> str:
        return f"{self.battle or 'A test'}: {self.get_status_display()}"

"""The Discord webhook of a campaign, and the notifications that were sent to it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from notifications.models import AbstractNotification, AbstractWebhook

from .campaign import Campaign


class Webhook(AbstractWebhook):
    """A campaign's webhook, and what is sent to it."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="webhook")
    battles = models.BooleanField(default=True)
    casualties = models.BooleanField(default=True)
    veterans = models.BooleanField(default=True)
    arcs = models.BooleanField(default=True)

    #: What can be sent, in the order of a message.
    KINDS: Mapping[str, str] = {
        "battles": gettext_lazy("Battle results"),
        "casualties": gettext_lazy("Casualties"),
        "veterans": gettext_lazy("Promotions"),
        "arcs": gettext_lazy("Completed Story Arcs"),
    }

    class Meta(AbstractWebhook.Meta):
        constraints = [
            *AbstractWebhook.Meta.constraints,
            models.CheckConstraint(
                condition=Q(battles=True) | Q(casualties=True) | Q(veterans=True) | Q(arcs=True),
                name="webhook_sends_something",
            ),
        ]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are switched on."""
        return frozenset(kind for kind in self.KINDS if getattr(self, kind))


class Notification(AbstractNotification):
    """A message about a battle that closed, one for each battle, or (without a battle) a test. The message about a
    battle that is reopened before it was sent waits until the battle closes again.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notifications")
    battle = models.OneToOneField("battles.Battle", models.CASCADE, null=True, related_name="notification")

    def __str__(self) -> str:
        return f"{self.battle or 'A test'}: {self.get_status_display()}"

"""The Discord webhook of a campaign, and the notifications that were sent to it."""

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
    planned = models.BooleanField(default=False, db_default=False)
    confirmations = models.BooleanField(default=False, db_default=False)

    #: What can be sent, in the order of a message.
    KINDS: Mapping[str, str] = {
        "planned": gettext_lazy("Planned battles"),
        "confirmations": gettext_lazy("Reports to confirm"),
        "battles": gettext_lazy("Battle results"),
        "casualties": gettext_lazy("Casualties"),
        "veterans": gettext_lazy("Promotions"),
        "arcs": gettext_lazy("Completed Story Arcs"),
    }

    class Meta(AbstractWebhook.Meta):
        constraints = [
            *AbstractWebhook.Meta.constraints,
            models.CheckConstraint(
                condition=Q(battles=True)
                | Q(casualties=True)
                | Q(veterans=True)
                | Q(arcs=True)
                | Q(planned=True)
                | Q(confirmations=True),
                name="webhook_sends_something",
            ),
        ]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that are switched on."""
        return frozenset(kind for kind in self.KINDS if getattr(self, kind))


class Subject(models.TextChoices):
    """What a message is about."""

    TEST = "test", gettext_lazy("a test")
    PLANNED = "planned", gettext_lazy("a planned battle")
    CONFIRM = "confirm", gettext_lazy("a report to confirm")
    CLOSED = "closed", gettext_lazy("a closed battle")


class Notification(AbstractNotification):
    """A message to the webhook: a test, or about a battle that was planned, has a report to confirm, or closed.

    There is one for each of these; `version` is that of the report to confirm, and 0 otherwise. The message about a
    battle that is reopened before it was sent waits until the battle closes again.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notifications")
    battle = models.ForeignKey("battles.Battle", models.CASCADE, null=True, related_name="notifications")
    about = models.CharField(max_length=8, choices=Subject, default=Subject.TEST)
    version = models.PositiveIntegerField(default=0)

    class Meta(AbstractNotification.Meta):
        constraints = [
            *AbstractNotification.Meta.constraints,
            models.UniqueConstraint(fields=["battle", "about", "version"], name="one_notification_about_each"),
            models.CheckConstraint(
                condition=Q(about=Subject.TEST, battle__isnull=True) | ~Q(about=Subject.TEST) & Q(battle__isnull=False),
                name="notification_is_a_test_or_about_a_battle",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.battle or 'A test'}: {self.get_status_display()}"

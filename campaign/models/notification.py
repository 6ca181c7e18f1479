"""The Discord webhook of a campaign, and the notifications that were sent to it."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from notifications.models import AbstractNotification, AbstractWebhook
from rules.core.translation import sentences_of

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
    rounds = models.BooleanField(default=False, db_default=False)
    announcements = models.BooleanField(default=False, db_default=False)
    reminders = models.BooleanField(default=False, db_default=False)
    chronicle = models.BooleanField(default=False, db_default=False)

    #: What can be sent, in the order of a message.
    KINDS: Mapping[str, str] = {kind: gettext_lazy(label) for kind, label in sentences_of(__file__)["kinds"].items()}

    class Meta(AbstractWebhook.Meta):
        constraints = [
            *AbstractWebhook.Meta.constraints,
            models.CheckConstraint(
                condition=Q(battles=True)
                | Q(casualties=True)
                | Q(veterans=True)
                | Q(arcs=True)
                | Q(planned=True)
                | Q(confirmations=True)
                | Q(rounds=True)
                | Q(announcements=True)
                | Q(reminders=True)
                | Q(chronicle=True),
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
    #: These have their text, since it does not change before it is sent.
    ROUND = "round", gettext_lazy("a paired round")
    ANNOUNCEMENT = "announce", gettext_lazy("an announcement")
    REMINDER = "reminder", gettext_lazy("a reminder")
    STORY = "story", gettext_lazy("a new story")


#: Those that are about one battle.
OF_BATTLES = (Subject.PLANNED, Subject.CONFIRM, Subject.CLOSED)
#: The kinds of a webhook of which one must be on for each of the others.
NEEDS = {
    Subject.ROUND: ("rounds", "planned"),
    Subject.ANNOUNCEMENT: ("announcements",),
    Subject.REMINDER: ("reminders",),
    Subject.STORY: ("chronicle",),
}


class Notification(AbstractNotification):
    """A message to the webhook: a test, one about a battle that was planned, has a report to confirm, or closed, or one
    that is written already (`text`).

    There is one for each of these; `version` is that of the report to confirm, and 0 otherwise. The message about a
    battle that is reopened before it was sent waits until the battle closes again.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notifications")
    battle = models.ForeignKey("battles.Battle", models.CASCADE, null=True, related_name="notifications")
    about = models.CharField(max_length=8, choices=Subject, default=Subject.TEST)
    version = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True, db_default="")

    class Meta(AbstractNotification.Meta):
        constraints = [
            *AbstractNotification.Meta.constraints,
            models.UniqueConstraint(fields=["battle", "about", "version"], name="one_notification_about_each"),
            models.CheckConstraint(
                condition=Q(about__in=OF_BATTLES, battle__isnull=False)
                | Q(about=Subject.TEST, battle__isnull=True)
                | Q(about__in=list(NEEDS), battle__isnull=True) & ~Q(text=""),
                name="notification_is_a_test_or_about_a_battle",
            ),
        ]

    @property
    def is_waiting_test(self) -> bool:
        """Whether it is a test that was sent a moment ago, and is not settled."""
        young = timezone.now() - self.created_at < timedelta(minutes=1)
        return self.about == Subject.TEST and self.status == self.Status.WAITING and young

    def __str__(self) -> str:
        return f"{self.battle or self.get_about_display()}: {self.get_status_display()}"

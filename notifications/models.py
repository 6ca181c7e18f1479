"""Notifications to people: what each of them wants, their devices, and what was sent; and abstract models of a webhook
and of the messages to it. Each app that sends messages (campaign, tournaments) makes those concrete and adds the
foreign keys to what they are about.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from core.db.uuid_key import UUIDModel


class Kind(models.TextChoices):
    """What a notification is about. People choose for each kind."""

    PLANNED = "planned", gettext_lazy("Battle planned, moved, or canceled")
    TURN = "turn", gettext_lazy("Your turn in a battle")
    CONFIRM = "confirm", gettext_lazy("Report to confirm")
    REMINDER = "reminder", gettext_lazy("Reminder of a battle")
    ROUND = "round", gettext_lazy("Round due")
    ANNOUNCEMENT = "announcement", gettext_lazy("Announcement")
    MENTION = "mention", gettext_lazy("Somebody mentions you")
    PAIRED = "paired", gettext_lazy("Event: your table")
    STARTED = "started", gettext_lazy("Event: a round starts")
    JUDGE = "judge", gettext_lazy("Event: a judge is called, or comes")
    LIST = "list", gettext_lazy("Event: army list due")
    FINAL = "final", gettext_lazy("Event: cut and final standings")


class Means(models.TextChoices):
    """How a notification reaches a person."""

    MAIL = "mail", gettext_lazy("Mail")
    PUSH = "push", gettext_lazy("Push")


class Preference(models.Model):
    """What a person has chosen for one kind and one means. Without a row, the default holds (`services.people`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind)
    means = models.CharField(max_length=4, choices=Means)
    on = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "means"], name="one_preference_each")]

    def __str__(self) -> str:
        return f"{self.kind} by {self.means}: {'on' if self.on else 'off'}"


class PushSubscription(UUIDModel):
    """A browser that shows push messages to a person. `endpoint` is its address at the push service of its maker;
    `p256dh` and `auth` are the keys with which messages to it are encrypted. `device` is its name for the person.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    device = models.CharField(max_length=60)
    added_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return self.device

    @property
    def service(self) -> str:
        """The host of its push service."""
        return urlsplit(self.endpoint).hostname or ""


class PushKey(models.Model):
    """The site's key pair for push services (VAPID), made when it is first needed. There is one. The private key is
    encrypted.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    encrypted_private_key = models.TextField()
    public_key = models.CharField(max_length=100)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="one_push_key")]

    def __str__(self) -> str:
        return self.public_key


class PersonalNotification(UUIDModel):
    """One message to a person. `key` names the thing it is about: there is one message for each person, kind and key.
    `url` is an address of this site, from the root.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=120)
    title = models.CharField(max_length=200)
    body = models.TextField()
    url = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="one_notification_of_each_thing"),
            models.CheckConstraint(condition=Q(url__startswith="/"), name="notification_leads_to_this_site"),
        ]

    def __str__(self) -> str:
        return self.title


class AbstractWebhook(models.Model):
    """A webhook of Discord, or a signed one. `encrypted_address` is a secret; `hint` is the beginning of Discord's
    number, empty for a signed one. `site` is the address of the site when the webhook was set, for links in messages.
    The webhook is off once the receiver has answered that it does not exist or that the address is wrong; `off_status`
    is the HTTP status of that answer.
    """

    encrypted_address = models.TextField()
    hint = models.CharField(max_length=4)
    site = models.CharField(max_length=200)
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    set_at = models.DateTimeField()
    off_at = models.DateTimeField(null=True, blank=True)
    off_status = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(off_at__isnull=True, off_status__isnull=True)
                | Q(off_at__isnull=False, off_status__isnull=False),
                name="%(class)s_is_off_for_a_reason",
            )
        ]

    def __str__(self) -> str:
        return gettext("Signed webhook") if self.is_signed else f"…/webhooks/{self.hint}…"

    @property
    def is_signed(self) -> bool:
        """Whether messages go to another program than Discord, with a signature."""
        return not self.hint


class NotificationStatus(models.TextChoices):
    """The state of a notification."""

    WAITING = "waiting", gettext_lazy("waiting")
    SENT = "sent", gettext_lazy("sent")
    NOTHING = "nothing", gettext_lazy("nothing to send")
    FAILED = "failed", gettext_lazy("failed")


class AbstractNotification(UUIDModel):
    """One message to a webhook. `error` says why the last try failed: an HTTP status, or a word of
    `notifications.web_requests`. The text is written when it is sent, and is not stored.
    """

    Status = NotificationStatus

    status = models.CharField(max_length=10, choices=NotificationStatus, default=NotificationStatus.WAITING)
    error = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status="waiting", settled_at__isnull=True)
                | ~Q(status="waiting") & Q(settled_at__isnull=False),
                name="%(class)s_waits_or_is_settled",
            )
        ]

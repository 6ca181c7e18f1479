"""Notifications to people: what each of them wants, their devices, and what was sent."""

import uuid
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy


class Kind(models.TextChoices):
    """What a notification is about. People choose for each kind."""

    PLANNED = "planned", gettext_lazy("Battle planned, moved, or canceled")
    TURN = "turn", gettext_lazy("Your turn in a battle")
    CONFIRM = "confirm", gettext_lazy("Report to confirm")
    REMINDER = "reminder", gettext_lazy("Reminder of a battle")
    ROUND = "round", gettext_lazy("Round due")
    ANNOUNCEMENT = "announcement", gettext_lazy("Announcement")
    MENTION = "mention", gettext_lazy("Somebody mentions you")


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


class PushSubscription(models.Model):
    """A browser that shows push messages to a person. `endpoint` is its address at the push service of its maker;
    `p256dh` and `auth` are the keys with which messages to it are encrypted. `device` is its name for the person.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
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


class PersonalNotification(models.Model):
    """One message to a person. `key` names the thing it is about: there is one message for each person, kind and key.
    `url` is an address of this site, from the root.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
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

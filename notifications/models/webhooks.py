"""Abstract models of a webhook and of the messages to it. Each app that sends messages (campaign, tournaments) makes
them concrete and adds the foreign keys to what they are about.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy


class AbstractWebhook(models.Model):
    """A Discord webhook. `encrypted_address` is a secret; `hint` is the beginning of its number. `site` is the address
    of the site when the webhook was set, for links in messages. The webhook is off once Discord has answered that it
    does not exist or that the address is wrong; `off_status` is the HTTP status of that answer.
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
        return f"…/webhooks/{self.hint}…"


class NotificationStatus(models.TextChoices):
    """The state of a notification."""

    WAITING = "waiting", gettext_lazy("waiting")
    SENT = "sent", gettext_lazy("sent")
    NOTHING = "nothing", gettext_lazy("nothing to send")
    FAILED = "failed", gettext_lazy("failed")


class AbstractNotification(models.Model):
    """One message to a webhook. `error` says why the last try failed: an HTTP status, or a word of
    `notifications.web_requests`. The text is written when it is sent, and is not stored.
    """

    Status = NotificationStatus

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
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

"""Queue the notification of a battle that closes, and cancel it."""

from __future__ import annotations

from django.utils import timezone

from campaign.battles.models import Battle
from campaign.models import Notification, Webhook
from notifications.services import delivery


def notify_of(battle: Battle) -> None:
    """Queue the notification of a locked battle that closes, in the same transaction, if the campaign's webhook is
    on. A notification that is still waiting is queued again each time the battle closes: the earlier job may have
    found the battle reopened.
    """
    if not Webhook.objects.filter(campaign=battle.campaign_id, off_at=None).exists():
        return
    notification, _ = Notification.objects.get_or_create(battle=battle, defaults={"campaign_id": battle.campaign_id})
    if notification.status == Notification.Status.WAITING:
        delivery.queue(notification)


def cancel_notification_of(battle: Battle) -> None:
    """Settle the waiting notification of a battle that no longer counts, so that it is never sent."""
    Notification.objects.filter(battle=battle, status=Notification.Status.WAITING).update(
        status=Notification.Status.NOTHING, error="", settled_at=timezone.now()
    )


def webhook_of(notification: Notification) -> Webhook | None:
    """Return the webhook that a notification goes to, if the campaign has one that is on."""
    return Webhook.objects.filter(campaign=notification.campaign_id, off_at__isnull=True).first()

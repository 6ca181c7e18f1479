"""Queue a notification and send it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import QuerySet
from django.utils import timezone
from procrastinate.contrib.django import app

from core.encryption import decrypt
from notifications import discord, signed_webhook
from notifications.models import AbstractNotification, AbstractWebhook, NotificationStatus
from notifications.web_requests import Gone, MessageRefused, TryLater

#: Returns the webhook of a notification, if it has one that is on.
WebhookOf = Callable[[Any], AbstractWebhook | None]
#: Returns the text of a notification to a webhook: empty if there is nothing to say, None while it is not due.
TextOf = Callable[[Any, Any], str | None]


def queue(notification: AbstractNotification) -> None:
    """Queue a notification. The queue's lock keeps two workers from sending it at once."""
    task = app.configure_task("deliver", lock=f"notification-{notification.pk}")
    task.defer(model=notification._meta.label, notification=str(notification.pk))


def deliver(model: str, pk: UUID | str, webhook_of: WebhookOf, text_of: TextOf) -> None:
    """Send the waiting notification of this model with this primary key. One that is settled is left alone; so is one
    that is not due, until it is queued again.

    The receiver's response decides: the notification is sent; it can never be sent (and a webhook that it does not know
    is switched off); or, raising `TryLater`, it is tried again. No row is locked during the request, so a
    worker that is killed after the response and before it is stored sends the message once more.
    """
    if (notification := _waiting(model, pk).first()) is None:
        return
    webhook = webhook_of(notification)
    address = decrypt(webhook.encrypted_address) if webhook else None
    if webhook is None or address is None:
        _settle(notification, NotificationStatus.FAILED, "no-webhook" if webhook is None else "sealed")
        return
    if (text := text_of(notification, webhook)) is None:
        return
    try:
        if text and webhook.is_signed:
            key = signed_webhook.key_of(webhook.pk, address)
            signed_webhook.send(address, text, key=key, number=str(notification.pk))
        elif text:
            discord.send(address, text)
    except Gone as gone:
        # Unless an organizer has set another address during the request.
        same = type(webhook)._default_manager.filter(pk=webhook.pk, encrypted_address=webhook.encrypted_address)
        same.update(off_at=timezone.now(), off_status=int(gone.error))
        _settle(notification, NotificationStatus.FAILED, gone.error)
    except MessageRefused as refused:
        _settle(notification, NotificationStatus.FAILED, refused.error)
    except TryLater as later:
        _waiting(model, pk).update(error=later.error)
        raise
    else:
        _settle(notification, NotificationStatus.SENT if text else NotificationStatus.NOTHING)


def give_up(model: str, pk: UUID | str) -> None:
    """Stop trying to send a notification; `error` keeps why the last try failed."""
    _waiting(model, pk).update(status=NotificationStatus.FAILED, settled_at=timezone.now())


def _waiting(model: str, pk: UUID | str) -> QuerySet[AbstractNotification]:
    found: QuerySet[AbstractNotification] = apps.get_model(model)._default_manager.filter(pk=pk)
    return found.filter(status=NotificationStatus.WAITING)


def _settle(notification: AbstractNotification, status: NotificationStatus, error: str = "") -> None:
    """Settle a notification unless another worker, which was thought dead, has settled it."""
    _waiting(notification._meta.label, notification.pk).update(status=status, error=error, settled_at=timezone.now())

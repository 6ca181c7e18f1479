"""Messages to a webhook, and messages to people by mail and push."""

from .people import Kind, Means, PersonalNotification, Preference, PushKey, PushSubscription
from .webhooks import AbstractNotification, AbstractWebhook, NotificationStatus

__all__ = [
    "AbstractNotification",
    "AbstractWebhook",
    "Kind",
    "Means",
    "NotificationStatus",
    "PersonalNotification",
    "Preference",
    "PushKey",
    "PushSubscription",
]

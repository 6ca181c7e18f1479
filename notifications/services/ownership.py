"""What happens to notifications when an account is deleted or merged, and to whom they belong in a data export."""

from typing import Any

from accounts.models import User
from notifications.models import PersonalNotification, Preference, PushSubscription


def delete_notifications_of(user: User) -> None:
    """Delete the choices, devices and notifications of a person whose account is being deleted."""
    for model in (Preference, PushSubscription, PersonalNotification):
        model._default_manager.filter(user=user).delete()


def give_devices(gone: User, into: User) -> None:
    """Give the devices of an account to the one that it is merged into, which keeps its own choices."""
    PushSubscription.objects.filter(user=gone).update(user=into)
    delete_notifications_of(gone)


def notifications_of(user: User) -> dict[str, Any]:
    """Return the choices, devices and notifications of a person. Addresses and keys of devices are secrets."""
    sent = PersonalNotification.objects.filter(user=user).order_by("created_at")
    return {
        "choices": list(Preference.objects.filter(user=user).order_by("pk").values("kind", "means", "on")),
        "devices": [
            {"name": each.device, "push service": each.service, "added": each.added_at}
            for each in PushSubscription.objects.filter(user=user)
        ],
        "sent": list(sent.values("kind", "title", "body", "url", "created_at", "mailed_at")),
    }

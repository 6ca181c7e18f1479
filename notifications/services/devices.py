"""Browsers that show push messages, and the site's key for them."""

import json
from uuid import UUID

import structlog
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import transaction
from django.templatetags.static import static
from django.utils.translation import gettext
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from accounts.models import User
from core.encryption import decrypt, encrypt
from notifications import web_push
from notifications.models import Means, PersonalNotification, PushKey, PushSubscription
from notifications.services.people import means_of
from notifications.web_requests import Gone, MessageRefused
from rules.core.violations import refuse

log = structlog.get_logger(__name__)

#: Devices of a person. One more replaces the oldest.
MOST = 10
#: Characters of a notification's text on a phone's lock screen.
SHOWN = 300


def public_key() -> str:
    """Return the site's public key, with which a browser subscribes. Makes the key pair if there is none."""
    return _key()[1]


@transaction.atomic
def add_device(*, actor: User, endpoint: str, p256dh: str, auth: str, device: str) -> PushSubscription:
    """Store the subscription of a browser for a person. If another person has subscribed in the same browser, it is
    this person's from now on. Repeating it changes nothing. Refuses an address that is not one of a known push
    service, and broken keys.
    """
    if web_push.origin_of(endpoint) is None or not web_push.are_keys(p256dh, auth):
        raise refuse("", gettext("Push does not work with this browser. Try Chrome, Edge, Firefox, or Safari."))
    values = {"user": actor, "p256dh": p256dh, "auth": auth, "device": device}
    added, _new = PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    latest = (
        PushSubscription.objects.filter(user=actor).order_by("-added_at", "-pk").values_list("pk", flat=True)[:MOST]
    )
    PushSubscription.objects.filter(user=actor).exclude(pk__in=list(latest)).delete()
    return added


def remove_device(*, actor: User, pk: UUID) -> None:
    """Remove a device of this person. Repeating it changes nothing."""
    PushSubscription.objects.filter(user=actor, pk=pk).delete()


def push(notification: UUID | str, device: UUID | str) -> None:
    """Send a notification to a device, unless the person has turned it off since. A device that is gone is removed.
    Raises `TryLater` if it may arrive later.
    """
    found = PersonalNotification.objects.filter(pk=notification).first()
    there = PushSubscription.objects.filter(pk=device).first()
    if found is None or there is None or there.user_id != found.user_id:
        return
    if Means.PUSH not in means_of([found.user_id], found.kind).get(found.user_id, ()):
        return
    private, _public = _key()
    try:
        web_push.send(there.endpoint, there.p256dh, there.auth, _message(found), private)
    except Gone:
        there.delete()
    except MessageRefused as refused:
        log.warning("push message refused", service=there.service, error=refused.error)


def _message(notification: PersonalNotification) -> bytes:
    body = notification.body
    text = body if len(body) <= SHOWN else f"{body[: SHOWN - 1]}…"
    message = {
        "title": notification.title,
        "body": text,
        "url": notification.url,
        "tag": f"{notification.kind} {notification.key}",
        "icon": static("app/icon-192.png"),
    }
    return json.dumps(message, ensure_ascii=False).encode()


def _key() -> tuple[str, str]:
    """Return the private key (PEM) and the public one. If the site's secret key has changed, nobody can read the
    private one: then there is a new pair, and all devices have to subscribe again.
    """
    row = PushKey.objects.first()
    private = decrypt(row.encrypted_private_key) if row else None
    if row and private:
        return private, row.public_key
    pair = Vapid02()
    pair.generate_keys()
    public = b64urlencode(pair.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    new = {"encrypted_private_key": encrypt(pair.private_pem().decode()), "public_key": public}
    if row:
        PushSubscription.objects.all().delete()
        PushKey.objects.filter(pk=row.pk, encrypted_private_key=row.encrypted_private_key).update(**new)
        row = PushKey.objects.get()
    else:  # another process may have made one just now
        row, _made = PushKey.objects.get_or_create(pk=1, defaults=new)
    return decrypt(row.encrypted_private_key) or "", row.public_key

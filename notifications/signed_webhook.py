"""Send messages to a webhook of any program that the host allows, signed so that it can tell who sent them.

The host names the origins (SIGNED_WEBHOOK_ORIGINS): the server calls nobody else, whatever a form says. For receivers,
docs/webhooks.md describes messages and signature.
"""

import hmac
import json
import re
import time

from django.conf import settings
from django.utils.crypto import salted_hmac

from notifications.web_requests import MessageRefused, deliver

#: The statuses with which a receiver says that there is no such webhook.
GONE = frozenset({401, 403, 404, 410})
_PATH = re.compile(r"/[\w.~!$&'()*+,;=:@%/?-]{0,250}", re.ASCII)
_MARKED = re.compile(r"\\(.)|\*\*|__|<(https?://[^>]*)>")


def is_allowed(address: str) -> bool:
    """Return whether an address belongs to an origin that the host allows."""
    for origin in settings.SIGNED_WEBHOOK_ORIGINS:
        if address.startswith(f"{origin}/"):
            return bool(_PATH.fullmatch(address.removeprefix(origin)))
    return False


def key_of(owner: object, address: str) -> str:
    """Return the key for the messages of an `owner` (a primary key) to an address. It follows from SECRET_KEY."""
    return salted_hmac("musterbook.signed_webhook", f"{owner} {address}", algorithm="sha256").hexdigest()


def signature(key: str, timestamp: int, body: bytes) -> str:
    """Return what signs a body sent at a time (seconds since 1970)."""
    return "sha256=" + hmac.digest(key.encode(), b"%d." % timestamp + body, "sha256").hex()


def send(address: str, text: str, *, key: str, number: str) -> None:
    """Send a message, written for Discord, with its `number`, which stays the same if it is sent again. Raises `Gone`,
    `MessageRefused` or `TryLater`.
    """
    if not is_allowed(address):
        raise MessageRefused("address")
    plain = _MARKED.sub(lambda found: found[1] or found[2] or "", text)
    body = json.dumps({"id": number, "text": plain, "markdown": text}).encode()
    now = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "Musterbook-Timestamp": str(now),
        "Musterbook-Signature": signature(key, now, body),
    }
    deliver(address, gone=GONE, headers=headers, data=body)

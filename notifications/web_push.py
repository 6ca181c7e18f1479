"""Send a push message to a browser (RFC 8030, 8291, 8292).

The server calls only the push services of browser makers (`PUSH_ORIGINS`), whatever a browser claims its address to be:
nobody can make it call a machine of its own network. The address is a secret, as `notifications.web_requests` says.
"""

import base64
import re
from email.utils import parseaddr
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from django.conf import settings
from py_vapid import Vapid02

from core.retention import PUSH_MESSAGE
from notifications.web_requests import MessageRefused, deliver

#: The statuses with which a push service says that the browser is gone, or no longer takes messages of our key.
GONE = frozenset({401, 403, 404, 410})
#: How long a push service keeps a message for a phone that is off, in seconds.
TTL = str(int(PUSH_MESSAGE.total_seconds()))
#: Bytes of a message that every push service takes, before it is encrypted.
LONGEST = 3000

_ADDRESS = re.compile(r"(?P<origin>https?://[a-z0-9.-]{1,200}(?::[0-9]{1,5})?)/[^\s\\]{1,900}")


def origin_of(endpoint: str) -> str | None:
    """Return the origin of a push service's address, or None unless it is one of `PUSH_ORIGINS`. An address with
    another scheme, or with a user, is refused.
    """
    found = _ADDRESS.fullmatch(endpoint)
    if found and any(fnmatchcase(found["origin"], each) for each in settings.PUSH_ORIGINS):
        return found["origin"]
    return None


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether these are the keys of a browser: a point of the curve P-256, and 16 bytes, both in base64url."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False


def send(endpoint: str, p256dh: str, auth: str, message: bytes, private_key: str) -> None:
    """Send a message of at most LONGEST bytes, signed with the site's `private_key` (PEM). Raises `Gone`,
    `MessageRefused` or `TryLater` of `notifications.web_requests`.
    """
    from pywebpush import WebPusher  # lazy: rare

    origin = origin_of(endpoint)
    if origin is None or not are_keys(p256dh, auth):
        raise MessageRefused("address")
    browser = WebPusher({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}})
    key = Vapid02.from_pem(private_key.encode())
    headers = {"Content-Encoding": "aes128gcm", "TTL": TTL, **key.sign({"aud": origin, "sub": _contact()})}
    deliver(endpoint, gone=GONE, headers=headers, data=browser.encode(message)["body"])


def _contact() -> str:
    """Return whom a push service can ask about our messages: the site by its name, which py_vapid takes without a port
    or a path, or its mail address if it has no public name.
    """
    site = urlsplit(settings.SITE_URL)
    if site.scheme == "https" and re.fullmatch(r"[\w-]+(\.[\w-]+)+", site.hostname or ""):
        return f"https://{site.hostname}"
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

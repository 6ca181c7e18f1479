"""Send messages to a Discord webhook.

The address is a secret: anyone who has it can post to the channel. No exception that leaves this module carries it,
not even as its cause.
"""

from __future__ import annotations

import re

import requests
from django.conf import settings

#: Characters of a message; Discord counts as UTF-16 does.
LONGEST = 2000
#: The statuses with which Discord says that there is no such webhook, or that the address is not (or no longer) right.
GONE = frozenset({401, 403, 404})
#: Why there was no response.
UNREACHABLE, SILENT = "unreachable", "silent"

_TOO_MANY = 429
_SUPPRESS_EMBEDS = 1 << 2
_PATH = re.compile(r"/api(?:/v[0-9]{1,2})?/webhooks/(?P<number>[0-9]{4,20})/[A-Za-z0-9_-]{1,200}")
# Characters that have a meaning for Discord, anywhere in a line or at its beginning.
_MARKS = re.compile(r"([\\`*_~|<>\[\]()#:@+.-])")


class Undelivered(Exception):
    """The message did not arrive. `error` says why: an HTTP status, or one of the words above."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


class Gone(Undelivered):
    """Discord knows no such webhook, or not with this token: another try would fail as well."""


class MessageRefused(Undelivered):
    """Discord does not accept this message, and would not accept it next time either."""


class TryLater(Undelivered):
    """The message may arrive later, but not before this many `seconds`."""

    def __init__(self, error: str, seconds: int = 0) -> None:
        super().__init__(error)
        self.seconds = seconds


def webhook_number(address: str) -> str | None:
    """Return the number of the webhook with this address, or None if it is no address of a Discord webhook.
    Another host, port, user or query is refused, so that nobody can make the server call somewhere else.
    """
    origin = next((each for each in settings.WEBHOOK_ORIGINS if address.startswith(f"{each}/")), None)
    found = _PATH.fullmatch(address.removeprefix(origin)) if origin else None
    return found["number"] if found else None


def escaped(text: str) -> str:
    """Return a one-line text written by people, escaped so that Discord shows it unchanged."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def length(text: str) -> int:
    """Return the number of characters, as Discord counts them."""
    return len(text.encode("utf-16-le")) // 2


def send(address: str, text: str) -> None:
    """Send a message that mentions nobody and shows no previews, within `WEBHOOK_TIMEOUT`. Does not follow redirects.
    Raises `Gone`, `MessageRefused` or `TryLater`.
    """
    if webhook_number(address) is None:
        raise MessageRefused("address")
    outcome = _post(address, {"content": text, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS})
    if isinstance(outcome, str):
        raise TryLater(outcome)
    status, retry_after = outcome
    if status in GONE:
        raise Gone(str(status))
    if status == _TOO_MANY or status >= 500:
        raise TryLater(str(status), retry_after)
    if not 200 <= status < 300:
        raise MessageRefused(str(status))


def _post(address: str, message: dict[str, object]) -> tuple[int, int] | str:
    """Return the status of the response and the seconds to wait, or why there was none. A return value instead of an
    exception, because an exception raised while another is handled brings that one along, and its text has the address.
    """
    try:
        with requests.post(
            address,
            json=message,
            headers={"User-Agent": "Musterbook"},
            timeout=settings.WEBHOOK_TIMEOUT,
            allow_redirects=False,
            stream=True,  # only the status is read
        ) as response:
            after = response.headers.get("Retry-After", "")
            # Discord sends seconds with or without decimals; for a date, the back-off decides.
            seconds = int(float(after)) + 1 if re.fullmatch(r"\d{1,5}(\.\d+)?", after) else 0
            return response.status_code, seconds
    except requests.Timeout:
        return SILENT
    except requests.RequestException:
        return UNREACHABLE

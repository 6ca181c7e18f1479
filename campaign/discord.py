"""Speaking to a Discord webhook: its address, what may stand in a message, and sending one.

The address is a secret: whoever has it may write in the channel. No exception that leaves this module carries it,
not even as its cause.
"""

from __future__ import annotations

import re

import requests
from django.conf import settings

#: Characters of a message; Discord counts as UTF-16 does.
LONGEST = 2000
#: Discord answers this when there is no such webhook, or the address is not (or no longer) the right one.
GONE = frozenset({401, 403, 404})
#: Why nothing was answered.
UNREACHABLE, SILENT = "unreachable", "silent"

_TOO_MANY = 429
_SUPPRESS_EMBEDS = 1 << 2
_PATH = re.compile(r"/api(?:/v[0-9]{1,2})?/webhooks/(?P<number>[0-9]{4,20})/[A-Za-z0-9_-]{1,200}")
# What Discord gives a meaning to anywhere in a line, or at its beginning.
_MARKS = re.compile(r"([\\`*_~|<>\[\]()#:@+.-])")


class Undelivered(Exception):
    """The message did not arrive. `trouble` says why: an HTTP status, or one of the words above."""

    def __init__(self, trouble: str) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Gone(Undelivered):
    """Discord knows no such webhook, or not with this token: trying again is no use."""


class Refused(Undelivered):
    """Discord does not take this message, and would not take it the next time either."""


class TryLater(Undelivered):
    """It may arrive later, not before so many `seconds`."""

    def __init__(self, trouble: str, seconds: int = 0) -> None:
        super().__init__(trouble)
        self.seconds = seconds


def number_of(address: str) -> str | None:
    """The number of the webhook with this address, or None if it is no address of a Discord webhook.

    No other host, port, user or query: the server shall call nobody else on somebody's word.
    """
    origin = next((each for each in settings.WEBHOOK_ORIGINS if address.startswith(f"{each}/")), None)
    found = _PATH.fullmatch(address.removeprefix(origin)) if origin else None
    return found["number"] if found else None


def escaped(text: str) -> str:
    """A text that people wrote, on one line, so that Discord shows it as it is: no links, no marks."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def length(text: str) -> int:
    """Characters, as Discord counts them."""
    return len(text.encode("utf-16-le")) // 2


def send(address: str, text: str) -> None:
    """Send a message that mentions nobody and shows no previews. Takes no longer than `WEBHOOK_TIMEOUT` allows.

    Raises `Gone`, `Refused` or `TryLater`. A redirection is not followed.
    """
    if number_of(address) is None:
        raise Refused("address")
    outcome = _post(address, {"content": text, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS})
    if isinstance(outcome, str):
        raise TryLater(outcome)
    status, retry_after = outcome
    if status in GONE:
        raise Gone(str(status))
    if status == _TOO_MANY or status >= 500:
        raise TryLater(str(status), retry_after)
    if not 200 <= status < 300:
        raise Refused(str(status))


def _post(address: str, message: dict[str, object]) -> tuple[int, int] | str:
    """The status and the seconds to wait that were answered, or why nothing was.

    Answered and not raised, since an exception raised while another is handled would bring that one along,
    and its text names the address.
    """
    try:
        with requests.post(
            address,
            json=message,
            headers={"User-Agent": "Musterbook"},
            timeout=settings.WEBHOOK_TIMEOUT,
            allow_redirects=False,
            stream=True,  # what the answer says besides its status is not read
        ) as response:
            return response.status_code, _seconds(response.headers.get("Retry-After", ""))
    except requests.Timeout:
        return SILENT
    except requests.RequestException:
        return UNREACHABLE


def _seconds(retry_after: str) -> int:
    """Seconds to wait, rounded up. Discord says them with or without decimals; a date is left to the back-off."""
    return int(float(retry_after)) + 1 if re.fullmatch(r"\d{1,5}(\.\d+)?", retry_after) else 0

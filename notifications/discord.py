"""Send messages to a Discord webhook.

The address is a secret: anyone who has it can post to the channel. No exception that leaves this module carries it,
not even as its cause.
"""

import re

from django.conf import settings

from notifications.web_requests import MessageRefused, deliver

#: Characters of a message; Discord counts as UTF-16 does.
LONGEST = 2000
#: The statuses with which Discord says that there is no such webhook, or that the address is not (or no longer) right.
GONE = frozenset({401, 403, 404})

_SUPPRESS_EMBEDS = 1 << 2
_PATH = re.compile(r"/api(?:/v[0-9]{1,2})?/webhooks/(?P<number>[0-9]{4,20})/[A-Za-z0-9_-]{1,200}")
# Characters that have a meaning for Discord, anywhere in a line or at its beginning.
_MARKS = re.compile(r"([\\`*_~|<>\[\]()#:@+.-])")


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


def quoted(text: str) -> str:
    """Return a text of several lines written by people as a quotation, unchanged, without empty lines."""
    return "\n".join(f"> {escaped(line)}" for line in text.splitlines() if line.strip())


def length(text: str) -> int:
    """Return the number of characters, as Discord counts them."""
    return len(text.encode("utf-16-le")) // 2


def send(address: str, text: str) -> None:
    """Send a message that mentions nobody and shows no previews, within `WEBHOOK_TIMEOUT`. Does not follow redirects.
    Raises `Gone`, `MessageRefused` or `TryLater`.
    """
    if webhook_number(address) is None:
        raise MessageRefused("address")
    message = {"content": text, "allowed_mentions": {"parse": []}, "flags": _SUPPRESS_EMBEDS}
    deliver(address, gone=GONE, json=message)

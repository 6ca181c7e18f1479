"""Requests to other servers, and why a message did not arrive.

Addresses are secrets: no exception that leaves these modules carries one, not even as its cause.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings

#: Why there was no response.
UNREACHABLE, SILENT = "unreachable", "silent"
_TOO_MANY = 429


class Undelivered(Exception):
    """The message did not arrive. `error` says why: an HTTP status, or one of the words above."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


class Gone(Undelivered):
    """The receiver knows no such address: another try would fail as well."""


class MessageRefused(Undelivered):
    """The receiver does not accept this message, and would not accept it next time either."""


class TryLater(Undelivered):
    """The message may arrive later, but not before this many `seconds`."""

    def __init__(self, error: str, seconds: int = 0) -> None:
        super().__init__(error)
        self.seconds = seconds


def deliver(address: str, *, gone: frozenset[int], headers: Mapping[str, str] | None = None, **message: Any) -> None:
    """Post a message, within `WEBHOOK_TIMEOUT` and without following redirects. `gone` are the statuses with which the
    receiver says that there is no such address; `message` are arguments of `requests.post`. Raises `Gone`,
    `MessageRefused` or `TryLater`.
    """
    outcome = _post(address, headers or {}, message)
    if isinstance(outcome, str):
        raise TryLater(outcome)
    status, retry_after = outcome
    if status in gone:
        raise Gone(str(status))
    if status == _TOO_MANY or status >= 500:
        raise TryLater(str(status), retry_after)
    if not 200 <= status < 300:
        raise MessageRefused(str(status))


def _post(address: str, headers: Mapping[str, str], message: Mapping[str, Any]) -> tuple[int, int] | str:
    """Return the status of the response and the seconds to wait, or why there was none. A return value instead of an
    exception, because an exception raised while another is handled brings that one along, and its text has the address.
    """
    import requests  # lazy: rare

    try:
        with requests.post(
            address,
            headers={"User-Agent": "Musterbook", **headers},
            timeout=settings.WEBHOOK_TIMEOUT,
            allow_redirects=False,
            stream=True,  # only the status is read
            **message,
        ) as response:
            after = response.headers.get("Retry-After", "")
            # Discord sends seconds with or without decimals; for a date, the back-off decides.
            seconds = int(float(after)) + 1 if re.fullmatch(r"\d{1,5}(\.\d+)?", after) else 0
            return response.status_code, seconds
    except requests.Timeout:
        return SILENT
    except requests.RequestException:
        return UNREACHABLE

"""The 503 page while the database cannot be reached; it offers to send again what was typed."""

from __future__ import annotations

import logging
import sys
import time

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error as plain_server_error

from core.same_origin import is_same_origin

RETRY_AFTER = 5  # seconds
ONCE_IN = 60  # seconds
#: Classes of PostgreSQL's error codes: no connection, too few of them, and a server that stops or starts.
AWAY = ("08", "53", "57P")
#: Who types these may not find them on a page.
SECRETS = ("password", "code")

logger = logging.getLogger(__name__)


def is_database_down(error: BaseException | None) -> bool:
    """Whether an error says that the database cannot be reached, rather than that it refuses something."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    code = getattr(error.__cause__, "sqlstate", None)
    return code is None or code.startswith(AWAY)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for an error that nobody has caught: 503 if the database is away, else Django's own, 500."""
    error = sys.exc_info()[1]
    if not is_database_down(error):
        return plain_server_error(request)
    once_per_minute.say(error)
    context = {
        "seconds": RETRY_AFTER,
        "asked": request.method in ("GET", "HEAD"),
        "sent": _sent(request),
        "path": request.get_full_path(),
    }
    page = render_to_string("503.html", context)
    return HttpResponse(
        page, status=503, headers={"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    )


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what a form of this site has sent, to be sent again; nothing if it has a secret or a file.

    What another site makes a browser send is never offered to be sent again.
    """
    if request.method != "POST" or not is_same_origin(request):
        return []
    if request.FILES or any(secret in name for name in request.POST for secret in SECRETS):
        return []
    return [(name, value) for name, values in request.POST.lists() for value in values]


class OncePerMinute(logging.Filter):
    """Lets nothing through that is logged while such an error is being answered, but for a line of its own."""

    said_at = -float(ONCE_IN)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to let a line through."""
        return record.name == __name__ or not is_database_down(sys.exc_info()[1])

    def say(self, error: BaseException | None) -> None:
        """Say that the database does not answer, unless that was said within the last minute."""
        if time.monotonic() - self.said_at >= ONCE_IN:
            self.said_at = time.monotonic()
            logger.error("The database does not answer: %s", str(error).partition("\n")[0])


once_per_minute = OncePerMinute()

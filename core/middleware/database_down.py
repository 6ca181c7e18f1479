"""The 503 page for when the database cannot be reached; it offers to send the typed input again."""

import logging
import sys
import time

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error as plain_server_error

RETRY_AFTER = 5  # seconds
ONCE_IN = 60  # seconds
#: Classes of PostgreSQL error codes: no connection, too few connections, server starting or stopping.
AWAY = ("08", "53", "57P")
#: Fields that are never written into a page.
SECRETS = ("password", "code")

logger = logging.getLogger(__name__)


def is_database_down(error: BaseException | None) -> bool:
    """Return whether an error means that the database cannot be reached, rather than that it refuses something."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    code = getattr(error.__cause__, "sqlstate", None)
    return code is None or code.startswith(AWAY)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an uncaught error: 503 if the database is away, else Django's own, 500."""
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
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"})


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the posted fields of a form of this site, to be sent again; empty if it has a secret or a file.

    Input that another site made the browser send is never offered again.
    """
    if request.method != "POST" or not is_same_origin(request):
        return []
    if request.FILES or any(secret in name for name in request.POST for secret in SECRETS):
        return []
    return [(name, value) for name, values in request.POST.lists() for value in values]


class OncePerMinute(logging.Filter):
    """Drops all lines logged while a request fails for lack of a database, except its own line once a minute."""

    logged_at = -float(ONCE_IN)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to let a line through."""
        return record.name == __name__ or not is_database_down(sys.exc_info()[1])

    def say(self, error: BaseException | None) -> None:
        """Log that the database does not answer, unless that was logged within the last minute."""
        if time.monotonic() - self.logged_at >= ONCE_IN:
            self.logged_at = time.monotonic()
            logger.error("The database does not answer: %s", str(error).partition("\n")[0])


once_per_minute = OncePerMinute()


def is_same_origin(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of this site sent the request. Browsers send this with every form."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"

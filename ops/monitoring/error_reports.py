"""Keep personal data, input and the keys of links out of the log, and report errors to Sentry.

The message of an exception quotes values: an existing row, a text that is not a number, a called address. So the log
identifies an error by its class and the lines of code that led to it.

If SENTRY_DSN is set, Sentry reports exceptions that are logged at ERROR, and nothing else. None of Sentry's
integrations is on: they read requests, settings and variables. Only the parts of an event that are named here are sent.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from structlog.typing import EventDict, ExcInfo

from core.middleware.database_down import is_database_down
from ops.paths import VERSION

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

#: Django's loggers of requests refused before any view ran. They quote the input.
REFUSALS = "django.security."
#: Most exceptions of a chain of causes that are logged.
LONGEST = 5
#: Details of a PostgreSQL error that contain no values of a row.
NAMED = ("table_name", "constraint_name")


def without_messages(exc_info: ExcInfo) -> str:
    """Return a traceback without values, for structlog."""
    return traceback_of(exc_info[1])


def traceback_of(error: BaseException) -> str:
    """Return an exception after those that caused it: their lines of code and their names."""
    sentences = [
        f"{''.join(traceback.format_tb(each.__traceback__))}{name_of(each)}" for each in reversed([*_chain(error)])
    ]
    return "\nwhich led to:\n".join(sentences)


def name_of(error: BaseException) -> str:
    """Return the class of an exception; for a database error also its code and constraint."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    diagnosis = getattr(error, "diag", None)
    facts = [getattr(error, "sqlstate", None), *(getattr(diagnosis, key, None) for key in NAMED)]
    return " ".join([name, *filter(None, facts)])


def _chain(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    seen: set[int] = set()
    while each is not None and id(each) not in seen and len(seen) < LONGEST:
        seen.add(id(each))
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


class Discreet(logging.Filter):
    """Logs Django's messages about requests without their addresses and input."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to let a line through, possibly shortened."""
        request = getattr(record, "request", None)
        if record.name == "django.request" and hasattr(request, "number"):
            return False  # ops.monitoring.request_log has a line for it
        if record.name.startswith(REFUSALS) and record.exc_info and record.exc_info[1]:
            record.msg, record.args, record.exc_info = "Refused: %s", (name_of(record.exc_info[1]),), None
        elif isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple("…" if arg == request.path else _reason(arg) for arg in record.args)
        return True


def _reason(reason: object) -> object:
    """Return why a form was refused, without the address it came from: "Origin checking failed - https://…"."""
    return reason.partition(" - ")[0] if isinstance(reason, str) else reason


SENT = ("event_id", "timestamp", "level", "platform", "release", "environment", "sdk")
OF_FRAMES = ("filename", "function", "module", "lineno", "in_app", "pre_context", "context_line", "post_context")
OF_LINES = {"request_id", "view", "battle_id", "campaign_id", "register_id", "method", "status", "logger"}
#: Disables Sentry's own data collection, should an integration ask for it.
OFF: Any = {"mode": "off"}
NOTHING: Any = {
    "user_info": False,
    "cookies": OFF,
    "http_headers": {"request": OFF},
    "http_bodies": [],
    "url_query_params": OFF,
    "database_query_data": False,
    "queues": False,
    "stack_frame_variables": False,
}
ERRORS = ("error", "critical")


def begin(*, dsn: str, environment: str, release: str = "", **more: Any) -> None:
    """Start reporting. `release` is by default the version of Musterbook; `more` is passed to Sentry."""
    import sentry_sdk  # lazy: optional
    from sentry_sdk.integrations.atexit import AtexitIntegration  # lazy: optional

    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        release=release or f"musterbook@{VERSION}",
        default_integrations=False,
        auto_enabling_integrations=False,
        # Sends pending reports when the process ends; by default it would also print a message.
        integrations=[AtexitIntegration(callback=lambda pending, timeout: None)],
        data_collection=NOTHING,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=scrubbed,
        **more,
    )


def report(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Return a log line unchanged, and report its exception if it is logged as an error."""
    sentry_sdk: Any = sys.modules.get("sentry_sdk")  # `begin` imports it
    reports = sentry_sdk and sentry_sdk.is_initialized()
    if reports and event.get("level") in ERRORS and (error := _raised(event.get("exc_info"))):
        with sentry_sdk.new_scope() as scope:
            for name in OF_LINES & event.keys():
                scope.set_tag(name, event[name])
            scope.capture_exception(error)
    return event


def _raised(error_info: Any) -> BaseException | None:
    """Return the exception of a log line, unless it only says that the database is away: that is logged once."""
    error = (
        error_info
        if isinstance(error_info, BaseException)
        else (error_info if isinstance(error_info, tuple) else sys.exc_info())[1]
    )
    return error if error_info and not is_database_down(error) else None


def scrubbed(event: Event, hint: Hint) -> Event | None:
    """Return the parts of an event that are sent: no message, variable, request or person."""
    whole: dict[str, Any] = {**event}
    if not whole.get("exception"):
        return None
    kept: dict[str, Any] = {key: whole[key] for key in SENT if key in whole}
    kept["tags"] = {key: value for key, value in (whole.get("tags") or {}).items() if key in OF_LINES}
    kept["exception"] = {"values": [_exception(each) for each in whole["exception"]["values"]]}
    return kept  # type: ignore[return-value]


def _exception(given: dict[str, Any]) -> dict[str, Any]:
    frames = (given.get("stacktrace") or {}).get("frames", [])
    return {
        "type": given["type"],
        "module": given.get("module"),
        "stacktrace": {"frames": [{key: each[key] for key in OF_FRAMES if key in each} for each in frames]},
    }

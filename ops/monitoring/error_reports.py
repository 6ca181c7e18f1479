"""Keep persons, what they type and the keys of links out of the log, and report errors to Sentry.

The message of an exception quotes values: the row that was there already, the text that is no number, the address that
was called. So an error is told by its class and the lines of code that led there, which say what they raise.

Sentry reports what the log says of an exception at ERROR, and nothing else, where SENTRY_DSN is set. None of Sentry's
integrations is on: they read requests, settings and variables. Of an event only that is sent which is named here.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import sentry_sdk
from django.http import HttpRequest
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.types import Event, Hint
from structlog.typing import EventDict, ExcInfo

from core.middleware.database_down import is_database_down
from ops.paths import version

#: Django's loggers of requests that are refused before any page has seen them. They quote what was sent.
REFUSALS = "django.security."
#: So many of those that led to each other are told.
LONGEST = 5
#: What PostgreSQL names of an error that holds nothing of a row.
NAMED = ("table_name", "constraint_name")


def without_messages(exc_info: ExcInfo) -> str:
    """A traceback that quotes no value, as structlog asks for it."""
    return traceback_of(exc_info[1])


def traceback_of(error: BaseException) -> str:
    """An exception, and before it those that led to it: their lines of code and their names."""
    told = [
        f"{''.join(traceback.format_tb(each.__traceback__))}{name_of(each)}"
        for each in reversed([*_chain(error)])
    ]
    return "\nwhich led to:\n".join(told)


def name_of(error: BaseException) -> str:
    """The class of an exception; of one that the database has raised its code and the constraint, too."""
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
    """What Django says of a request, without its address and what was sent with it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to let a line through, which may say less then."""
        request = getattr(record, "request", None)
        if record.name == "django.request" and hasattr(request, "number"):
            return False  # it has a line of its own (ops.monitoring.request_log)
        if record.name.startswith(REFUSALS) and record.exc_info and record.exc_info[1]:
            record.msg, record.args, record.exc_info = "Refused: %s", (name_of(record.exc_info[1]),), None
        elif isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple("…" if arg == request.path else _reason(arg) for arg in record.args)
        return True


def _reason(said: object) -> object:
    """Why a form was refused, without the address it came from: "Origin checking failed - https://…"."""
    return said.partition(" - ")[0] if isinstance(said, str) else said


SENT = ("event_id", "timestamp", "level", "platform", "release", "environment", "sdk")
OF_FRAMES = (
    "filename",
    "function",
    "module",
    "lineno",
    "in_app",
    "pre_context",
    "context_line",
    "post_context",
)
OF_LINES = {"request_id", "view", "battle_id", "campaign_id", "register_id", "method", "status", "logger"}
#: What Sentry itself may collect, should an integration ever ask for it.
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
    """Report from now on; `release` is the version of Musterbook unless it is given. `more` goes to Sentry as it is."""
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        release=release or f"musterbook@{version()}",
        default_integrations=False,
        auto_enabling_integrations=False,
        # It sends what is left when the process ends; by itself it would also print so.
        integrations=[AtexitIntegration(callback=lambda pending, timeout: None)],
        data_collection=NOTHING,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=scrubbed,
        **more,
    )


def report(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Pass a line of the log on as it is, and report the exception in it if it is one of an error."""
    if (
        sentry_sdk.is_initialized()
        and event.get("level") in ERRORS
        and (error := _raised(event.get("exc_info")))
    ):
        with sentry_sdk.new_scope() as scope:
            for name in OF_LINES & event.keys():
                scope.set_tag(name, event[name])
            scope.capture_exception(error)
    return event


def _raised(told: Any) -> BaseException | None:
    """The exception that a line carries, unless it only says that the database is away: the log says that once."""
    error = (
        told if isinstance(told, BaseException) else (told if isinstance(told, tuple) else sys.exc_info())[1]
    )
    return error if told and not is_database_down(error) else None


def scrubbed(event: Event, hint: Hint) -> Event | None:
    """What is sent of an event: no message, variable, request or person."""
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

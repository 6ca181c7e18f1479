"""Reports of errors by Sentry, for whoever sets SENTRY_DSN. Without it nothing of this is there.

What the log says of an exception at ERROR is reported, and nothing else. None of Sentry's integrations is on: they read
requests, settings and variables. Of an event only that is sent which is named here.
"""

from __future__ import annotations

import sys
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.types import Event, Hint
from structlog.typing import EventDict

from config.unreachable import is_away
from config.version import version

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
    return error if told and not is_away(error) else None


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

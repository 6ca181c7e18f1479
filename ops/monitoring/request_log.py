"""One log line per request, with its number and its database queries."""

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any
from uuid import uuid4

import structlog
from django.conf import settings
from django.core.signals import got_request_exception
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from core.middleware.database_down import is_database_down

#: Number of statements named for a slow request.
NAMED = 3
#: Most letters of each.
LONGEST = 400
COLUMNS = re.compile(r"^SELECT (?:(?!\(SELECT ).){60,}? FROM ", re.DOTALL)
TEXTS = re.compile(r"'(?:[^']|'')*'")
SAVEPOINTS = re.compile(r'"s\d+_x\d+"')
#: Statements that begin, end or shape a transaction. They read and write no row, so they do not count as queries.
FRAMES = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET TRANSACTION")


class QueryLog:
    """Wraps each query of a request (`connection.execute_wrapper`), and records it without its values."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, Any]] = []

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        """Run the query, and record its duration in seconds."""
        begun = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.asked.append((perf_counter() - begun, sql))

    def __len__(self) -> int:
        return sum(not str(sql).startswith(FRAMES) for _, sql in self.asked)

    @property
    def milliseconds(self) -> float:
        """The time that the database took for all queries."""
        return round(1000 * sum(seconds for seconds, _ in self.asked), 1)

    def named(self) -> list[dict[str, Any]]:
        """The slowest statements by total time, and the most frequent one."""
        times: dict[str, list[float]] = defaultdict(list)
        for seconds, sql in self.asked:
            times[shortened_sql(str(sql))].append(seconds)
        worst = sorted(times, key=lambda sql: -sum(times[sql]))[:NAMED]
        if times and (often := max(times, key=lambda sql: len(times[sql]))) not in worst:
            worst.append(often)
        return [{"sql": sql, "times": len(times[sql]), "ms": round(1000 * sum(times[sql]), 1)} for sql in worst]


def shortened_sql(sql: str) -> str:
    """Return a statement for the log: without its columns, savepoint names, and any text in it."""
    short = COLUMNS.sub("SELECT … FROM ", SAVEPOINTS.sub("…", TEXTS.sub("'…'", sql)))
    return short if len(short) <= LONGEST else f"{short[:LONGEST]}…"


HEADER = "X-Request-ID"
#: A proxy's request id: a UUID, with or without hyphens. It cannot contain a name.
SANE = re.compile(r"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}")
#: What the key in an address refers to, by the first part of its route.
OF = {
    "battles": "battle",
    "events": "event",
    "campaigns": "campaign",
    "registers": "register",
    "sides": "side",
    "amendments": "amendment",
    "stories": "story",
}

log = structlog.get_logger("musterbook")


class RequestLog:
    """Adds the request's number and subject to all log lines of a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        got_request_exception.connect(_remember, dispatch_uid="ops.monitoring")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, and log it."""
        begun, queries, number = perf_counter(), QueryLog(), number_of(request)
        request.number = number  # type: ignore[attr-defined]
        structlog.contextvars.bind_contextvars(request_id=number)
        try:
            with ExitStack() as watching:
                for connection in connections.all():
                    watching.enter_context(connection.execute_wrapper(queries))
                response = self.get_response(request)
            _tell(request, response, perf_counter() - begun, queries)
        finally:
            structlog.contextvars.clear_contextvars()
        response.headers[HEADER] = number
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Add the subject of the request to the log, which is known from here on."""
        if request.resolver_match:
            structlog.contextvars.bind_contextvars(**about(request.resolver_match))


def number_of(request: HttpRequest) -> str:
    """Return the number that the proxy in front gave to a request, or else a new one."""
    given = request.headers.get(HEADER, "") if settings.REQUEST_ID_FROM_PROXY else ""
    return given if SANE.fullmatch(given) else str(uuid4())


def about(match: ResolverMatch) -> dict[str, str]:
    """Return the page that an address leads to and the keys in it, except secret keys of links."""
    keys = {"register_id": match.kwargs.get("register")}
    if what := OF.get(match.route.partition("/")[0]):
        keys[f"{what}_id"] = match.kwargs.get("pk")
    return {"view": page_name(match)} | {name: str(key) for name, key in keys.items() if key}


def bind_log_context(**keys: object) -> None:
    """Add these keys to all further log lines of this request; does nothing outside of a request."""
    if "request_id" in structlog.contextvars.get_contextvars():
        structlog.contextvars.bind_contextvars(**{name: str(key) for name, key in keys.items()})


def page_name(match: ResolverMatch | None) -> str:
    """Return the name of a page for logs and metrics: its name, or its route if it has none. The admin is one page."""
    if match is None:
        return "none"
    return "admin" if "admin" in match.namespaces else match.view_name if match.url_name else match.route


def _remember(sender: object, request: HttpRequest | None = None, **_more: object) -> None:
    """Store an uncaught error for the log line of its request."""
    if request is not None:
        request.error = sys.exc_info()[1]  # type: ignore[attr-defined]


def _tell(request: HttpRequest, response: HttpResponse, seconds: float, queries: QueryLog) -> None:
    view, status = page_name(request.resolver_match), response.status_code
    error: BaseException | None = getattr(request, "error", None)
    facts: dict[str, Any] = {
        "method": request.method,
        "view": view,
        "status": status,
        "ms": round(1000 * seconds),
        "queries": len(queries),
        "user_id": getattr(getattr(request, "_cached_user", None), "pk", None),  # does not load the user
    }
    is_away = is_database_down(error)  # core.middleware.database_down logs that
    if error and not is_away:
        log.error("request failed", **facts, exc_info=error)
    elif facts["ms"] >= settings.SLOW_REQUEST_MS and not is_away:
        log.warning("slow request", **facts, database_ms=queries.milliseconds, slowest=queries.named())
    else:
        log.info("request", **facts)

"""One line in the log for each request, with its number and what it asked the database."""

from __future__ import annotations

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

#: So many statements of a slow request are named.
NAMED = 3
#: Letters of each.
LONGEST = 400
COLUMNS = re.compile(r"^SELECT (?:(?!\(SELECT ).){60,}? FROM ", re.DOTALL)
TEXTS = re.compile(r"'(?:[^']|'')*'")
SAVEPOINTS = re.compile(r'"s\d+_x\d+"')
#: What begins, ends or shapes a transaction, and neither reads nor writes a row: it is no query.
FRAMES = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET TRANSACTION")


class QueryLog:
    """Stands around each query of a request (`connection.execute_wrapper`), and remembers it without its values."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, Any]] = []

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        """Ask, and write down for how many seconds."""
        begun = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.asked.append((perf_counter() - begun, sql))

    def __len__(self) -> int:
        return sum(not str(sql).startswith(FRAMES) for _, sql in self.asked)

    @property
    def milliseconds(self) -> float:
        """How long the database took for all of them."""
        return round(1000 * sum(seconds for seconds, _ in self.asked), 1)

    def named(self) -> list[dict[str, Any]]:
        """The statements that took longest, all times that each was asked together; and the one asked most often."""
        times: dict[str, list[float]] = defaultdict(list)
        for seconds, sql in self.asked:
            times[shortened_sql(str(sql))].append(seconds)
        worst = sorted(times, key=lambda sql: -sum(times[sql]))[:NAMED]
        if times and (often := max(times, key=lambda sql: len(times[sql]))) not in worst:
            worst.append(often)
        return [
            {"sql": sql, "times": len(times[sql]), "ms": round(1000 * sum(times[sql]), 1)} for sql in worst
        ]


def shortened_sql(sql: str) -> str:
    """A statement as a line names it: without its columns, the names of savepoints, and any text in it."""
    short = COLUMNS.sub("SELECT … FROM ", SAVEPOINTS.sub("…", TEXTS.sub("'…'", sql)))
    return short if len(short) <= LONGEST else f"{short[:LONGEST]}…"


HEADER = "X-Request-ID"
#: What a proxy calls a request: a UUID, with hyphens or without. Nobody writes a name into it.
SANE = re.compile(r"[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}")
#: What the key in an address is the key of, by the first part of its route.
OF = {
    "battles": "battle",
    "campaigns": "campaign",
    "registers": "register",
    "sides": "side",
    "amendments": "amendment",
    "stories": "story",
}

log = structlog.get_logger("musterbook")


class RequestLog:
    """Stands before all pages: whatever they say in the log carries the number of the request, and what it is about."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        got_request_exception.connect(_remember, dispatch_uid="ops.monitoring")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and tell of it."""
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
        """From here on it is known what the request is about."""
        if request.resolver_match:
            structlog.contextvars.bind_contextvars(**about(request.resolver_match))


def number_of(request: HttpRequest) -> str:
    """The number that the proxy in front gave to a request, or else one of our own."""
    given = request.headers.get(HEADER, "") if settings.REQUEST_ID_FROM_PROXY else ""
    return given if SANE.fullmatch(given) else str(uuid4())


def about(match: ResolverMatch) -> dict[str, str]:
    """The page that an address leads to, and the keys of what it is about. Keys of links are secrets: none of them."""
    keys = {"register_id": match.kwargs.get("register")}
    if what := OF.get(match.route.partition("/")[0]):
        keys[f"{what}_id"] = match.kwargs.get("pk")
    return {"view": page_name(match)} | {name: str(key) for name, key in keys.items() if key}


def bind_log_context(**keys: object) -> None:
    """Let what the log says of this request from here on carry these keys; outside of a request there is none."""
    if "request_id" in structlog.contextvars.get_contextvars():
        structlog.contextvars.bind_contextvars(**{name: str(key) for name, key in keys.items()})


def page_name(match: ResolverMatch | None) -> str:
    """What the log and the figures call a page: by name, or by route if it has none; those of the admin are one."""
    if match is None:
        return "none"
    return "admin" if "admin" in match.namespaces else match.view_name if match.url_name else match.route


def _remember(sender: object, request: HttpRequest | None = None, **_more: object) -> None:
    """Keep the error that nobody has caught, for the line of its request."""
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
        "user_id": getattr(getattr(request, "_cached_user", None), "pk", None),  # asks nobody who it is
    }
    if error and not is_database_down(error):  # core.middleware.database_down tells of that
        log.error("request failed", **facts, exc_info=error)
    elif facts["ms"] >= settings.SLOW_REQUEST_MS:
        log.warning("slow request", **facts, database_ms=queries.milliseconds, slowest=queries.named())
    else:
        log.info("request", **facts)

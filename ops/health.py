"""Whether this process lives (`/healthz`), whether it can serve players (`/readyz`), and its figures (`/metrics`).

It comes before everything but the headers: whoever watches the site has no session, no TLS (SECURE_REDIRECT_EXEMPT) and
no name of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable

from django.db import DatabaseError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

from ops import paths
from ops.monitoring import metrics

#: Free bytes in DATA_DIR below which its disk counts as full.
LEAST_FREE = 100 * 1024**2

Answer = Callable[[HttpRequest], HttpResponse]


class Health:
    """Answers those addresses, and passes on all others."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response
        self.migrated: object = None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """200 with `ok`, or 503 with a sentence; to who has the token the figures."""
        if request.path == "/healthz":
            return _said("")
        if request.path == "/readyz":
            return _said(self._trouble())
        if request.path == "/metrics" and metrics.may_read_metrics(request):
            return metrics.metrics_page()
        return self.get_response(request)

    def _trouble(self) -> str:
        """Why no player can be served; empty if they can."""
        try:
            state = _state()
            # This long question is asked until nothing is missing, and again should older tables be restored meanwhile.
            if state != self.migrated or state is None:
                self.migrated = None if _missing() else state
        except DatabaseError:
            return "The database does not answer."
        if not self.migrated:
            return "The tables of the database are older than this Musterbook."
        return "The disk is full." if shutil.disk_usage(paths.DATA_DIR).free < LEAST_FREE else ""


def _state() -> object:
    """What the tables have been through, in short; None of an empty database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*), max(applied) FROM django_migrations")
            return cursor.fetchone()
    except ProgrammingError:
        return None


def _missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _said(trouble: str) -> HttpResponse:
    return HttpResponse(
        f"{trouble or 'ok'}\n",
        content_type="text/plain",
        status=503 if trouble else 200,
        headers={"Cache-Control": "no-store"},
    )

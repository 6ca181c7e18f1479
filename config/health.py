"""Whether this process lives (`/healthz`), and whether it can serve players (`/readyz`), for whoever watches the site.

It comes before everything else: these two ask for no session, no TLS and no name of the site.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


class Health:
    """Answers those two addresses, and passes on all others."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response
        self.migrated = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """200 with `ok`, or 503 with a sentence."""
        if request.path == "/healthz":
            return _said("")
        if request.path == "/readyz":
            return _said(self._trouble())
        return self.get_response(request)

    def _trouble(self) -> str:
        """Why no player can be served; empty if they can."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            # Tables do not grow old under a process that has seen them: this long question is asked until it is so.
            self.migrated = self.migrated or not _missing()
        except DatabaseError:
            return "The database does not answer."
        return "" if self.migrated else "The tables of the database are older than this Musterbook."


def _missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _said(trouble: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(
        f"{trouble or 'ok'}\n", content_type="text/plain", status=503 if trouble else 200, headers=headers
    )

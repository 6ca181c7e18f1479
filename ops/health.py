"""Whether this process is alive (`/healthz`), whether it can serve players (`/readyz`), and metrics (`/metrics`).

It runs before everything but the headers: monitors have no session, no TLS (SECURE_REDIRECT_EXEMPT) and no host name of
the site.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from django.core.files.storage import FileSystemStorage, storages
from django.db import DatabaseError, ProgrammingError, connection
from django.http import HttpRequest, HttpResponse

from ops import database_version, paths
from ops.monitoring import metrics

#: Free bytes in DATA_DIR below which the disk counts as full.
LEAST_FREE = 100 * 1024**2

Answer = Callable[[HttpRequest], HttpResponse]


class Health:
    """Answers the three health and metrics addresses, and passes on all others."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response
        self.migrated: object = None

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return 200 with `ok` (and the version at `/healthz`), or 503 with a sentence; or the metrics, if the request
        has the token.
        """
        if request.path == "/healthz":
            return _response("", f"ok, Musterbook {paths.VERSION}")
        if request.path == "/readyz":
            return _response(self._trouble())
        if request.path == "/metrics" and metrics.may_read_metrics(request):
            return metrics.metrics_page()
        return self.get_response(request)

    def _trouble(self) -> str:
        """Return why players cannot be served; empty if they can."""
        try:
            state = _state()
            # This slow check runs until the tables fit, and again if other ones have been restored since.
            if state != self.migrated or state is None:
                self.migrated = None
                if misfit := database_version.trouble():
                    return misfit
                self.migrated = state
        except DatabaseError:
            return "The database does not answer."
        return _folder_trouble()


def _folder_trouble() -> str:
    if shutil.disk_usage(paths.DATA_DIR).free < LEAST_FREE:
        return "The disk is full."
    if not os.access(paths.DATA_DIR, os.W_OK | os.X_OK):
        return "DATA_DIR cannot be written to."
    storage = storages["uploads"]
    if isinstance(storage, FileSystemStorage):
        uploads = Path(storage.location)
        if uploads.exists() and not os.access(uploads, os.W_OK | os.X_OK):
            return "The directory of the photos cannot be written to."
    return ""


def _state() -> object:
    """Return a short value for the state of the tables; None for an empty database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*), max(applied) FROM django_migrations")
            return cursor.fetchone()
    except ProgrammingError:
        return None


def _response(trouble: str, fine: str = "ok") -> HttpResponse:
    return HttpResponse(
        f"{trouble or fine}\n",
        content_type="text/plain",
        status=503 if trouble else 200,
        headers={"Cache-Control": "no-store"},
    )

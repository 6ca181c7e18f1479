"""`python bench/watching.py`: what monitoring costs a request and each statement, in microseconds of the processor.

It needs no database: a view that does nothing runs with and without the middleware, in turn, and so does a statement
that answers at once. The metrics are counted in a file, as by the workers of a site.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

TIMES, ROUNDS = 2_000, 15


def main() -> None:
    """Print a table."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PROMETHEUS_MULTIPROC_DIR": place,
            "SECRET_KEY": "none",
            "DATABASE_URL": "postgresql://nowhere/none",
        }
        import django

        django.setup()
        from django.http import HttpResponse
        from django.test import RequestFactory
        from django.urls import resolve
        from django_prometheus.db.common import ExportingCursorWrapper
        from django_prometheus.middleware import PrometheusBeforeMiddleware

        from ops.monitoring.metrics import Metrics
        from ops.monitoring.request_log import QueryLog, RequestLog

        request = RequestFactory().get("/battles/6f1ed002-ab5f-4bd6-9b4b-3f4f5d2a3c11/")
        request.resolver_match = resolve(request.path)

        def bare(asked: object) -> HttpResponse:
            return HttpResponse()

        def viewed(asked: object) -> HttpResponse:
            watched.process_view(request)
            metrics.process_view(request, bare)
            return HttpResponse()

        metrics = Metrics(viewed)
        watched, queries = RequestLog(metrics), QueryLog()
        site = PrometheusBeforeMiddleware(watched)

        class Cursor:
            def execute(self, *_: object) -> None: ...

        plain, counted = Cursor(), ExportingCursorWrapper(Cursor, "default", "postgresql")()
        of_request = difference(lambda: site(request), lambda: bare(request))
        of_query = difference(
            lambda: queries(counted.execute, "SELECT 1", (), False, {}),
            lambda: plain.execute("SELECT 1", (), False, {}),
        )
    print("| monitoring | µs |\n|---|---|")
    print(f"| a request: its number, line and metrics | {of_request:.0f} |\n| each statement | {of_query:.1f} |")


def difference(one: Callable[[], object], other: Callable[[], object]) -> float:
    """How many microseconds more one takes than the other, as the median of rounds in turn."""
    return median(1e6 * (seconds(one) - seconds(other)) / TIMES for _ in range(ROUNDS))


def seconds(act: Callable[[], object]) -> float:
    """The processor's time for doing it so many times."""
    begun = process_time()
    for _ in range(TIMES):
        act()
    return process_time() - begun


if __name__ == "__main__":
    main()

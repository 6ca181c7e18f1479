"""`python bench/watching.py`: what watching costs, in microseconds of the processor, a request and each of its queries.

It needs no database: a view that does nothing is asked with and without the middleware, in turn, and the query is one
that answers at once. The figures are counted in a file, as by the workers of a site.
"""

from __future__ import annotations

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

        from config.watching.queries import Queries
        from config.watching.requests import Watched

        request = RequestFactory().get("/battles/6f1ed002-ab5f-4bd6-9b4b-3f4f5d2a3c11/")
        request.resolver_match = resolve(request.path)

        def bare(asked: object) -> HttpResponse:
            return HttpResponse()

        def viewed(asked: object) -> HttpResponse:
            watched.process_view(request)
            return HttpResponse()

        watched, queries = Watched(viewed), Queries()

        def execute(*_: object) -> None: ...

        of_request = difference(lambda: watched(request), lambda: bare(request))
        of_query = difference(
            lambda: queries(execute, "SELECT 1", (), False, {}), lambda: execute("SELECT 1", (), False, {})
        )
    print("| watching | µs |\n|---|---|")
    print(f"| a request: its number, line and figures | {of_request:.0f} |\n| each query | {of_query:.1f} |")


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

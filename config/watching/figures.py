"""The figures of the site, as Prometheus reads them at `/metrics`.

Each process counts for itself. Where there are several (config.serve), they count in files of one directory, and
whichever is asked adds them up. Labels have few values: names of pages, never what is in their addresses.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from rules.refusal import Refusal

#: The variable by which prometheus_client knows the directory of several processes.
SHARED = "PROMETHEUS_MULTIPROC_DIR"
METHODS = ("GET", "HEAD", "POST")

OWN = CollectorRegistry()
REQUESTS = Counter(
    "musterbook_requests", "Requests that were answered.", ["view", "method", "status"], registry=OWN
)
SECONDS = Histogram(
    "musterbook_request_seconds",
    "Seconds that a request took.",
    ["view"],
    buckets=(0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=OWN,
)
QUERIES = Histogram(
    "musterbook_request_queries",
    "What a request asked the database.",
    ["view"],
    buckets=(0, 2, 4, 6, 8, 12, 20, 50, 100),
    registry=OWN,
)
ERRORS = Counter("musterbook_errors", "Requests that failed.", ["view"], registry=OWN)
ANSWERS = Counter("musterbook_answers", "Answers that a Post-Battle Sequence took.", ["source"], registry=OWN)
REFUSALS = Counter(
    "musterbook_refused_answers", "Answers that a rule refused, by its number.", ["rule"], registry=OWN
)
CLOSED = Counter("musterbook_battles_closed", "Battles whose sequence has ended.", registry=OWN)


def count(view: str, method: str | None, status: int, seconds: float, queries: int, *, failed: bool) -> None:
    """Count a request that was answered."""
    REQUESTS.labels(view, method if method in METHODS else "other", status).inc()
    SECONDS.labels(view).observe(seconds)
    QUERIES.labels(view).observe(queries)
    if failed:
        ERRORS.labels(view).inc()


def answered(source: str) -> None:
    """Count an answer to a question of the sequence once it is kept; `source` says who gave it."""
    transaction.on_commit(ANSWERS.labels(source).inc)


def refused(refusal: Refusal) -> None:
    """Count an answer that was refused, for each rule that it broke."""
    for rule in refusal.rules:
        REFUSALS.labels(rule or "none").inc()


def closed() -> None:
    """Count a battle whose sequence has ended, once that is kept."""
    transaction.on_commit(CLOSED.inc)


# --- Telling them -----------------------------------------------------------------------------------------------


def may_read(request: HttpRequest) -> bool:
    """Whether who asks has the token, and there is one."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    return bool(token) and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


def told() -> HttpResponse:
    """All figures, of all processes of this machine, and those of the queue."""
    registry = OWN
    if SHARED in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    body = generate_latest(registry) + generate_latest(Queue())
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


class Queue(Collector):
    """What waits in the queue; asked of the database, with one query."""

    #: What is finished is no figure, and there is a week of it. A job that is due waits since it was put there.
    ASKED = """
        SELECT CASE WHEN status = 'todo' AND scheduled_at > now() THEN 'later' ELSE status::text END, count(*),
            max(extract(epoch FROM now() - coalesce(scheduled_at, (
                SELECT min(at) FROM procrastinate_events WHERE job_id = jobs.id AND type = 'deferred'
            )))) FILTER (WHERE status = 'todo')
        FROM procrastinate_jobs jobs WHERE status IN ('todo', 'doing', 'failed') GROUP BY 1
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Give them; of a database that does not answer only that."""
        jobs = GaugeMetricFamily("musterbook_queue_jobs", "Jobs in the queue.", labels=["status"])
        oldest = GaugeMetricFamily(
            "musterbook_queue_oldest_seconds", "How long the oldest job that is due waits."
        )
        up = GaugeMetricFamily("musterbook_database_up", "Whether the database answers.")
        try:
            with connection.cursor() as cursor:
                cursor.execute(self.ASKED)
                found = {status: (jobs, seconds) for status, jobs, seconds in cursor.fetchall()}
        except DatabaseError:
            up.add_metric([], 0)
            return iter([up])
        for status in ("todo", "later", "doing", "failed"):
            jobs.add_metric([status], found.get(status, (0, 0))[0])
        oldest.add_metric([], found.get("todo", (0, 0))[1] or 0)
        up.add_metric([], 1)
        return iter([up, jobs, oldest])

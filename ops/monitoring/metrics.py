"""The metrics of the site, as Prometheus reads them at `/metrics`.

django-prometheus counts requests and statements; this module adds Musterbook's own metrics: answers of the sequence,
and the queue. Each process counts for itself. Several processes (`ops.serve`) count in files of one directory, and the
process that serves the metrics adds them up. Labels have few values: names of pages, never parts of addresses.
"""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django_prometheus.exports import ExportToDjangoView
from django_prometheus.middleware import PrometheusAfterMiddleware
from prometheus_client import Counter, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from rules.core.violations import RuleViolation

ANSWERS = Counter("musterbook_answers", "Answers accepted in Post-Battle Sequences.", ["source"])
REFUSALS = Counter("musterbook_refused_answers", "Answers refused, by rule number.", ["rule"])
CLOSED = Counter("musterbook_battles_closed", "Closed battles.")


class Metrics(PrometheusAfterMiddleware):  # type: ignore[misc]
    """django-prometheus's middleware, with fixed values for the request method, which strangers can choose."""

    def label_metric(self, metric: Any, request: HttpRequest, response: Any = None, **labels: str) -> Any:
        """Return the metric with these labels."""
        if "method" in labels:
            labels["method"] = self._method(request)
        return super().label_metric(metric, request, response, **labels)


def count_answer(source: str) -> None:
    """Count an answer to a question of the sequence when its transaction commits; `source` says how it was given."""
    transaction.on_commit(ANSWERS.labels(source).inc)


def count_refused_answer(refusal: RuleViolation) -> None:
    """Count an answer that was refused, for each rule that it broke."""
    for rule in refusal.rules:
        REFUSALS.labels(rule or "none").inc()


def may_read_metrics(request: HttpRequest) -> bool:
    """Return whether METRICS_TOKEN is set and the request has it."""
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    return bool(token) and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


def metrics_page() -> HttpResponse:
    """Return all metrics, of all processes of this machine, and those of the queue."""
    page: HttpResponse = ExportToDjangoView(HttpRequest())
    page.content += generate_latest(QueueCollector())
    page["Cache-Control"] = "no-store"
    return page


class QueueCollector(Collector):
    """Jobs in the queue, from the database."""

    STATES = ("todo", "later", "doing", "failed")

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics; if the database does not answer, only that fact."""
        up = GaugeMetricFamily("musterbook_database_up", "Whether the database answers.")
        jobs = GaugeMetricFamily("musterbook_queue_jobs", "Jobs in the queue.", labels=["status"])
        oldest = GaugeMetricFamily("musterbook_queue_oldest_seconds", "Waiting time of the oldest due job.")
        try:
            counts, waiting = waiting_jobs()
        except DatabaseError:
            up.add_metric([], 0)
            return iter([up])
        for status in self.STATES:
            jobs.add_metric([status], counts.get(status, 0))
        oldest.add_metric([], waiting.total_seconds())
        up.add_metric([], 1)
        return iter([up, jobs, oldest])


def waiting_jobs() -> tuple[dict[str, int], timedelta]:
    """Return the number of jobs by state, and how long the oldest due job has been waiting.

    A job waits from the time it is due, or from when it was put into the queue.
    """
    from procrastinate.contrib.django.models import ProcrastinateJob  # lazy: setup

    now = timezone.now()
    later = Q(status="todo", scheduled_at__gt=now)
    jobs = ProcrastinateJob.objects.filter(status__in=("todo", "doing", "failed"))
    counts = dict(jobs.exclude(later).values_list("status").annotate(Count("pk")))
    counts["later"] = jobs.filter(later).count()
    put = Min("procrastinateevent__at", filter=Q(procrastinateevent__type="deferred"))
    due = jobs.filter(status="todo").exclude(later).annotate(since=Coalesce("scheduled_at", put))
    oldest = due.order_by("since").values_list("since", flat=True).first()
    return counts, now - oldest if oldest else timedelta()

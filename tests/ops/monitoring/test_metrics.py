"""The metrics of the site, and who may read them."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection
from django.test import override_settings
from procrastinate.contrib.django import app
from prometheus_client import REGISTRY

from accounts.models import User
from campaign.battles.services.sequence import PLAYER, answer
from ops.monitoring import metrics
from ops.paths import BASE_DIR
from rules.core.violations import RuleViolation, Violation
from tests.campaign.conftest import book, fought

__all__ = ["book", "fought"]

TOKEN = "t" * 40


@contextmanager
def counted(*names: str):
    """By how much some figures grow meanwhile; a name is one as Prometheus writes it, with its labels."""

    def now() -> dict[str, float]:
        lines = metrics.generate_latest(REGISTRY).decode().splitlines()
        found = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(found.get(name, 0)) for name in names}

    before, grown = now(), {}
    yield grown
    grown |= {name: value - before[name] for name, value in now().items()}


def read(client, **headers: str):
    return client.get("/metrics", headers={"host": "10.0.0.7"} | headers)


@pytest.mark.parametrize(
    ("token", "given"),
    [
        ("", {}),
        ("", {"authorization": "Bearer "}),
        (TOKEN, {}),
        (TOKEN, {"authorization": TOKEN}),
        (TOKEN, {"authorization": f"Bearer {TOKEN[1:]}"}),
        (TOKEN, {"authorization": "Bearer ü"}),
    ],
)
def test_without_the_token_there_is_no_such_page(client, db, token, given):
    with override_settings(METRICS_TOKEN=token, ALLOWED_HOSTS=["*"]):
        answer = read(client, **given)
    assert (answer.status_code, answer.templates[0].name) == (404, "404.html")


def test_not_even_for_the_staff(admin_client):
    with override_settings(METRICS_TOKEN=TOKEN):
        assert admin_client.get("/metrics").status_code == 404


def test_who_has_the_token_reads_them_whatever_name_is_asked_and_without_tls(client, db):
    with override_settings(METRICS_TOKEN=TOKEN, SECURE_SSL_REDIRECT=True):
        answer = read(client, authorization=f"Bearer {TOKEN}")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer["Content-Type"].startswith("text/plain; version=")
    assert {line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE")} >= {
        "django_http_responses_total_by_status_view_method_total",
        "django_http_requests_latency_seconds_by_view_method",
        "django_db_execute_total",
        "musterbook_answers_total",
        "musterbook_refused_answers_total",
        "musterbook_battles_closed_total",
        "musterbook_queue_jobs",
        "musterbook_queue_oldest_seconds",
        "musterbook_database_up",
    }


# --- Requests ----------------------------------------------------------------------------------------------------


RESPONSES = "django_http_responses_total_by_status_view_method_total"


def test_a_request_is_counted_by_page_and_never_by_address_or_a_strangers_word(client, fought):
    client.force_login(fought.ada)
    with counted(
        f'{RESPONSES}{{method="GET",status="200",view="battles:detail"}}',
        'django_http_requests_latency_seconds_by_view_method_count{method="GET",view="battles:detail"}',
        "django_http_requests_latency_including_middlewares_seconds_count",
        f'{RESPONSES}{{method="<invalid method>",status="404",view="<unnamed view>"}}',
        'django_http_requests_latency_seconds_by_view_method_count{method="<invalid method>",view="<unnamed view>"}',
    ) as grown:
        client.get(fought.battle.get_absolute_url())
        client.generic("BREW", "/some/where/else/")
    assert list(grown.values()) == [1, 1, 2, 1, 1]
    assert "BREW" not in metrics.generate_latest(REGISTRY).decode()


def test_statements_are_counted(db):
    name = 'django_db_execute_total{alias="default",vendor="postgresql"}'
    with counted(name) as grown:
        User.objects.exists()
    assert list(grown.values()) == [1]


def test_an_error_is_counted(client, fought, monkeypatch):
    monkeypatch.setattr("campaign.battles.views.battles.show", lambda *_: 1 / 0)
    client.raise_request_exception = False
    client.force_login(fought.ada)
    with counted(f'{RESPONSES}{{method="GET",status="500",view="battles:detail"}}') as grown:
        client.get(fought.battle.get_absolute_url())
    assert list(grown.values()) == [1]


# --- Answers -----------------------------------------------------------------------------------------------------


def test_an_answer_is_counted_once_it_is_kept(fought, django_capture_on_commit_callbacks):
    name = f'musterbook_answers_total{{source="{PLAYER}"}}'
    with counted(name) as before, django_capture_on_commit_callbacks() as callbacks:
        metrics.count_answer(PLAYER)
    with counted(name) as after:
        for each in callbacks:
            each()
    assert [*before.values(), *after.values()] == [0, 1]


def test_the_sequence_counts_its_answers(fought, monkeypatch):
    counted: list[str] = []
    monkeypatch.setattr(metrics, "count_answer", counted.append)
    side = fought.battle.sides.get(colour="blue")
    for _ in range(2):  # a form that comes twice
        answer(actor=fought.ada, side_id=side.pk, turn=side.turn, answer=None, source="app")
    assert counted == ["app"]


def test_a_refusal_is_counted_for_each_rule():
    with counted(
        'musterbook_refused_answers_total{rule="R15"}',
        'musterbook_refused_answers_total{rule="R34"}',
        'musterbook_refused_answers_total{rule="none"}',
    ) as grown:
        metrics.count_refused_answer(
            RuleViolation([Violation("R15", "a"), Violation("R34", "b"), Violation("R34", "c")])
        )
        metrics.count_refused_answer(RuleViolation([Violation("", "d")]))
    assert list(grown.values()) == [1, 1, 1]


# --- The queue ---------------------------------------------------------------------------------------------------


def told_of_queue() -> dict[str, float]:
    lines = metrics.generate_latest(metrics.QueueCollector()).decode().splitlines()
    return {name: float(value) for name, value in (x.rsplit(" ", 1) for x in lines if not x.startswith("#"))}


def test_the_queue(db):
    deliver = app.configure_task("deliver", schedule_in={"hours": 1})
    deliver.defer(notification="1")
    for _ in range(3):
        app.configure_task("deliver").defer(notification="2")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE procrastinate_jobs SET status = 'doing' WHERE id = (SELECT max(id) FROM procrastinate_jobs)"
        )
        cursor.execute("UPDATE procrastinate_events SET at = now() - interval '90 seconds'")
    values = told_of_queue()
    assert values.pop("musterbook_queue_oldest_seconds") == pytest.approx(90, abs=30)
    assert values == {
        'musterbook_queue_jobs{status="todo"}': 2,
        'musterbook_queue_jobs{status="later"}': 1,
        'musterbook_queue_jobs{status="doing"}': 1,
        'musterbook_queue_jobs{status="failed"}': 0,
        "musterbook_database_up": 1,
    }


def test_an_empty_queue(db):
    assert set(told_of_queue().values()) == {0, 1}


def test_of_a_database_that_is_away_only_that_is_told(db):
    def away(*_: object) -> None:
        raise DatabaseError

    with connection.execute_wrapper(away):
        assert told_of_queue() == {"musterbook_database_up": 0}


# --- Several processes -------------------------------------------------------------------------------------------

COUNTING = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
from ops.monitoring import metrics
for _ in range(int(sys.argv[1])):
    metrics.CLOSED.inc()
"""
READING = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django; django.setup()
from ops.monitoring import metrics
metrics.QueueCollector.collect = lambda self: iter([])
print(metrics.metrics_page().content.decode())
"""


def test_what_several_processes_counted_is_added_up_also_of_those_that_are_gone(tmp_path):
    environment = {**os.environ, "DATABASE_URL": "postgresql://nowhere/none", "SECRET_KEY": "none"}
    environment |= {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def python(*arguments: str) -> str:
        command = [sys.executable, "-c", *arguments]
        return subprocess.check_output(command, cwd=BASE_DIR, env=environment, text=True)

    python(COUNTING, "2")
    python(COUNTING, "3")
    lines = python(READING).splitlines()
    assert "musterbook_battles_closed_total 5.0" in lines
    assert {path.suffix for path in tmp_path.iterdir()} == {".db"}

"""What people see while the database is away."""

import logging

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpResponse
from django.test import Client
from psycopg_pool import PoolTimeout

from core.middleware.database_down import OncePerMinute, is_database_down, once_per_minute
from tests.core.middleware.database_errors import caused
from tests.html import html_of

OWN = {"Origin": "http://testserver"}


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (caused(OperationalError(), PoolTimeout()), True),
        (caused(OperationalError(), psycopg.errors.AdminShutdown()), True),
        (caused(OperationalError(), psycopg.errors.CannotConnectNow()), True),
        (caused(OperationalError(), psycopg.errors.TooManyConnections()), True),
        (caused(InterfaceError(), psycopg.InterfaceError()), True),
        (caused(OperationalError(), psycopg.errors.DeadlockDetected()), False),
        (caused(OperationalError(), psycopg.errors.QueryCanceled()), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_away_or_not(error, away):
    assert is_database_down(error) is away


@pytest.fixture
def away(monkeypatch):
    """A site whose database has gone: every query fails as that of a server that was killed."""

    def gone(*_said: object) -> None:
        raise caused(OperationalError("the connection is lost"), psycopg.OperationalError())

    monkeypatch.setattr(once_per_minute, "logged_at", float("-inf"))
    with connection.execute_wrapper(gone):
        client = Client(raise_request_exception=False)
        client.cookies["sessionid"] = "x" * 32
        yield client


def content_of(answer: HttpResponse) -> str:
    return " ".join(html_of(answer).split())


@pytest.mark.django_db
class TestAway:
    def test_a_page_looks_again_by_itself(self, away):
        answer = away.get("/?page=2")
        assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
        assert '<meta http-equiv="refresh" content="5">' in content_of(answer)
        assert '<a class="button button--primary" href="/?page=2">Try again</a>' in content_of(answer)
        assert "<script" not in content_of(answer)
        assert "style=" not in content_of(answer)

    def test_a_form_comes_back_to_be_sent_again(self, away):
        answer = away.post("/campaigns/new/", {"name": 'The "Rim"', "unit": ["1", "2"]}, headers=OWN)
        page = content_of(answer)
        assert (answer.status_code, "refresh" in page) == (503, False)
        for field in ('name="name" value="The &quot;Rim&quot;"', 'name="unit" value="1"', 'name="unit" value="2"'):
            assert field in page
        assert '<form method="post" action="/campaigns/new/">' in page

    @pytest.mark.parametrize("headers", [{}, {"Origin": "https://elsewhere.example"}, {"Origin": "null"}])
    def test_what_another_site_sends_is_never_offered_again(self, away, headers):
        answer = away.post("/campaigns/new/", {"name": "The Rim"}, headers=headers)
        assert (answer.status_code, "The Rim" in content_of(answer)) == (503, False)
        assert "<form" not in content_of(answer)

    def test_no_secret_comes_back(self, away):
        sent = {"login": "ada", "password": "steel-4-parade"}
        page = content_of(away.post("/accounts/login/", sent, headers=OWN))
        assert "steel-4-parade" not in page
        assert "Go back in a moment" in page

    def test_it_is_logged_once(self, away, caplog, settings):
        settings.SLOW_REQUEST_MS = 60_000  # on a busy machine the first page would be told as slow
        caplog.handler.addFilter(once_per_minute)
        for _ in range(3):
            away.get("/campaigns/new/")
            away.get("/registers/new/")
        lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
        assert lines == ["The database does not answer: the connection is lost"]

    def test_another_error_is_one_as_before(self):
        with connection.execute_wrapper(lambda *_: 1 / 0):
            answer = Client(raise_request_exception=False).get("/accounts/login/", HTTP_COOKIE="sessionid=" + "x" * 32)
        assert (answer.status_code, "Something went wrong" in content_of(answer)) == (500, True)


def test_lets_other_lines_through():
    assert OncePerMinute().filter(logging.makeLogRecord({"name": "django.request"}))

"""What tests that commit leave behind."""

from threading import Event, Thread

import pytest
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from accounts.models import User
from catalogue.models import Unit
from tests import server_errors, tables


def lines(rows: dict[str, bytes]) -> dict[str, list[bytes]]:
    """The rows of each table in an order of their own: PostgreSQL gives none."""
    return {table: sorted(copied.splitlines()) for table, copied in rows.items()}


@pytest.mark.django_db(transaction=True)
def test_rows_are_restored_whatever_was_committed():
    before = tables.rows()
    User.objects.create_user("ada")
    Unit.objects.update(points=1)
    assert tables.rows() != before
    tables.restore(before)
    assert lines(tables.rows()) == lines(before)


def test_a_request_is_waited_for_and_its_failure_is_known():
    begun, may_end = Event(), Event()

    def slow(_request: HttpRequest) -> HttpResponse:
        begun.set()
        may_end.wait()
        return HttpResponse(status=500)

    handler = BaseHandler()
    handler._middleware_chain = slow  # type: ignore[assignment]
    answering = Thread(target=handler.get_response, args=[RequestFactory().get("/slow/")])
    waiting = Thread(target=server_errors.wait_for_requests)
    answering.start()
    begun.wait()
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    may_end.set()
    waiting.join()
    assert server_errors.failed() == ["GET /slow/"]
    answering.join()

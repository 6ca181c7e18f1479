"""Large requests: neither the last thread of a process nor the last of the disk is theirs."""

import shutil
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse

from ops import web_worker
from tests.registers.views.reading import text_of
from uploads import handlers

pytestmark = pytest.mark.django_db


def sent(rf, length: int | str) -> HttpRequest:
    request = rf.post("/campaigns/import/")
    request.META["CONTENT_LENGTH"] = str(length)
    return request


@pytest.fixture
def answers(rf) -> Iterator[list[HttpResponse]]:
    """What others are answered while a large request is received: a larger one, a small one, one of no length."""
    found = []

    def view(request: HttpRequest) -> HttpResponse:
        if not found:
            found.append(HttpResponse())  # it asks for no more of these itself
            found[:] = [site(sent(rf, length)) for length in (handlers.BUFFERED + 2, handlers.BUFFERED, "")]
        return HttpResponse("received")

    site = handlers.LeavesRoom(view)
    assert site(sent(rf, handlers.BUFFERED + 1)).content == b"received"
    assert site(sent(rf, handlers.BUFFERED + 1)).content == b"received"  # the first one is done
    return found


def test_one_at_a_time_and_all_others_are_answered(answers):
    busy, *others = answers
    assert (busy.status_code, busy["Retry-After"]) == (503, "120")
    assert "busy with other large files" in text_of(busy)
    assert [answer.content for answer in others] == [b"received", b"received"]


def test_a_process_has_more_turns_than_that():
    assert handlers.AT_ONCE < web_worker.RUNNING


def test_one_that_fails_holds_up_no_other(rf):
    def view(request: HttpRequest) -> HttpResponse:
        raise OSError("broken off")

    site = handlers.LeavesRoom(view)
    for _ in range(2):
        with pytest.raises(OSError, match="broken off"):
            site(sent(rf, handlers.BUFFERED + 1))


@pytest.mark.parametrize("length", [handlers.BUFFERED + 1, 3 * 1024**2])
@pytest.mark.parametrize(("missing", "status"), [(0, 200), (1, 503)])
def test_the_last_of_the_disk_stays_free(rf, monkeypatch, missing, status, length):
    free = handlers.LEAST_FREE + 2 * length - missing
    monkeypatch.setattr(shutil, "disk_usage", lambda place: shutil._ntuple_diskusage(0, 0, free))
    answer = handlers.LeavesRoom(lambda request: HttpResponse())(sent(rf, length))
    assert (answer.status_code, "out of space for large files" in text_of(answer)) == (status, bool(missing))

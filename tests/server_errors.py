"""The requests of browser tests: those that met a server error, which the browser would only show as a page, and those
that are still being answered when their test ends."""

from http import HTTPStatus
from threading import Condition, current_thread, main_thread

from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: Seconds that a request may outlive its test, however slow the machine is.
LONGEST = 20

_failed: list[str] = []
_under_way: list[HttpRequest] = []
_changed = Condition()


def watch() -> None:
    """Note requests from now on, in every thread that answers a browser. A test client raises server errors itself."""
    answer = BaseHandler.get_response

    def watched(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        if current_thread() is main_thread():
            return answer(self, request)
        _under_way.append(request)
        try:
            response = answer(self, request)
            if response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
                _failed.append(f"{request.method} {request.path}")
            return response
        finally:
            with _changed:
                _under_way.remove(request)
                _changed.notify_all()

    BaseHandler.get_response = watched  # type: ignore[method-assign]


def wait_for_requests() -> None:
    """Wait until no request is being answered: a poll may outlive the page that sent it."""
    with _changed:
        assert _changed.wait_for(lambda: not _under_way, LONGEST), _under_way


def failed() -> list[str]:
    """Return and forget the requests that failed since the last call."""
    found, _failed[:] = list(_failed), []
    return found

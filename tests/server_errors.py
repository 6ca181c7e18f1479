"""The requests of browser tests that met a server error, which the browser would only show as a page."""

from __future__ import annotations

from http import HTTPStatus
from threading import current_thread, main_thread

from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_failed: list[str] = []


def watch() -> None:
    """Note server errors from now on, in every thread that answers a browser. A test client raises them itself."""
    answer = BaseHandler.get_response

    def watched(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        response = answer(self, request)
        if response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR and current_thread() is not main_thread():
            _failed.append(f"{request.method} {request.path}")
        return response

    BaseHandler.get_response = watched  # type: ignore[method-assign]


def failed() -> list[str]:
    """Return and forget the requests that failed since the last call."""
    found, _failed[:] = list(_failed), []
    return found

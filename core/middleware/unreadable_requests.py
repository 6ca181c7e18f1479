"""Requests that are not UTF-8 or have an unknown method are refused, and impossible session keys dropped."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.deprecation import MiddlewareMixin


class Request(WSGIRequest):
    """A request that is marked unreadable where Django's own raises an error before any middleware runs."""

    unreadable = False

    def __init__(self, environ: dict[str, Any]) -> None:
        try:
            super().__init__(environ)
        except Exception:  # many kinds, including those of every codec that a charset can name
            environ["CONTENT_TYPE"] = ""
            super().__init__(environ)
            self.unreadable = True


class Application(WSGIHandler):
    """Django's application, with requests that can always be created."""

    request_class = Request


class ReadableRequests:
    """Refuses unreadable requests, and drops session keys that no session can have.

    PostgreSQL cannot store a NUL, so Django's session store must not look for one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if getattr(request, "unreadable", False) or (request.encoding or "utf-8").lower() != "utf-8":
            raise BadRequest("The request is not in UTF-8.")
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        if key and not (key.isascii() and key.isalnum()):
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        return self.get_response(request)


class KnownMethods(MiddlewareMixin):
    """Refuses the methods that no page has, so that a view with a form need not. Other views refuse more of them,
    and one that other sites read `takes_options`: browsers send OPTIONS first (CORS).
    """

    METHODS = ("GET", "HEAD", "POST")

    def process_view(self, request: HttpRequest, view: Any, *arguments: Any) -> HttpResponse | None:
        """Return an answer with status 405 for any other method."""
        known = request.method in self.METHODS or (request.method == "OPTIONS" and hasattr(view, "takes_options"))
        return None if known else HttpResponseNotAllowed(self.METHODS)

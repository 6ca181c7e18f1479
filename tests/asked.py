"""How many statements each request takes that any test makes: at most eight for a page, twelve for a post.

Those of the session and of the user are among them; not what frames a transaction (`bench.speed.counted`), nor what
reads the catalogue: a process does so once for each edition of it, and looks whether it has changed once in CHECK_EVERY
seconds, however many pages it serves. Nor is the admin, which is Django's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from threading import current_thread, main_thread
from typing import Any

from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from bench.speed import A_PAGE, A_POST, counted

Asked = tuple[str, str]

#: What signs somebody in although it comes by GET, as its protocol wants: no page, and counted as a post.
ACTS = [("GET", "discord_callback")]


def most(method: str, name: str) -> int:
    """How many statements a request of this method may take for the address of this name."""
    acts = method == "POST" or (method, name) in ACTS
    return A_POST if acts else A_PAGE


def without_catalogue(statements: Iterable[Any]) -> list[str]:
    """Those that count."""
    return [str(each) for each in statements if not str(each).startswith('SELECT "catalogue_')]


#: What requests took since somebody asked (`too_many`), and those of browsers that met an error.
_taken: list[tuple[Asked, list[str]]] = []
_failed: list[str] = []


def watch() -> None:
    """Count from now on, in every process and thread that answers for the tests."""
    answer = BaseHandler.get_response

    def counting(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        with counted() as statements:
            response = answer(self, request)
        # A client of a test meets the error itself; a browser would only show a page.
        if response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR and current_thread() is not main_thread():
            _failed.append(f"{request.method} {request.path}")
        match: Any = request.resolver_match
        if match and "admin" not in match.namespaces:
            _taken.append(((str(request.method), match.view_name), without_catalogue(statements)))
        return response

    BaseHandler.get_response = counting  # type: ignore[method-assign]


def failed() -> list[str]:
    """The requests of browsers that met an error since this was asked before."""
    found, _failed[:] = list(_failed), []
    return found


def too_many() -> dict[str, list[str]]:
    """The statements of each request that took too many of them since this was asked before."""
    taken, _taken[:] = list(_taken), []
    return {
        f"{method} {name}: {len(statements)}": statements
        for (method, name), statements in taken
        if len(statements) > most(method, name)
    }

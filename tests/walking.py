"""Somebody who asks the site for one address after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.http.request import HttpHeaders, HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.test.client import ClientHandler

from accounts.models import User


@pytest.fixture
def unprinted() -> Iterator[None]:
    """A PDF, or a picture of one, comes as the HTML that it is made of: at once, and what it says can be read."""
    # Patches of its own: no builder of a world prints, so those of `tests.once` need not build it again.
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("core.pdf.laid_out", lambda html, **_: _Unprinted(html))
        patches.setattr("core.pdf._drawn", lambda pdf, width, height: pdf)
        yield


@dataclass(frozen=True, slots=True)
class _Unprinted:
    html: str
    pages: tuple[()] = ()

    def copy(self, pages: object) -> _Unprinted:
        return self

    def write_pdf(self, **_: object) -> bytes:
        return self.html.encode()


class Headers(HttpHeaders):
    """The headers of a request, and which of them the site looked for."""

    def __init__(self, environ: Mapping[str, Any]) -> None:
        super().__init__(environ)
        self.looked_for: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.looked_for.add(name)
        return super().__getitem__(name)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: its status, where it leads, its headers and all it says, and whether the site looked who asks:
    HTMX, or a browser without it."""

    status: int
    leads_to: str
    content: str
    heeds_htmx: bool


class Site(ClientHandler):
    """The site, as Django's `Client` has it."""

    def get_response(self, request: HttpRequest) -> HttpResponseBase:
        request.headers = Headers(request.META)
        return super().get_response(request)


class Visitor:
    """A browser of somebody, or of nobody. Other than a `Client` it makes no copies of what templates are given, and
    learns no cookies; whatever it did is undone."""

    def __init__(self, user: User | None) -> None:
        client = Client()
        if user:
            client.force_login(user)
        self.requests = RequestFactory()
        self.requests.cookies = client.cookies
        self.site = Site(enforce_csrf_checks=False)

    def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a path, with a body that is empty."""
        environ = self.requests.generic(method, path, headers=headers).environ
        with transaction.atomic():
            response = self.site(environ)
            body = b"".join(response.streaming_content) if response.streaming else response.content
            transaction.set_rollback(True)
        return Answer(
            response.status_code,
            response.headers.get("Location", ""),
            f"{response.headers} {body.decode(errors='replace')}",
            any(name.upper().startswith("HX-") for name in response.wsgi_request.headers.looked_for),
        )

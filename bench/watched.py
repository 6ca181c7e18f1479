"""A request that remembers what the site asked it for, so that nonsense can be sent where somebody reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import QueryDict
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.test.client import ClientHandler
from django.utils.datastructures import MultiValueDict
from django.utils.functional import cached_property


class Asked:
    """What was looked for: fields of the address (GET), of a form (POST), files, and headers."""

    def __init__(self) -> None:
        self.GET: set[str] = set()
        self.POST: set[str] = set()
        self.FILES: set[str] = set()
        self.headers: set[str] = set()

    def add(self, other: Asked) -> None:
        """What another request was asked for, too."""
        for kind, names in vars(other).items():
            getattr(self, kind).update(names)


class _Watching:
    """Tells which of its keys somebody wanted."""

    asked_for: set[str]

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return super().__getitem__(key)  # type: ignore[misc]

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return super().__contains__(key)  # type: ignore[misc]

    def get(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)  # type: ignore[misc]

    def getlist(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().getlist(key, default)  # type: ignore[misc]

    def _note(self, key: object) -> None:
        if isinstance(key, str) and hasattr(self, "asked_for"):
            self.asked_for.add(key)


class WatchedFields(_Watching, QueryDict):
    pass


class WatchedFiles(_Watching, MultiValueDict):
    pass


class WatchedHeaders(HttpHeaders):
    def __init__(self, environ: Mapping[str, Any], asked_for: set[str]) -> None:
        super().__init__(environ)
        self.asked_for = asked_for

    def __getitem__(self, name: str) -> str:
        self.asked_for.add(name)
        return super().__getitem__(name)


class WatchedRequest(WSGIRequest):
    """A request whose fields, files and headers are watched. Django makes it, so it becomes one afterwards."""

    asked: Asked

    def watch(self) -> None:
        """From now on."""
        self.asked = Asked()
        self.headers = WatchedHeaders(self.META, self.asked.headers)

    @cached_property
    def GET(self) -> QueryDict:  # noqa: N802  the name that Django calls it by
        return self._watched(super().GET, WatchedFields, self.asked.GET)

    def _load_post_and_files(self) -> None:
        super()._load_post_and_files()
        self._post = self._watched(self._post, WatchedFields, self.asked.POST)
        self._files = self._watched(self._files, WatchedFiles, self.asked.FILES)

    @staticmethod
    def _watched(fields: Any, kind: type, names: set[str]) -> Any:
        fields.__class__ = kind
        fields.asked_for = names
        return fields


class WatchedSite(ClientHandler):
    """The site, as Django's `Client` has it; the request it answers stands at the answer's `wsgi_request`."""

    def get_response(self, request: WSGIRequest) -> HttpResponseBase:
        request.__class__ = WatchedRequest
        request.watch()
        return super().get_response(request)

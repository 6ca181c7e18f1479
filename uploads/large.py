"""A large request keeps a thread busy until all of it is here, and lies on the disk meanwhile: neither may run out."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from threading import BoundedSemaphore

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

#: Bytes of a request that is received whole before it takes a turn: by the proxy (`request_buffers` in
#: deploy/Caddyfile), else by `config.web_worker`.
BUFFERED = 16 * 1024 * 1024
#: Larger requests that a process receives at once, of its two turns (`config.web_worker.RUNNING`): the other one is
#: left for everybody else, however slowly somebody sends.
AT_ONCE = 1
#: Bytes of the disk that stay free: PostgreSQL may write on the same one.
LEAST_FREE = 1 << 30
AGAIN = 120  # seconds


class LeavesRoom:
    """Refuses a large request before any of it is read, where it would take the last thread or the last of the disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._free = BoundedSemaphore(AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = _length(request)
        if length <= BUFFERED:
            return self.get_response(request)
        # It lies there twice for a moment, while what came is put where it belongs.
        if shutil.disk_usage(_place()).free < LEAST_FREE + 2 * length:
            return _refused(request, "full")
        if not self._free.acquire(blocking=False):
            return _refused(request, "busy")
        try:
            return self.get_response(request)
        finally:
            self._free.release()


def _place() -> str:
    """Where a request lies while it is received."""
    return str(settings.FILE_UPLOAD_TEMP_DIR or tempfile.gettempdir())


def _length(request: HttpRequest) -> int:
    said = request.META.get("CONTENT_LENGTH") or ""
    return int(said) if said.isascii() and said.isdigit() else 0


def _refused(request: HttpRequest, why: str) -> HttpResponse:
    answer = render(request, "413.html", {why: True}, status=503)
    answer["Retry-After"] = str(AGAIN)
    return answer

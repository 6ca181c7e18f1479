"""What a request may bring along, looked at before it is read.

A large request keeps a thread busy until all of it is here, and lies on the disk meanwhile: neither may run out.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from .images import MOST_BYTES

#: Bytes of a request that is received whole before it takes a turn: by the proxy (`request_buffers` in
#: deploy/Caddyfile), else by `ops.web_worker`.
BUFFERED = 16 * 1024 * 1024
#: Larger requests that a process receives at once, of its two turns (`ops.web_worker.RUNNING`): the other one is
#: left for everybody else, however slowly somebody sends.
AT_ONCE = 1
#: Bytes of the disk that stay free: PostgreSQL may write on the same one.
LEAST_FREE = 1 << 30
AGAIN = 120  # seconds
#: Below it a picture that is too big is refused in its form, and what was typed stays; above it nobody reads on.
MOST_SENT = 4 * MOST_BYTES
#: A worker waits for a slow connection above that, and not for strangers.
MOST_OF_STRANGERS = BUFFERED


class NothingHuge(FileUploadHandler):
    """Reads no request that brings more than any form of the site takes.

    That is MOST_SENT, or what its view says (`takes_at_most`); MOST_OF_STRANGERS from whoever has not signed in.
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  the name that Django calls it by
        content_length: int,
        boundary: bytes,
        encoding: Any = None,
    ) -> None:
        """Refuse it by what it says of its length; without that the server has not let it in."""
        match = getattr(self.request, "resolver_match", None)
        most = getattr(match and match.func, "takes_at_most", MOST_SENT)
        if content_length > MOST_OF_STRANGERS and not self.request.user.is_authenticated:
            most = MOST_OF_STRANGERS
        if content_length > most:
            raise RequestDataTooBig(f"{content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Leave it to the next handler."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave it to the next handler."""
        return


class LeavesRoom:
    """Refuses a large request before any of it is read, where it would take the last thread or the last of the disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._free = BoundedSemaphore(AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = _length(request)
        if length <= BUFFERED:
            return self.get_response(request)
        received_in = settings.FILE_UPLOAD_TEMP_DIR or tempfile.gettempdir()
        # It lies there twice for a moment, while what came is put where it belongs.
        if shutil.disk_usage(received_in).free < LEAST_FREE + 2 * length:
            return _refused(request, "full")
        if not self._free.acquire(blocking=False):
            return _refused(request, "busy")
        try:
            return self.get_response(request)
        finally:
            self._free.release()


def _length(request: HttpRequest) -> int:
    said = request.META.get("CONTENT_LENGTH") or ""
    return int(said) if said.isascii() and said.isdigit() else 0


def _refused(request: HttpRequest, why: str) -> HttpResponse:
    answer = render(request, "413.html", {why: True}, status=503)
    answer["Retry-After"] = str(AGAIN)
    return answer

"""Limits on request bodies, checked before they are read.

A large request keeps a thread busy until all of it has arrived, and takes disk space until then: neither may run out.
"""

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

#: Largest request, in bytes, that is received whole before it takes a turn: by the proxy (`request_buffers` in
#: deploy/Caddyfile), else by `ops.web_worker`.
BUFFERED = 16 * 1024 * 1024
#: Larger requests that a process receives at once, of its two turns (`ops.web_worker.RUNNING`). The other turn stays
#: free for everybody else, however slowly somebody sends.
AT_ONCE = 1
#: Bytes of the disk to keep free: PostgreSQL may use the same disk.
LEAST_FREE = 1 << 30
AGAIN = 120  # seconds
#: Up to this size the form refuses a picture that is too big and keeps the typed input; nothing larger is read.
MOST_SENT = 4 * MOST_BYTES
#: Above this size a worker waits for slow connections, which strangers may not cause.
MOST_OF_STRANGERS = BUFFERED


class NothingHuge(FileUploadHandler):
    """Reads no request that has more than any form of the site takes.

    The limit is MOST_SENT, or what its view sets (`takes_at_most`); MOST_OF_STRANGERS for visitors who are not signed
    in.
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  the name that Django calls it by
        content_length: int,
        boundary: bytes,
        encoding: Any = None,
    ) -> None:
        """Refuse a request by its declared length; the server accepts none without one."""
        match = getattr(self.request, "resolver_match", None)
        most = getattr(match and match.func, "takes_at_most", MOST_SENT)
        if content_length > MOST_OF_STRANGERS and not self.request.user.is_authenticated:
            most = MOST_OF_STRANGERS
        if content_length > most:
            raise RequestDataTooBig(f"{content_length} bytes")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Leave the data to the next handler."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""
        return


class LeavesRoom:
    """Refuses a request, before reading it, that would take the last thread or fill the disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._free = BoundedSemaphore(AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        declared = request.META.get("CONTENT_LENGTH") or ""
        length = int(declared) if declared.isascii() and declared.isdigit() else 0
        if length <= settings.FILE_UPLOAD_MAX_MEMORY_SIZE:
            return self.get_response(request)
        received_in = settings.FILE_UPLOAD_TEMP_DIR or tempfile.gettempdir()
        # The file exists twice for a moment, while it is copied to its final place.
        if shutil.disk_usage(received_in).free < LEAST_FREE + 2 * length:
            return _refused(request, "full")
        if length <= BUFFERED:
            return self.get_response(request)
        if not self._free.acquire(blocking=False):
            return _refused(request, "busy")
        try:
            return self.get_response(request)
        finally:
            self._free.release()


def _refused(request: HttpRequest, why: str) -> HttpResponse:
    answer = render(request, "413.html", {why: True}, status=503)
    answer["Retry-After"] = str(AGAIN)
    return answer

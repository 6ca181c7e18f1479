"""What a request may bring along, looked at before it is read."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

from .images import MOST_BYTES
from .large import BUFFERED

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

"""Compress pages and lists, but not pictures and PDFs."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

#: Compressed by itself: to do it again takes time and gains nothing.
COMPRESSED_ALREADY = ("image/", "application/pdf")


class GZip(GZipMiddleware):
    """Pages and lists, for phones on a bad connection; pictures and PDFs go as they are.

    Django pads what it compresses at random, and our tokens are masked, against BREACH.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where that makes it smaller and the browser takes it."""
        if response.get("Content-Type", "").startswith(COMPRESSED_ALREADY):
            return response
        return super().process_response(request, response)

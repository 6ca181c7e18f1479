"""Compression of pages and lists, but not of pictures and PDFs."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

#: Types that are compressed already: compressing them again takes time and gains nothing.
COMPRESSED_ALREADY = ("image/", "application/pdf")


class GZip(GZipMiddleware):
    """Compresses pages and lists for phones on a bad connection; pictures and PDFs are sent as they are.

    Against BREACH, Django adds random padding to compressed answers, and our tokens are masked.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed if that makes it smaller and the browser accepts it."""
        if response.get("Content-Type", "").startswith(COMPRESSED_ALREADY):
            return response
        return super().process_response(request, response)

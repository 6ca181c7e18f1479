"""Middleware that every answer passes: unreadable requests, headers, compression, redirects for HTMX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin


class Request(WSGIRequest):
    """A request that is marked as unreadable where Django's own raises an error before any middleware runs."""

    unreadable = False

    def __init__(self, environ: dict[str, Any]) -> None:
        try:
            super().__init__(environ)
        except Exception:  # of many kinds, among them those of every codec that a charset can name
            environ["CONTENT_TYPE"] = ""
            super().__init__(environ)
            self.unreadable = True


class Application(WSGIHandler):
    """Django's application with requests that can always be made."""

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


#: What no page of ours asks a device for, and no script that got into one shall. Passkeys are for the site itself.
NOTHING_OF = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
ITSELF = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")

DEFAULTS = {
    "Permissions-Policy": ", ".join(
        [f"{each}=()" for each in NOTHING_OF] + [f"{each}=(self)" for each in ITSELF]
    ),
    # No other site may show our pictures, or have them in memory beside its own scripts.
    "Cross-Origin-Resource-Policy": "same-origin",
    # A page is somebody's: no proxy keeps it, and who signs out on a borrowed phone takes the pages along.
    "Cache-Control": "private, no-store",
}


class Headers(MiddlewareMixin):
    """Says on each answer what it does not say by itself."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in DEFAULTS.items():
            # Only a document asks a device for anything, and a page has a dozen files beside it.
            if name != "Permissions-Policy" or not request.path.startswith(settings.STATIC_URL):
                response.headers.setdefault(name, value)
        return response


#: Compressed by itself: to do it again takes time and gains nothing.
DENSE = ("image/", "application/pdf")


class GZip(GZipMiddleware):
    """Pages and lists, for phones on a bad connection; pictures and PDFs go as they are.

    Django pads what it compresses at random, and our tokens are masked, against BREACH.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where that makes it smaller and the browser takes it."""
        if response.get("Content-Type", "").startswith(DENSE):
            return response
        return super().process_response(request, response)


class LeadsAway(MiddlewareMixin):
    """Forms that say so (components/answer.html) are led on by HTMX as a browser leads on by itself.

    A browser follows a redirect of such a request unseen, and HTMX would set one page into the frame of another.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if "Location" in response and "X-Leads-Away" in request.headers:
            response.status_code = 200
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
        return response

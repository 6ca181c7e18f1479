"""Headers that Django has no setting for. Each is a default: an answer that says it otherwise keeps its word."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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


class Headers:
    """Says on each answer what it does not say by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in DEFAULTS.items():
            # Only a document asks a device for anything, and a page has a dozen files beside it.
            if name != "Permissions-Policy" or not request.path.startswith(settings.STATIC_URL):
                response.headers.setdefault(name, value)
        return response

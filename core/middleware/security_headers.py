"""Headers that Django has no setting for: permissions policy, resource policy and cache control."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

#: What no page of ours asks a device for, and no script that got into one shall. Passkeys are for the site itself.
DENIED_FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
OWN_FEATURES = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")

DEFAULTS = {
    "Permissions-Policy": ", ".join(
        [f"{each}=()" for each in DENIED_FEATURES] + [f"{each}=(self)" for each in OWN_FEATURES]
    ),
    # No other site may show our pictures, or have them in memory beside its own scripts.
    "Cross-Origin-Resource-Policy": "same-origin",
    # A page is somebody's: no proxy keeps it, and who signs out on a borrowed phone takes the pages along.
    "Cache-Control": "private, no-store",
}


class SecurityHeaders(MiddlewareMixin):
    """Says on each answer what it does not say by itself."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in DEFAULTS.items():
            # Only a document asks a device for anything, and a page has a dozen files beside it.
            if name != "Permissions-Policy" or not request.path.startswith(settings.STATIC_URL):
                response.headers.setdefault(name, value)
        return response

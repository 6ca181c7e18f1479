"""What every response gets: headers that Django has no setting for, compression, names that are isolated, and redirects
that HTMX follows.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from core.bidi import isolated

#: Device features that no page of ours uses and no injected script may use. Passkeys are allowed for this site only.
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
    # No other site may show our pictures, or load them into its process next to its own scripts.
    "Cross-Origin-Resource-Policy": "same-origin",
    # Pages are personal: no proxy may store them, and after sign-out they must not remain on a borrowed phone.
    "Cache-Control": "private, no-store",
}


class SecurityHeaders(MiddlewareMixin):
    """Sets each header on answers that do not have it yet."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        for name, value in DEFAULTS.items():
            # Only documents can use device features, and a page loads a dozen static files.
            if name != "Permissions-Policy" or not request.path.startswith(settings.STATIC_URL):
                response.headers.setdefault(name, value)
        return response


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


class IsolatedNames(MiddlewareMixin):
    """Isolates names from right to left in pages: they may stand in any sentence (law 15)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, with such names in a `<bdi>`."""
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            page = response.content.decode(response.charset)
            if (found := isolated(page)) != page:
                response.content = found.encode(response.charset)
        return response


class HtmxRedirect(MiddlewareMixin):
    """Lets HTMX follow redirects of forms that ask for it (components/answer.html) as a whole page.

    The browser would follow an HTMX request's redirect itself, and HTMX would put one page inside another.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if "Location" in response and "X-Leads-Away" in request.headers:
            response.status_code = 200
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
        return response

"""The headers that protect a page."""

from collections.abc import Mapping

#: What says nothing of protection: type, length, where it leads, what to keep it by.
OTHER = {
    "Content-Type", "Content-Length", "Content-Language", "Content-Encoding", "Vary", "Location", "Allow", "ETag",
    "Last-Modified", "Link", "X-Request-ID", "Access-Control-Allow-Origin", "Accept-Ranges", "Expires", "Retry-After",
}  # fmt: skip
POLICY = (
    "default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), "
        "geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), payment=(), "
        "picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=(), "
        "clipboard-write=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)"
    ),
    "Cache-Control": "private, no-store",
}


def protection(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of an answer, without those that say nothing of it."""
    return sorted_({name: value for name, value in headers.items() if name not in OTHER})


def sorted_(headers: dict[str, str]) -> dict[str, str]:
    """With the parts of the policy, whose order means nothing, in one."""
    policy = "; ".join(sorted(headers["Content-Security-Policy"].split("; ")))
    return headers | {"Content-Security-Policy": policy}

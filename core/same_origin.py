"""Which site a form was sent from."""

from __future__ import annotations

from django.http import HttpRequest


def is_same_origin(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of this site sent the request. Browsers say so of every form."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"

"""The origin of a posted form."""

from django.http import HttpRequest


def is_same_origin(request: HttpRequest) -> bool:
    """Return whether the browser says that a page of this site sent the request. Browsers send this with every form."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"

"""Where an answer leads, for requests that HTMX makes."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class LeadsAway:
    """Forms that say so (components/answer.html) are led on by HTMX as a browser leads on by itself.

    A browser follows a redirect of such a request unseen, and HTMX would set one page into the frame of another.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Location" in response and "X-Leads-Away" in request.headers:
            response.status_code = 200
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
        return response

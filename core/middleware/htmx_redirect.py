"""Let HTMX follow redirects of forms in frames as a browser does."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin


class HtmxRedirect(MiddlewareMixin):
    """Forms that say so (components/answer.html) are led on by HTMX as a browser leads on by itself.

    A browser follows a redirect of such a request unseen, and HTMX would set one page into the frame of another.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if "Location" in response and "X-Leads-Away" in request.headers:
            response.status_code = 200
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
        return response

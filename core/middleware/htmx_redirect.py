"""Redirects of forms in frames, which HTMX follows as a browser does."""

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin


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

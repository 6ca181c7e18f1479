"""Keep people signed in who return: a session ends two weeks after the last visit, not after the sign-in."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

#: The day on which a session was last saved, in the session itself.
RENEWED = "renewed"


class StaysSignedIn(MiddlewareMixin):
    """Saves a session on the first request of each day. Saving it on every request would cost too many writes."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        # A session that no view has read is not read here, so that public answers stay identical for all visitors.
        used = request.session.accessed and request.user.is_authenticated
        if used and request.session.get(RENEWED) != _today():
            renew(request)
        return response


def renew(request: HttpRequest, **_: object) -> None:
    """Save the session with a new expiry date, since the user has signed in or returned."""
    request.session[RENEWED] = _today()


def _today() -> int:
    return timezone.now().toordinal()

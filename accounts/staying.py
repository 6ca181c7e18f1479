"""Whoever comes back stays signed in: a session ends two weeks after the last visit, not after the sign-in."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.sessions import forget

#: The day on which a session was written last.
RENEWED = "renewed"


class StaysSignedIn:
    """Writes a session anew on the first request of a day: on each of them would cost a statement each time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            response = self.get_response(request)
        finally:
            forget()
        # What no view has asked for is not read for this: an answer that is the same for everybody stays so.
        asked = request.session.accessed and request.user.is_authenticated
        if asked and request.session.get(RENEWED) != _today():
            begins(request)
        return response


def begins(request: HttpRequest, **_: object) -> None:
    """The session is as new as it can be: somebody has signed in, or come back."""
    request.session[RENEWED] = _today()


def signs_in(request: HttpRequest, **_: object) -> None:
    """Somebody has signed in: when that was is written with the session."""
    begins(request)
    request.session.signed_in = timezone.now()  # type: ignore[attr-defined]


def _today() -> int:
    return timezone.now().toordinal()

"""Invitations for templates of all apps."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from members import invitation_session


def expected_in(request: HttpRequest) -> dict[str, object]:
    """Return the campaign that a visitor joins by signing up or in. Other pages than those read nothing."""
    return {"expected_in": SimpleLazyObject(lambda: invitation_session.expected_in(request))}

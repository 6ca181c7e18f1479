"""What templates of every app know of invitations."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from members import invitation_session


def expected_in(request: HttpRequest) -> dict[str, object]:
    """The campaign that a visitor joins by signing up or in, for those pages; nothing is read on any other."""
    return {"expected_in": SimpleLazyObject(lambda: invitation_session.expected_in(request))}

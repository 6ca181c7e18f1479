"""What every page of somebody signed in shows of the campaigns."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from .waiting import badge_of, waiting_for


def badge(request: HttpRequest) -> dict[str, object]:
    """How many things wait for whoever asks; nothing is read where no page shows it."""
    return {"badge": SimpleLazyObject(lambda: badge_of(waiting_for(request.user)))}

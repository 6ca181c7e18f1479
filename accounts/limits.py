"""How often something may be tried, counted for all workers together (in the cache's table, as allauth counts)."""

from allauth.core.internal import ratelimit
from django.http import HttpRequest, HttpResponse

_APP = "allauth.account"  # whose setting, ACCOUNT_RATE_LIMITS, names the rates


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page that says so if this was tried too often, else None. `counts`: whether this is one more try.

    Unlike allauth's own function it also counts what comes by GET: a link that is followed.
    """
    used = ratelimit.consume(request, app=_APP, action=action, limit_get=True, dry_run=not counts)
    return None if used else ratelimit.handler429(request)

"""How often something may be tried, counted for all workers together (in the cache's table, as allauth counts)."""

import time

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

_APP = "allauth.account"  # whose setting, ACCOUNT_RATE_LIMITS, names the rates


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page that says so if this was tried too often, else None. `counts`: whether this is one more try.

    Unlike allauth's own function it also counts what comes by GET: a link that is followed. And it writes nothing where
    it only looks: allauth's takes a lock for that, which is a row of the cache.
    """
    if counts:
        allowed = ratelimit.consume(request, app=_APP, action=action, limit_get=True) is not None
    else:
        allowed = all(
            _is_left(request, action, rate) for rate in ratelimit.get_rates(app=_APP, action=action)
        )
    return None if allowed else ratelimit.handler429(request)


def _is_left(request: HttpRequest, action: str, rate: ratelimit.Rate) -> bool:
    """Whether one more try would be allowed."""
    tries = cache.get(ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate), [])
    allowed, _ = ratelimit.apply_rate(tries, time.time(), rate, dry_run=True)
    return allowed

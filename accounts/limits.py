"""How often something may be tried, counted for all workers together (in the cache's table, as allauth counts).

allauth knows the rates and who it is that tries. It counts in four statements, since its lock is a row, too;
here PostgreSQL counts in one, by whose row two tries at once come one after the other.
"""

import time

from allauth.core.internal import ratelimit
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

_APP = "allauth.account"  # whose setting, ACCOUNT_RATE_LIMITS, names the rates

_TABLE = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
#: The tries of a row that are not too long ago, as JSON.
_RECENT = (
    "(SELECT coalesce(jsonb_agg(at), '[]') FROM jsonb_array_elements(kept.value::jsonb) AS at "
    "WHERE at::float8 > %(now)s - %(duration)s)"
)
_TRY = (
    f"INSERT INTO {_TABLE} AS kept (cache_key, value, expires) "  # noqa: S608
    "VALUES (%(key)s, jsonb_build_array(%(now)s::float8), to_timestamp(%(now)s + %(duration)s)) "
    f"ON CONFLICT (cache_key) DO UPDATE SET value = {_RECENT} || excluded.value::jsonb, expires = excluded.expires "
    f"WHERE jsonb_array_length({_RECENT}) < %(amount)s RETURNING true"
)
_LOOK = f"SELECT jsonb_array_length({_RECENT}) < %(amount)s FROM {_TABLE} AS kept WHERE cache_key = %(key)s"  # noqa: S608


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page that says so if this was tried too often, else None. `counts`: whether this is one more try.

    Unlike allauth's own function it also counts what comes by GET: a link that is followed.
    """
    rates = ratelimit.get_rates(app=_APP, action=action)
    allowed = all(_is_allowed(request, action, rate, counts=counts) for rate in rates)
    return None if allowed else ratelimit.handler429(request)


def _is_allowed(request: HttpRequest, action: str, rate: ratelimit.Rate, *, counts: bool) -> bool:
    """Whether one more try is allowed; it is kept then if it `counts`."""
    said = {
        "key": f"tries:{ratelimit.get_cache_key(request, app=_APP, action=action, rate=rate)}",
        "now": time.time(),
        "duration": rate.duration,
        "amount": rate.amount,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TRY if counts else _LOOK, said)
        found = cursor.fetchone()
    return bool(found[0]) if found else not counts

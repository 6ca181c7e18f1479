"""How often something may be tried, counted for all workers together (in the cache's table, as allauth counts).

allauth knows the rates and who it is that tries. It counts each of them in four statements, since its lock is a row,
too; here PostgreSQL counts all rates of an act in one, by whose rows two tries at once come one after the other. So
allauth counts by these functions as well (`counted_here`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.core.exceptions import RateLimited
from allauth.core.internal import ratelimit
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse

_APP = "allauth.account"  # whose setting, ACCOUNT_RATE_LIMITS, names the rates

_TABLE = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
#: Which of the rates a row is of.
_OF = "array_position(%(keys)s::text[], kept.cache_key::text)"
_MAY = f"(%(amounts)s::int[])[{_OF}]"
#: The tries of a row that are not too long ago, as JSON.
_RECENT = (
    "(SELECT coalesce(jsonb_agg(at), '[]') FROM jsonb_array_elements(kept.value::jsonb) AS at "  # noqa: S608
    f"WHERE at::float8 > %(now)s - (%(durations)s::float8[])[{_OF}])"
)
#: Keeps one more try of each rate that allows it.
_TRY = (
    f"INSERT INTO {_TABLE} AS kept (cache_key, value, expires) "  # noqa: S608
    "SELECT key, jsonb_build_array(%(now)s::float8), to_timestamp(%(now)s + duration) "
    "FROM unnest(%(keys)s::text[], %(durations)s::float8[]) AS rate (key, duration) "
    f"ON CONFLICT (cache_key) DO UPDATE SET value = {_RECENT} || excluded.value::jsonb, expires = excluded.expires "
    f"WHERE jsonb_array_length({_RECENT}) < {_MAY}"
)
#: Counts the rates that are used up.
_LOOK = (
    f"SELECT count(*) FROM {_TABLE} AS kept "  # noqa: S608
    f"WHERE cache_key = ANY(%(keys)s) AND jsonb_array_length({_RECENT}) >= {_MAY}"
)
_FORGET = (
    f"UPDATE {_TABLE} SET value = (SELECT coalesce(jsonb_agg(at), '[]') "  # noqa: S608
    "FROM jsonb_array_elements(value::jsonb) AS at WHERE at::float8 <> %(now)s) WHERE cache_key = ANY(%(keys)s)"
)
_CLEAR = f"DELETE FROM {_TABLE} WHERE cache_key = ANY(%(keys)s)"  # noqa: S608


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page that says so if this was tried too often, else None. `counts`: whether this is one more try.

    What comes by GET counts, too: a link that is followed.
    """
    allowed = consume(request, app=_APP, action=action, dry_run=not counts, limit_get=True)
    return None if allowed else ratelimit.handler429(request)


@dataclass(frozen=True, slots=True)
class Tried:
    """A try that was allowed, and may be forgotten: who signs in by the right password has not guessed."""

    said: Mapping[str, Any]

    def rollback(self) -> None:
        """As if it had not been."""
        if self.said["keys"]:
            _ask(_FORGET, self.said)


def consume(
    request: HttpRequest, *, app: str, action: str, config: dict[str, str] | None = None, key: str | None = None,
    user: Any = None, dry_run: bool = False, limit_get: bool = False, raise_exception: bool = False,
) -> Tried | None:  # fmt: skip
    """Try once more, as allauth's function of this name: None, or RateLimited, where one of the rates is used up.

    A try that one rate refuses is kept by those that allow it.
    """
    counts = limit_get or request.method != "GET"
    rates = ratelimit.get_rates(app=app, action=action, config=config) if counts else []
    said = {
        "keys": _keys(request, rates, app=app, action=action, key=key, user=user),
        "durations": [float(rate.duration) for rate in rates],
        "amounts": [rate.amount for rate in rates],
        "now": time.time(),
    }
    if rates and not _is_allowed(said, dry_run=dry_run):
        if raise_exception:
            raise RateLimited
        return None
    return Tried(said)


def clear(
    request: HttpRequest, *, app: str, action: str, config: dict[str, str] | None = None, key: str | None = None,
    user: Any = None,
) -> None:  # fmt: skip
    """Forget all tries of an act, as allauth's function of this name."""
    rates = ratelimit.get_rates(app=app, action=action, config=config)
    _ask(_CLEAR, {"keys": _keys(request, rates, app=app, action=action, key=key, user=user)})


def counted_here() -> None:
    """Let allauth count by the functions above, which stand in the places of its own."""
    ratelimit.consume, ratelimit.clear = consume, clear


def _keys(request: HttpRequest, rates: list[ratelimit.Rate], **said: Any) -> list[str]:
    return [f"tries:{ratelimit.get_cache_key(request, rate=rate, **said)}" for rate in rates]


def _is_allowed(said: Mapping[str, Any], *, dry_run: bool) -> bool:
    """Whether each rate allows one more try; it is kept, but for a dry run."""
    if dry_run:
        return _ask(_LOOK, said) == 0
    return _ask(_TRY, said) == len(said["keys"])


def _ask(sql: str, said: Mapping[str, Any]) -> int:
    """The number that it finds, or how many rows it has changed."""
    with connection.cursor() as cursor:
        cursor.execute(sql, said)
        return int(cursor.fetchone()[0] if cursor.description else cursor.rowcount)

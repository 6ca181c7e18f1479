"""Limits for actions that cost much or reveal something, counted by allauth for all workers together."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse


def too_often(request: HttpRequest, action: str, *, counts: bool = True) -> HttpResponse | None:
    """Return the page with status 429 if the limit for `action` is reached, else None.

    `settings.ACCOUNT_RATE_LIMITS` names the actions. `counts` says whether this is one more try. Following a link
    counts as well as sending a form.
    """
    return ratelimit.consume_or_429(request, action=action, dry_run=not counts, limit_get=True)


def network_of(address: str) -> str:
    """Return what counts as one address: of IPv6 the first 64 bits, since one person has all that follow."""
    try:
        return str(ip_network((address, 64), strict=False)) if ip_address(address).version == 6 else address
    except ValueError:
        return address

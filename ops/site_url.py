"""The public address of the site, for links in messages that no request causes."""

from __future__ import annotations

from collections.abc import Iterable


def site_url(hosts: Iterable[str], *, https: bool) -> str:
    """Return the address of the first of the allowed `hosts` (`.example.org` stands for all names below it, and `*`
    for any), without a slash at the end.
    """
    named = (host.removeprefix(".") for host in hosts if host != "*")
    return f"{'https' if https else 'http'}://{next(named, 'localhost')}"

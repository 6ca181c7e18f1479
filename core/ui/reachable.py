"""Addresses that other devices can open, for links and QR codes that people pass on."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from ops.environment import LOOPBACK


def address_for_others(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path: as this request came, or by SITE_URL if it came from the same computer."""
    if _is_local(split_domain_port(request.get_host())[0]) and not _is_local(_site_host()):
        return f"{settings.SITE_URL}{path}"
    return request.build_absolute_uri(path)


def is_only_here(request: HttpRequest) -> bool:
    """Return whether no other device can open `address_for_others`: the site has only names of this computer."""
    return _is_local(split_domain_port(request.get_host())[0]) and _is_local(_site_host())


def _site_host() -> str:
    return urlsplit(settings.SITE_URL).hostname or ""


def _is_local(host: str) -> bool:
    return host in (*LOOPBACK, "::1")

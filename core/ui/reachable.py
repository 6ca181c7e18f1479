"""Addresses that other devices can open, for links and QR codes that people pass on."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from ops.environment import LOOPBACK


def address_for_others(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path: as this request came, or by SITE_URL if it came from the same computer."""
    is_here, site_is_here = _are_here(request)
    return f"{settings.SITE_URL}{path}" if is_here and not site_is_here else request.build_absolute_uri(path)


def is_local_only(request: HttpRequest) -> bool:
    """Return whether no other device can open `address_for_others`: the site has only names of this computer."""
    return all(_are_here(request))


def _are_here(request: HttpRequest) -> list[bool]:
    hosts = split_domain_port(request.get_host())[0], urlsplit(settings.SITE_URL).hostname
    return [host in (*LOOPBACK, "::1") for host in hosts]

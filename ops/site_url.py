"""The public address of the site, for links in messages that no request causes."""

from collections.abc import Iterable


def site_url(hosts: Iterable[str], *, https: bool, port: int) -> str:
    """Return the address of the first of the allowed `hosts` (`.example.org` stands for all names below it, and `*`
    for any), without a slash at the end. With `https`, a proxy listens on the usual port.
    """
    host = next((host.removeprefix(".") for host in hosts if host != "*"), "localhost")
    return f"https://{host}" if https else f"http://{host}:{port}"

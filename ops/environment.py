"""Settings that follow from the environment: the secret key, the site's address, and checks of a public site."""

import os
import re
import secrets
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

#: Minimum length of a secret key, and of different letters in it, as in Django's own check.
SHORTEST_KEY, FEWEST_LETTERS = 50, 5
#: Texts that mark an example key.
EXAMPLES = ("django-insecure-", "change", "secret", "example")
#: Minimum length of a token.
SHORTEST_TOKEN = 16
#: Settings that are numbers, with the fewest and the most; that are one of some words; and that are addresses, with
#: their schemes.
NUMBERS = {
    "PORT": (1, 65535), "WEB_CONCURRENCY": (1, 64), "PROOF_PROCESSES": (1, 64), "EXPORTS_KEPT": (1, 3650),
    "SLOW_REQUEST_MS": (0, 3_600_000),
}  # fmt: skip
ONE_OF = {
    "LOG_FORMAT": ("text", "json"),
    "LOG_LEVEL": ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
    "QUEUE_WORKER": ("true", "false"),
}
ADDRESSES = {
    "DATABASE_URL": ("postgresql", "postgres", "pgsql"),
    "EMAIL_URL": ("submission", "submit", "smtp", "smtps", "console", "file", "memory", "dummy"),
    "SITE_URL": ("https", "http"),
    "SECURITY_CONTACT": ("https", "mailto"),
    "OIDC_ISSUER": ("https", "http"),
    "UPLOADS_URL": ("s3",),
}  # fmt: skip
#: The names by which only this computer reaches the site.
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
#: All names that docs/hosting.md lists.
SETTINGS = frozenset({
    *NUMBERS, *ONE_OF, *ADDRESSES, "HOST", "DATA_DIR", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "EXPORT_DIR",
    "STATIC_ROOT", "SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "HTTPS", "PROOF_CRON", "TIME_ZONE",
    "METRICS_TOKEN", "SENTRY_DSN", "SENTRY_ENVIRONMENT", "SENTRY_RELEASE", "DEFAULT_FROM_EMAIL", "DISCORD_CLIENT_ID",
    "DISCORD_CLIENT_SECRET", "DEBUG", "SIGNED_WEBHOOK_ORIGINS", "OIDC_NAME",
    "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET",
})  # fmt: skip


def stored_secret_key(data_dir: Path) -> str:
    """Return the key stored in `data_dir`/secret-key; the first call creates it, readable by its owner alone.

    The key is stored so that sessions outlive a restart. Two processes that start at once agree on one key: only one of
    them can link its file to the name.
    """
    path = data_dir / "secret-key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        draft = data_dir / f"secret-key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


def lan_addresses() -> list[str]:
    """Return the private IPv4 addresses of this machine, that of the route to other networks first; empty without one.

    Connecting a UDP socket sends nothing: it only chooses the route.
    """
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address of documentation (RFC 5737)
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [each for each in dict.fromkeys(found) if (ip := ip_address(each)).is_private and not ip.is_loopback]


def allowed_hosts(environment: Mapping[str, str]) -> list[str]:
    """Return the hosts that may be asked for if ALLOWED_HOSTS names none: this computer, and if the site listens on all
    its addresses, those in the LAN.
    """
    everywhere = environment.get("HOST") == "0.0.0.0"  # noqa: S104
    return [*(lan_addresses() if everywhere else ()), *LOOPBACK]


def site_url(hosts: Iterable[str], *, https: bool, port: int) -> str:
    """Return the public address of the site, without a slash at the end, for links in messages that no request causes.

    It is that of the first of the allowed `hosts` (`.example.org` stands for all names below it, and `*` for any). With
    `https`, a proxy listens on the usual port.
    """
    host = next((host.removeprefix(".") for host in hosts if host != "*"), "localhost")
    return f"https://{host}" if https else f"http://{host}:{port}"


def refuse_unusable(environment: Mapping[str, str]) -> None:
    """Raise ImproperlyConfigured that names every setting with which the site would start but not work. No value is
    in the sentences: it may be a password.
    """
    if wrong := list(_unusable({name: value for name, value in environment.items() if value})):
        raise ImproperlyConfigured("Musterbook does not start because of these settings: " + " ".join(wrong))


def misspelled(environment: Iterable[str]) -> list[str]:
    """Return a sentence for each variable that is nearly the name of a setting."""
    found = ((name, get_close_matches(name, SETTINGS, 1, 0.87)) for name in sorted(set(environment) - SETTINGS))
    return [f"{name} is not a setting of Musterbook. Did you mean {near[0]}?" for name, near in found if near]


def _unusable(given: Mapping[str, str]) -> Iterator[str]:
    for name, (fewest, most) in NUMBERS.items():
        if name in given and not (given[name].isdecimal() and fewest <= int(given[name]) <= most):
            yield f"{name} must be a number from {fewest} to {most}."
    for name, values in ONE_OF.items():
        if name in given and given[name] not in values:
            yield f"{name} must be one of {', '.join(values)}."
    for name in ADDRESSES.keys() & given.keys():
        yield from _unusable_address(name, given[name], ADDRESSES[name])
    hosts = given.get("ALLOWED_HOSTS", "localhost").split(",")
    if not all(re.fullmatch(r"\*|\.?[\w.-]+|\[[0-9a-fA-F:]+\]", host.strip()) for host in hosts):
        yield "ALLOWED_HOSTS must have host names only, separated by commas: no https://, no port, nothing empty."
    if given.get("TIME_ZONE", "UTC") not in available_timezones():
        yield "TIME_ZONE must be a name such as Europe/Berlin."
    if len(given.get("METRICS_TOKEN", "x" * SHORTEST_TOKEN)) < SHORTEST_TOKEN:
        yield f"METRICS_TOKEN must have at least {SHORTEST_TOKEN} characters: it is a password."
    yield from _unusable_origins(given.get("SIGNED_WEBHOOK_ORIGINS", ""))
    if not _is_cron(given.get("PROOF_CRON", "27 3 * * *")):
        yield "PROOF_CRON must have five fields, such as 27 3 * * *."


def _unusable_address(name: str, url: str, schemes: Sequence[str]) -> Iterator[str]:
    if "#" in url:
        yield f"{name} has a #. Write it as %23, and other special characters of a password likewise: @ is %40."
        return
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises for no number
    except ValueError:
        yield f"{name} is no address. In a password, write special characters encoded: @ is %40, / is %2F, : is %3A."
        return
    if parts.scheme not in schemes:
        yield f"{name} must begin with {schemes[0]}://."
    elif name == "SITE_URL" and (not parts.hostname or parts.path.strip("/") or parts.query):
        yield "SITE_URL must be the address of the site without a path, such as https://musterbook.example.org."


def _unusable_origins(text: str) -> Iterator[str]:
    if not all(re.fullmatch(r"https?://[\w.-]+(:\d+)?/?", each.strip()) for each in text.split(",") if text):
        yield "SIGNED_WEBHOOK_ORIGINS must have origins only, such as https://n8n.example.org, separated by commas."


def _is_cron(text: str) -> bool:
    from croniter import croniter  # type: ignore[import-untyped]  # lazy: setup

    return len(text.split()) == 5 and bool(croniter.is_valid(text))


def refuse_unsafe(*, debug: bool, secret_key: str, allowed_hosts: Sequence[str]) -> None:
    """Raise ImproperlyConfigured that names every unsafe setting of a public site."""
    if wrong := list(_wrong(debug, secret_key, allowed_hosts)):
        raise ImproperlyConfigured(
            "HTTPS=true makes the site public. It does not start because of these settings: " + " ".join(wrong)
        )


def _wrong(debug: bool, secret_key: str, allowed_hosts: Sequence[str]) -> Iterator[str]:
    if debug:
        yield "DEBUG must not be true: its error pages show how the site works."
    if (
        len(secret_key) < SHORTEST_KEY
        or len(set(secret_key)) < FEWEST_LETTERS
        or secret_key.lower().startswith(EXAMPLES)
    ):
        yield f"SECRET_KEY must have at least {SHORTEST_KEY} random characters. Remove it to let Musterbook create one."
    if not set(allowed_hosts) - {*LOOPBACK}:
        yield "ALLOWED_HOSTS must name the site, for example ALLOWED_HOSTS=musterbook.example.org."
    if "*" in allowed_hosts:
        yield "ALLOWED_HOSTS must not be *: anyone could forge the links in mails."

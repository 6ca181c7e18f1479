"""Checks that stop a public site from starting with unsafe settings."""

from collections.abc import Iterator, Sequence

from django.core.exceptions import ImproperlyConfigured

#: Minimum length of a secret key, and of different letters in it, as in Django's own check.
SHORTEST_KEY, FEWEST_LETTERS = 50, 5
#: Texts that mark an example key.
EXAMPLES = ("django-insecure-", "change", "secret", "example")


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
    if not set(allowed_hosts) - {"localhost", "127.0.0.1", "[::1]"}:
        yield "ALLOWED_HOSTS must name the site, for example ALLOWED_HOSTS=musterbook.example.org."
    if "*" in allowed_hosts:
        yield "ALLOWED_HOSTS must not be *: anyone could forge the links in mails."

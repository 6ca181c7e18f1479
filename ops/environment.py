"""Settings that follow from the environment: the secret key, the site's address, and checks of a public site."""

import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

#: Minimum length of a secret key, and of different letters in it, as in Django's own check.
SHORTEST_KEY, FEWEST_LETTERS = 50, 5
#: Texts that mark an example key.
EXAMPLES = ("django-insecure-", "change", "secret", "example")


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


def site_url(hosts: Iterable[str], *, https: bool, port: int) -> str:
    """Return the public address of the site, without a slash at the end, for links in messages that no request causes.

    It is that of the first of the allowed `hosts` (`.example.org` stands for all names below it, and `*` for any). With
    `https`, a proxy listens on the usual port.
    """
    host = next((host.removeprefix(".") for host in hosts if host != "*"), "localhost")
    return f"https://{host}" if https else f"http://{host}:{port}"


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

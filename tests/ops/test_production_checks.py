"""What a public site is not started with."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from ops import environment
from ops.environment import refuse_unsafe
from ops.paths import BASE_DIR
from tests.ops.environments import ENOUGH

RIGHT = {"debug": False, "secret_key": "keys! " * 9, "allowed_hosts": ["musterbook.example.org"]}


def test_what_is_right_starts():
    assert refuse_unsafe(**RIGHT) is None


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"debug": True}, ["DEBUG"]),
        ({"secret_key": ("keys! " * 9)[:49]}, ["SECRET_KEY"]),
        ({"secret_key": "keys" * 13}, ["SECRET_KEY"]),
        ({"secret_key": "change-me" + "keys! " * 9}, ["SECRET_KEY"]),
        ({"secret_key": "django-insecure-" + "keys! " * 9}, ["SECRET_KEY"]),
        ({"allowed_hosts": []}, ["ALLOWED_HOSTS"]),
        ({"allowed_hosts": ["localhost", "127.0.0.1", "[::1]"]}, ["ALLOWED_HOSTS"]),
        ({"allowed_hosts": ["*"]}, ["ALLOWED_HOSTS"]),
        ({"debug": True, "secret_key": "", "allowed_hosts": []}, ["DEBUG", "SECRET_KEY", "ALLOWED_HOSTS"]),
    ],
)
def test_what_is_wrong_is_named(wrong, named):
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_unsafe(**RIGHT | wrong)
    violations = str(refused.value)
    assert [name for name in ("DEBUG", "SECRET_KEY", "ALLOWED_HOSTS") if f"{name} must" in violations] == named


def checked(**variables: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check --deploy` as a public site runs it, without what browser tests leave in the environment."""
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=BASE_DIR,
        env=inherited | {"DATABASE_URL": "postgresql://127.0.0.1:1/nowhere"} | ENOUGH | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_public_site_has_nothing_that_django_warns_of():
    done = checked()
    assert (done.returncode, done.stderr) == (0, "")


def test_a_public_site_does_not_start_with_what_is_wrong():
    done = checked(DEBUG="true")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "HTTPS=true makes the site public. It does not start because of these settings: "
        "DEBUG must not be true: its error pages show how the site works."
    )


def test_the_own_addresses_of_the_machine_are_allowed_only_where_it_listens_on_them(monkeypatch):
    monkeypatch.setattr(environment, "lan_addresses", lambda: ["192.168.1.20"])
    local = ["localhost", "127.0.0.1", "[::1]"]
    assert environment.allowed_hosts({}) == environment.allowed_hosts({"HOST": "127.0.0.1"}) == local
    assert environment.allowed_hosts({"HOST": "0.0.0.0"}) == ["192.168.1.20", *local]  # noqa: S104


def test_an_address_of_the_machine_is_private_and_not_loopback(monkeypatch):
    names = [(None, None, None, "", (address, 0)) for address in ("127.0.1.1", "8.8.8.8", "10.0.0.7")]
    monkeypatch.setattr(environment.socket, "getaddrinfo", lambda *_: names)
    found = environment.lan_addresses()
    assert "10.0.0.7" in found
    assert not {"127.0.1.1", "8.8.8.8"} & {*found}

"""What the environment says about mail and Discord."""

import runpy
from string import ascii_letters

import pytest

from accounts.adapters import NO_MAIL
from ops.paths import BASE_DIR


@pytest.fixture
def read(monkeypatch):
    """Return a function that reads the settings as they are with these variables."""
    for name in ("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "EMAIL_URL", "DEFAULT_FROM_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SECRET_KEY", "for a test")

    def _read(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return runpy.run_path(str(BASE_DIR / "config" / "settings.py"))

    return _read


def discord_in(settings):
    return (
        settings["SOCIALACCOUNT_PROVIDERS"]["discord"]["APPS"],
        settings["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["form-action"],
    )


def test_discord_has_its_keys_and_forms_may_lead_there(read):
    assert discord_in(read(DISCORD_CLIENT_ID="1234", DISCORD_CLIENT_SECRET="shh")) == (
        [{"client_id": "1234", "secret": "shh"}],
        ["'self'", "https://discord.com"],
    )


@pytest.mark.parametrize("half", [{}, {"DISCORD_CLIENT_ID": "1234"}, {"DISCORD_CLIENT_SECRET": "shh"}])
def test_half_a_pair_of_keys_is_none(read, half):
    assert discord_in(read(**half)) == ([], ["'self'"])


MAIL = ["EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_USE_TLS", "EMAIL_TIMEOUT"]


def test_mail_goes_where_one_address_says(read):
    settings = read(EMAIL_URL="submission://leia:pa%40ss@mail.example.org", DEFAULT_FROM_EMAIL="log@example.org")

    assert [settings[name] for name in MAIL] == [
        "django.core.mail.backends.smtp.EmailBackend",
        "mail.example.org",
        587,
        "leia",
        True,
        10,
    ]
    assert (settings["EMAIL_HOST_PASSWORD"], settings["DEFAULT_FROM_EMAIL"]) == ("pa@ss", "log@example.org")


def test_mail_is_printed_in_development(read):
    assert read(DEBUG="true")["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"


def test_but_not_where_others_are(read):
    """A log holds neither addresses nor the keys of links."""
    assert read()["EMAIL_BACKEND"] == NO_MAIL
    public = {"HTTPS": "true", "ALLOWED_HOSTS": "log.example.org", "SECRET_KEY": ascii_letters}
    assert read(**public)["EMAIL_BACKEND"] == NO_MAIL

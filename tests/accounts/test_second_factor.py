"""Codes of an app, recovery codes and passkeys, as a choice."""

import json
import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth import SESSION_KEY

from tests.accounts.conftest import PASSWORD
from tests.html import html_of

pytestmark = pytest.mark.django_db


def code_of(secret):
    """What the app shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


@pytest.fixture
def signed_in(client, leia):
    """Return a browser that gave the password just now, and once more, as changing one's keys asks for."""
    client.post("/accounts/login/", {"login": "leia", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def secret(signed_in):
    """Activate the app; return what it shares with us."""
    page = signed_in.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    signed_in.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    return secret


def test_activating_the_app_asks_for_the_password_first(client, leia):
    client.post("/accounts/login/", {"login": "leia", "password": PASSWORD})

    response = client.get("/accounts/2fa/totp/activate/")

    assert (response.status_code, response.url.partition("?")[0]) == (302, "/accounts/reauthenticate/")


def test_the_page_shows_a_code_to_scan_that_the_content_policy_allows(signed_in):
    page = html_of(signed_in.get("/accounts/2fa/totp/activate/"))

    assert page.count('<path d="M') == 1
    assert "data:image" not in page
    assert "issuer=Musterbook" in page


def test_a_wrong_code_activates_nothing(signed_in, leia):
    signed_in.get("/accounts/2fa/totp/activate/")

    page = signed_in.post("/accounts/2fa/totp/activate/", {"code": "none"})

    assert page.context["form"].errors == {"code": ["Incorrect code."]}
    assert Authenticator.objects.count() == 0


def test_the_app_comes_with_recovery_codes_and_signing_in_asks_for_one_of_them(client, leia, secret):
    kinds = sorted(Authenticator.objects.values_list("type", flat=True))
    client.post("/accounts/logout/")

    asked = client.post("/accounts/login/", {"login": "leia", "password": PASSWORD})
    between = client.session.get(SESSION_KEY)
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})

    assert kinds == ["recovery_codes", "totp"]
    assert (asked.url, between) == ("/accounts/2fa/authenticate/", None)
    assert client.session[SESSION_KEY] == str(leia.pk)


def test_a_recovery_code_signs_in_once(client, leia, secret):
    codes = client.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    for expected in (str(leia.pk), None):
        client.post("/accounts/logout/")
        client.post("/accounts/login/", {"login": "leia", "password": PASSWORD})

        client.post("/accounts/2fa/authenticate/", {"code": codes[0]})

        assert client.session.get(SESSION_KEY) == expected


def test_the_way_into_the_admin_asks_for_the_code_too(client, leia, secret):
    leia.is_staff = leia.is_superuser = True
    leia.save()
    client.post("/accounts/logout/")

    client.post("/accounts/login/?next=/admin/", {"login": "leia", "password": PASSWORD})

    assert client.get("/admin/").status_code == 302


def test_an_address_that_is_not_confirmed_does_not_stand_in_the_way(signed_in, address):
    address(verified=False)

    assert signed_in.get("/accounts/2fa/totp/activate/").status_code == 200


SCRIPTS = re.compile(r"<script(?P<attributes>[^>]*)>")


@pytest.mark.parametrize("address", ["/accounts/2fa/webauthn/add/", "/accounts/login/"])
def test_the_pages_of_passkeys_run_no_script_but_our_files(client, signed_in, address):
    if address == "/accounts/login/":
        client.post("/accounts/logout/")

    page = html_of(client.get(address))

    attributes = [match["attributes"] for match in SCRIPTS.finditer(page)]
    files = [re.search(r'src="([^"]+)"', each).group(1) for each in attributes if "src=" in each]
    assert files[-4:] == [
        "/static/mfa/js/webauthn-json.js",
        "/static/mfa/js/webauthn.js",
        "/static/account/js/onload.js",
        "/static/js/passkeys.js",
    ]
    assert all('type="application/json"' in each for each in attributes if "src=" not in each)


def test_a_browser_gets_a_challenge_to_sign_in_with_a_passkey(client):
    response = client.get("/accounts/2fa/webauthn/login/", headers={"accept": "application/json"})

    options = json.loads(response.content)["request_options"]["publicKey"]
    assert (options["rpId"], options["userVerification"]) == ("testserver", "required")

"""Passkeys of an attacker: another person's, an answer sent twice or to another site, another site's name."""

import json
from dataclasses import replace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.accounts.passkeys import Passkey

pytestmark = pytest.mark.django_db
LOGIN, ADD = "/accounts/2fa/webauthn/login/", "/accounts/2fa/webauthn/add/"


def asked(client: Client) -> str:
    """The challenge of the page to sign in."""
    answer = client.get(LOGIN, headers={"accept": "application/json"})
    return str(json.loads(answer.content)["request_options"]["publicKey"]["challenge"])


def signs_in(client: Client, credential: str) -> str:
    """Whom this credential signs in."""
    client.post(LOGIN, {"credential": credential})
    return str(client.session.get(SESSION_KEY, ""))


def confirmed(user: User) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def added(client: Client, passkey: Passkey, **other: Any) -> int:
    """How many passkeys there are after the page was sent the answer of a device."""
    options = client.get(ADD).context["js_data"]["creation_options"]["publicKey"]
    sent = {"name": "Phone", "credential": passkey.registered(**{"challenge": options["challenge"]} | other)}
    client.post(ADD, {**sent, "passwordless": "on"})
    return Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).count()


@pytest.fixture
def passkey(leia) -> Passkey:
    made = Passkey(leia)
    assert added(confirmed(leia), made) == 1
    return made


def test_an_answer_counts_once_and_for_its_own_challenge(leia, passkey):
    client, thief = Client(), Client()
    answer = passkey.signed_in(asked(client))
    asked(thief)
    assert signs_in(thief, answer) == ""
    assert signs_in(client, answer) == str(leia.pk)
    client.post("/accounts/logout/")
    assert signs_in(client, answer) == ""
    asked(client)
    assert signs_in(client, answer) == ""


@pytest.mark.parametrize("origin", ["https://evil.example", "http://testserver", "https://testserver.evil.example"])
def test_an_answer_to_another_site_signs_nobody_in_and_adds_nothing(passkey, origin):
    client, han = Client(), User.objects.create_user("han", password=PASSWORD)
    assert signs_in(client, passkey.signed_in(asked(client), origin)) == ""
    assert added(confirmed(han), Passkey(han), origin=origin) == 1


def test_a_passkey_does_not_sign_in_as_somebody_else(passkey, leia):
    han = User.objects.create_user("han", password=PASSWORD)
    own = Passkey(han, b"a device of han")
    added(confirmed(han), own)
    client = Client()
    for forged in (replace(own, user=leia), replace(own, user=leia, name=passkey.name), replace(passkey, user=han)):
        assert signs_in(client, forged.signed_in(asked(client))) == ""
    assert signs_in(client, own.signed_in(asked(client))) == str(han.pk)


def test_nobody_renames_or_removes_the_passkey_of_another_person(passkey):
    han = User.objects.create_user("han", password=PASSWORD)
    client, found = confirmed(han), Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    for act in ("edit", "remove"):
        page = f"/accounts/2fa/webauthn/keys/{found.pk}/{act}/"
        assert [client.get(page).status_code, client.post(page, {"name": "Mine"}).status_code] == [404, 404]
    found.refresh_from_db()
    assert found.data["name"] == "Phone"

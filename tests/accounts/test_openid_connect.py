"""Sign-in with a provider of OpenID Connect, played by a stand-in that needs no network."""

import json
import time
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from allauth.socialaccount.models import SocialAccount

from accounts.models import User
from tests.html import html_of

ISSUER = "https://id.example.org/realms/club"
APP = {
    "provider_id": "oidc",
    "name": "Club account",
    "client_id": "musterbook",
    "secret": "shh",
    "settings": {"server_url": ISSUER},
}
CALLBACK = "/accounts/oidc/oidc/login/callback/"


class Provider:
    """What the site asks of it, and what it answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict]] = []
        self.is_away = False

    def answer(self, _session, method, url, **words):
        self.asked.append((method.upper(), url, words))
        if self.is_away:
            raise requests.ConnectionError("away")
        claims = {"iss": ISSUER, "aud": "musterbook", "sub": "7", "iat": time.time(), "exp": time.time() + 60}
        answers = {
            "/.well-known/openid-configuration": {
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/auth",
                "token_endpoint": f"{ISSUER}/token",
                "userinfo_endpoint": f"{ISSUER}/userinfo",
                "jwks_uri": f"{ISSUER}/certs",
            },
            "/token": {"access_token": "t", "token_type": "bearer", "id_token": jwt.encode(claims, "k" * 32)},
            "/userinfo": {"sub": "7", "preferred_username": "organa", "email": "leia@example.org"},
        }
        response = requests.Response()
        response.status_code = 200
        response.headers["content-type"] = "application/json"
        response._content = json.dumps(answers[url.removeprefix(ISSUER)]).encode()
        return response


@pytest.fixture
def provider(settings, monkeypatch) -> Provider:
    settings.SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": settings.SOCIALACCOUNT_PROVIDERS["openid_connect"] | {"APPS": [APP]}
    }
    stand_in = Provider()
    monkeypatch.setattr(requests.Session, "request", lambda *words, **more: stand_in.answer(*words, **more))
    return stand_in


def came_back(client):
    """Go there and come back. Returns what the site asked in the address, and its answer."""
    sent = client.post("/accounts/oidc/oidc/login/?process=login")
    asked = parse_qs(urlsplit(sent.url).query)
    return asked, client.get(f"{CALLBACK}?code=c&state={asked['state'][0]}")


def test_it_is_off_without_settings(client, db):
    assert "Continue with" not in html_of(client.get("/accounts/login/"))
    assert client.get("/accounts/oidc/oidc/login/").status_code == 404
    assert client.get(CALLBACK).status_code == 404


@pytest.mark.usefixtures("db")
def test_whoever_comes_for_the_first_time_chooses_a_name(client, provider):
    assert "Continue with Club account" in html_of(client.get("/accounts/login/"))
    asked, answer = came_back(client)

    assert set(asked["scope"][0].split()) == {"openid", "profile"}
    assert (asked["client_id"], asked["response_type"]) == (["musterbook"], ["code"])
    assert (asked["code_challenge_method"], asked["redirect_uri"]) == (["S256"], [f"http://testserver{CALLBACK}"])
    [token] = [words["data"] for method, url, words in provider.asked if url == f"{ISSUER}/token"]
    assert (token["code"], len(token["code_verifier"]) >= 43) == ("c", True)
    assert answer.url == "/accounts/3rdparty/signup/"
    assert 'value="organa"' in html_of(client.get(answer.url))
    client.post(answer.url, {"username": "organa"})
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("organa", "", False)
    assert list(SocialAccount.objects.values_list("user", "provider", "uid")) == [(user.pk, "oidc", "7")]


def test_it_signs_in_whom_it_knows(client, provider, leia):
    SocialAccount.objects.create(user=leia, provider="oidc", uid="7")
    _, answer = came_back(client)
    assert (answer.status_code, answer.url) == (302, "/")
    assert client.session["_auth_user_id"] == str(leia.pk)
    assert "Connected accounts" in html_of(client.get("/accounts/"))


def test_a_provider_that_does_not_answer_gets_a_sentence(client, provider, leia):
    provider.is_away = True
    answer = client.post("/accounts/oidc/oidc/login/?process=login")
    assert answer.status_code == 401
    assert "The other site did not answer as expected. Try again." in html_of(answer)

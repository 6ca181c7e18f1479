"""Requests that cannot be read get a page with status 400 and every header, never an error of the site."""

from io import BytesIO
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from config.wsgi import application
from tests.accounts.conftest import PASSWORD, leia, no_attempts_yet
from tests.core.middleware.headers import ALWAYS, protection, sorted_

__all__ = ["leia", "no_attempts_yet"]

pytestmark = pytest.mark.django_db
LOGIN = reverse("account_login")
SENTENCE = "The server could not read what your browser sent"
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=xx"
BODIES = {
    URLENCODED: b"login=leia&password=wrong",
    MULTIPART: b'--xx\r\nContent-Disposition: form-data; name="login"\r\n\r\nleia\r\n--xx--\r\n',
}


def refused(answer: HttpResponse) -> bool:
    """Whether the answer is the page for unreadable requests, with all headers that protect a page."""
    return answer.status_code == 400 and SENTENCE in answer.text and protection(answer.headers) == sorted_(ALWAYS)


def served(path: str, query: str, content_type: str, body: bytes) -> HttpResponse:
    """Ask the application as gunicorn does: the test client makes requests in its own way."""
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "testserver",
        "CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body),
    }  # fmt: skip
    setup_testing_defaults(environ)
    found: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]]) -> None:
        found.update(status=int(status.split()[0]), headers=dict(headers))

    content = b"".join(application(environ, start_response))
    return HttpResponse(content, status=found["status"], headers=found["headers"])


@pytest.mark.parametrize("kind", [URLENCODED, MULTIPART])
@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "idna", "rot13", "base64", "undefined", "latin-1"])
@pytest.mark.parametrize("query", ["", "next=%2F&a=%ff"])
def test_other_charsets(kind, charset, query):
    answer = served(LOGIN, query, f"{kind}; charset={charset}", BODIES[kind])
    assert refused(answer)


@pytest.mark.parametrize("charset", ["utf-16", "rot13"])
def test_other_charsets_of_whatever_is_sent(client, charset):
    answer = client.generic("POST", LOGIN, BODIES[MULTIPART], content_type=f"{MULTIPART}; charset={charset}")
    assert refused(answer)


@pytest.mark.parametrize("content_type", ["text/plain; a*=nothing''%41", f"{URLENCODED}; charset=utf-8"])
def test_a_request_that_cannot_even_be_made(content_type):
    query = "&".join(f"a{number}=" for number in range(4_001)) if "utf-8" in content_type else ""
    assert refused(served(LOGIN, query, content_type, b""))


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf-8"', "nonsense"])
def test_utf_8_is_read_and_a_charset_that_is_none_means_nothing(charset):
    answer = served(LOGIN, "", f"{URLENCODED}; charset={charset}", BODIES[URLENCODED])
    assert answer.status_code == 403  # it has no token


def quoted(value: str) -> str:
    """Write the value of a cookie as browsers may send it. Newer Pythons refuse to make one with control characters."""
    return "".join(each if " " < each < "\x7f" else f"\\{byte:03o}" for each in value for byte in each.encode())


@pytest.mark.parametrize("key", ["\0" * 32, "abc\0defghijk", "é" * 32, "'; --", "x" * 5000])
def test_a_session_key_that_no_session_has(client, key):
    """It is as if there were no session: whoever has such a cookie must be able to sign in."""
    session = {"HTTP_COOKIE": f'sessionid="{quoted(key)}"'}
    assert client.get(LOGIN, **session).status_code == 200
    assert client.get(reverse("accounts:profile"), **session).status_code == 302


HALF = '{"id": "\\ud800", "rawId": "\\ud800", "type": "public-key", "response": {"userHandle": "\\ud800"}}'
EMPTY = '"rawId": "YQ", "type": "public-key", "id": "a"'
#: A CBOR array in an array, and so on.
NESTED = "gYGB" * 3000
CLIENT_DATA = "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYSIsIm9yaWdpbiI6ImEifQ"


@pytest.mark.parametrize(
    "credential",
    [
        HALF,
        '"\\ud800"',
        "[" * 100_000,
        "[" * 5_000 + "]" * 5_000,
        '{"id": ' * 3_000 + "1" + "}" * 3_000,
        "1e999",
        '{"id": 1e999}',
        '{"id": NaN}',
        "9" * 5_000,
        f'{{"id": {"9" * 5_000}}}',
        "[]",
        "not JSON",
    ],
)
class TestPasskeyForms:
    def test_of_strangers(self, client, credential):
        client.get(reverse("mfa_login_webauthn"))
        assert refused(client.post(reverse("mfa_login_webauthn"), {"credential": credential}))

    def test_of_people_who_add_one(self, as_leia, credential):
        answer = as_leia.post(reverse("mfa_add_webauthn"), {"credential": credential, "name": "A key"})
        assert refused(answer)


@pytest.mark.parametrize(
    "credential",
    [
        f'{{{EMPTY}, "response": {{"clientDataJSON": "YQ", "authenticatorData": "YQ"}}}}',
        f'{{{EMPTY}, "response": {{"attestationObject": "YQ", "clientDataJSON": "e30"}}}}',
        f'{{{EMPTY}, "response": {{"attestationObject": "{NESTED}", "clientDataJSON": "{CLIENT_DATA}"}}}}',
        f'{{{EMPTY}, "response": []}}',
        '{"id": {}, "rawId": [], "type": {}, "response": {"clientDataJSON": [], "signature": 1}}',
        "{}",
    ],
)
class TestCredentialsOfAnotherShape:
    def test_of_strangers(self, client, credential):
        client.get(reverse("mfa_login_webauthn"))
        answer = client.post(reverse("mfa_login_webauthn"), {"credential": credential})
        assert answer.status_code in (302, 400)
        assert "_auth_user_id" not in client.session

    def test_of_people_who_add_one(self, as_leia, credential):
        answer = as_leia.post(reverse("mfa_add_webauthn"), {"credential": credential, "name": "A key"})
        assert answer.status_code in (200, 400)


@pytest.fixture
def as_leia(client, leia) -> Client:
    """Leia, who has just typed her password, on the page for a new passkey."""
    client.force_login(leia)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("mfa_add_webauthn")).status_code == 200
    return client


@pytest.mark.parametrize(
    ("method", "status"), [("GET", 200), ("HEAD", 200), ("OPTIONS", 405), ("PUT", 405), ("DELETE", 405), ("X", 405)]
)
def test_no_page_has_another_method(client, method, status):
    assert client.generic(method, "/join/").status_code == status

"""Threats that no room answers alone; docs/security.md names every threat, and the test of each."""

import json
import re
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator

import pytest
from django.core import mail
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from campaign.chronicle.services import stories
from lists.exporting import WRITERS
from notifications import views as notification_views
from registers.markdown import to_html
from tests.accounts.conftest import PASSWORD, leia, library_looks_twice, no_attempts_yet
from tests.campaign.conftest import book
from tests.world import make_world

__all__ = ["book", "leia", "library_looks_twice", "no_attempts_yet"]

LOGIN, SIGNUP, RESET = (reverse(f"account_{name}") for name in ("login", "signup", "reset_password"))
SIGN_IN = {"login": "leia", "password": PASSWORD}
NEW = {"username": "han", "password1": PASSWORD, "password2": PASSWORD}

# --- What people type ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "*a **b " * 2_900, "![" * 10_000, "[a](" * 5_000, "> " * 10_000, "a*_" * 6_600, "`" * 20_000]
)
def test_text_that_is_hard_to_read_is_read_soon(text):
    began = time.process_time()
    to_html(text)
    assert time.process_time() - began < 3


def test_no_download_is_a_table_whose_cells_a_spreadsheet_reckons():
    assert {writer.content_type for writer in WRITERS.values()} <= {"text/plain", "application/json"}


# --- Forms -----------------------------------------------------------------------------------------------------------


def views(resolver: URLResolver) -> Iterator[Callable]:
    for each in resolver.url_patterns:
        yield from [each.callback] if isinstance(each, URLPattern) else views(each)


def test_no_address_takes_a_form_without_a_token():
    found = list(views(get_resolver()))
    assert len(found) > 300
    # Mail programs post there without a cookie (RFC 8058); the signed token of the address is what counts.
    assert [view for view in found if getattr(view, "csrf_exempt", False)] == [notification_views.stop]


@pytest.mark.parametrize(
    ("headers", "refused"), [({}, 403), ({"HX-Request": "true"}, 409), ({"X-CSRFToken": "x" * 64}, 403)]
)
def test_htmx_needs_the_token_too(leia, headers, refused):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(leia)
    token = re.search(r'"x-csrftoken": "(\w{64})"', browser.get(reverse("campaign:new")).text)[1]
    sent = [browser.post(reverse("campaign:new"), headers=each) for each in (headers, {"X-CSRFToken": token})]
    assert [answer.status_code for answer in sent] == [refused, 422]


@pytest.mark.django_db
def test_htmx_runs_nothing_and_asks_nobody_else(client):
    page = re.search(r"name=\"htmx-config\"\s+content='([^']+)'", client.get(LOGIN).text)[1]
    config = {
        name: json.loads(page)[name]
        for name in ("allowEval", "allowScriptTags", "selfRequestsOnly", "historyCacheSize")
    }
    assert config == {"allowEval": False, "allowScriptTags": False, "selfRequestsOnly": True, "historyCacheSize": 0}


@pytest.mark.django_db
def test_who_signs_up_decides_on_a_name_and_nothing_else(client):
    rights = {
        "is_staff": "on",
        "is_superuser": "on",
        "is_active": "",
        "id": "1",
        "pk": "1",
        "known_as": "1",
        "is_placeholder": "on",
    }
    client.post(SIGNUP, NEW | rights | {"groups": "1", "user_permissions": "1"})
    user = User.objects.get(username="han")
    assert (user.is_staff, user.is_superuser, user.is_active, user.is_placeholder) == (False, False, True, False)
    assert not user.groups.exists()
    assert not user.user_permissions.exists()


# --- Where one is led ------------------------------------------------------------------------------------------------

ELSEWHERE = (
    "//evil.example",
    "https://evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "http:///evil.example",
    "http://[",
)


@pytest.mark.parametrize("there", ELSEWHERE)
@pytest.mark.parametrize(
    "headers", [{}, {"HX-Request": "true", "X-Leads-Away": "true", "Referer": "https://evil.example/"}]
)
def test_nobody_is_led_to_another_site(client, leia, there, headers):
    asked = [client.post(LOGIN, SIGN_IN | {"next": there}, headers=headers)]
    asked += [client.post(f"{page}?next={there}", {}, headers=headers) for page in (LOGIN, reverse("account_logout"))]
    asked += [client.post(reverse("ui:theme"), {"next": there}, headers=headers)]
    led = [answer.headers.get("Location") or answer.headers["HX-Redirect"] for answer in asked]
    assert {place for place in led if not re.match(r"/(?![/\\])", place)} == set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["evil.example", "localhost.evil.example", "localhost@evil.example", "evil.example:80"]
)
def test_another_name_of_the_site_is_refused(client, name):
    assert client.get(LOGIN, headers={"host": name}).status_code == 400
    assert client.get(LOGIN, headers={"x-forwarded-host": name}).status_code == 200  # it counts nothing


# --- Who somebody is -------------------------------------------------------------------------------------------------


def without_tokens(page: str, *names: str) -> str:
    for name in names:
        page = page.replace(name, "")
    return re.sub(r"[A-Za-z0-9]{64}", "", page)


def test_signing_in_says_nothing_of_who_is_here(client, leia):
    there, not_there = (client.post(LOGIN, {"login": name, "password": "wrong"}) for name in ("leia", "lola"))
    assert (there.status_code, without_tokens(there.text, "leia")) == (200, without_tokens(not_there.text, "lola"))


def test_asking_for_a_link_says_nothing_of_who_is_here(client, leia):
    there, not_there = (client.post(RESET, {"email": f"{name}@example.org"}) for name in ("leia", "lola"))
    assert (there.status_code, there.headers["Location"]) == (302, not_there.headers["Location"])


def test_a_session_ends_for_whoever_kept_a_copy(client, leia):
    client.force_login(leia)
    copy = Client()
    copy.cookies["sessionid"] = client.cookies["sessionid"].value
    profile = reverse("accounts:profile")
    before = copy.get(profile).status_code
    client.post(reverse("account_logout"))
    assert (before, copy.get(profile).status_code) == (200, 302)


def test_another_password_ends_other_sessions(client, leia):
    other = Client()
    other.force_login(leia)
    client.post(LOGIN, SIGN_IN)
    profile, new = reverse("accounts:profile"), "a-snow-speeder"
    assert other.get(profile).status_code == 200
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert (client.get(profile).status_code, other.get(profile).status_code) == (200, 302)


@pytest.mark.parametrize("mark", ["\n", "\r\n", "\u2028"])
def test_no_line_gets_into_a_mail(client, leia, mark):
    client.post(SIGNUP, NEW | {"username": f"han{mark}Bcc: all@example.org", "email": "han@example.org"})
    client.post(SIGNUP, NEW | {"email": f"han@example.org{mark}Bcc: all@example.org"})
    client.post(RESET, {"email": f"leia@example.org{mark}Bcc: all@example.org"})
    assert (mail.outbox, User.objects.count()) == ([], 1)
    client.post(RESET, {"email": "leia@example.org"})
    assert len(mail.outbox) == 1  # as it is otherwise


def test_no_password_gets_into_the_log(client, leia, caplog, capsys):
    caplog.set_level(0)
    client.post(LOGIN, SIGN_IN | {"password": "wr0ng-but-close"})
    client.post(LOGIN, SIGN_IN)
    output = caplog.text + "".join(capsys.readouterr())
    assert output.count("account_login") >= 2
    assert PASSWORD not in output
    assert "wr0ng" not in output


# --- Links -----------------------------------------------------------------------------------------------------------


def test_nobody_guesses_a_link(book):
    world = make_world()
    organizer, link = (
        world.people["organizer"],
        stories.open_chronicle(actor=world.people["organizer"], campaign=world.campaign),
    )
    tokens = {link.token, world.invitation.token, world.version.arc.token}
    for _ in range(20):
        link = stories.renew(actor=organizer, campaign=world.campaign, token=link.token)
        tokens.add(link.token)
    assert len(tokens) == 23
    assert min(8 * len(urlsafe_b64decode(f"{token}==")) for token in tokens) >= 128

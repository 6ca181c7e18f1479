"""A theme of one's own: kept on the device, there from the first byte, and given back to the system when wished."""

import re

import pytest

from tests.html import html_of

pytestmark = pytest.mark.django_db

PLAIN = '<link rel="stylesheet" href="/static/css/dark.css">'
ASKED = '<link rel="stylesheet" href="/static/css/dark.css" media="(prefers-color-scheme: dark)">'


def head(client) -> dict[str, object]:
    html = html_of(client.get("/rules/"))
    return {
        "sheets": re.findall(r'<link rel="stylesheet" href="/static/css/dark\.css".*?>', html),
        "scheme": re.findall(r'name="color-scheme" content="([^"]+)"', html),
        "colours": len(re.findall(r'name="theme-color"', html)),
        "pressed": re.findall(r'value="(\w+)" aria-pressed="true"', html),
    }


def choose(client, theme: str, back: str = "/rules/?q=dice"):
    return client.post("/theme/", {"theme": theme, "next": back})


def test_the_systems_theme_at_first(client):
    assert head(client) == {"sheets": [ASKED], "scheme": ["light dark"], "colours": 2, "pressed": ["system"]}


@pytest.mark.parametrize(("theme", "sheets"), [("dark", [PLAIN]), ("light", [])], ids=["dark", "light"])
def test_a_chosen_theme_is_kept(client, theme, sheets):
    answer = choose(client, theme)
    assert answer.headers["Location"] == "/rules/?q=dice"
    cookie = answer.cookies["theme"]
    assert (cookie.value, cookie["max-age"], cookie["httponly"], cookie["samesite"]) == (theme, 31_536_000, True, "Lax")
    assert head(client) == {"sheets": sheets, "scheme": [theme], "colours": 1, "pressed": [theme]}


@pytest.mark.parametrize("theme", ["system", "", "<b>"])
def test_anything_else_gives_it_back_to_the_system(client, theme):
    choose(client, "dark")
    assert choose(client, theme).cookies["theme"].value == ""
    assert head(client)["pressed"] == ["system"]


def test_a_cookie_that_nobody_set_says_nothing(client):
    client.cookies["theme"] = "sepia"
    assert head(client)["pressed"] == ["system"]


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "javascript:alert(1)", ""])
def test_it_leads_nowhere_else(client, back):
    assert choose(client, "dark", back).headers["Location"] == "/"


def test_over_https_the_cookie_stays_there(client, settings):
    settings.SESSION_COOKIE_SECURE = True
    assert choose(client, "dark").cookies["theme"]["secure"] is True

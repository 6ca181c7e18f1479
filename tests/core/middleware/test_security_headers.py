"""Every kind of answer carries every header, whole; what a public site adds; which cookies there are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate

from campaign.chronicle.services import stories
from campaign.chronicle.services.stories import set_campaign_photo
from ops.paths import BASE_DIR
from tests.accounts.conftest import PASSWORD, leia
from tests.campaign.conftest import book, table
from tests.core.middleware.headers import ALWAYS, POLICY, protection, sorted_
from tests.ops.environments import ENOUGH
from tests.uploads.photos import photo
from uploads.models import Picture

__all__ = ["book", "leia", "table"]

NEVER = "max-age=0, no-cache, no-store, must-revalidate, private"
ROBOTS = {"X-Robots-Tag": "noindex, nofollow, noarchive"}
ELSEWHERE = {"Cross-Origin-Resource-Policy": "cross-origin"}
TODAY = localdate().isoformat()
A_PICTURE = {"Content-Disposition": "inline", "Content-Security-Policy": "default-src 'none'; sandbox"}
#: What a public site has that another has not.
HTTPS = {
    "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
    "SECURE_SSL_REDIRECT": True,
    "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
    "SECURE_HSTS_SECONDS": 31_536_000,
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
    "SESSION_COOKIE_NAME": "__Host-sessionid",
    "CSRF_COOKIE_NAME": "__Host-csrftoken",
}


@pytest.fixture
def asked(table, monkeypatch, settings):
    """One answer of each kind, by what it is."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    monkeypatch.setattr("dashboard.views.sections", lambda: 1 / 0)
    monkeypatch.setattr("core.pdf.to_pdf", lambda *_, **__: b"%PDF-1.7")
    monkeypatch.setattr("campaign.chronicle.narrative.after_action.picture_png", lambda *_: b"\x89PNG")
    Path(settings.STATIC_ROOT, "a.css").write_text("a {}")
    link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo(), alt="A ridge")
    picture = {"picture": Picture.objects.get(campaign=table.campaign).pk, "size": "small"}
    browser = Client(raise_request_exception=False, enforce_csrf_checks=True)
    browser.force_login(table.cora)
    own = browser.get(reverse("chronicle:photo", kwargs={"pk": table.campaign.pk, **picture}))
    sheet = Client().get("/static/a.css")
    home = table.campaign.get_absolute_url()
    register = reverse("registers:detail", args=[table.alpha.pk])
    chronicle = {"token": link.token}
    found = {
        "a page": browser.get(home),
        "a page of nobody": Client().get(reverse("account_login")),
        "the first page": browser.get("/"),
        "a form refused": browser.get(f"{register}past/?at=never"),
        "nothing there": browser.get("/nowhere/"),
        "not for whoever has no token": browser.post(reverse("campaign:new"), {}),
        "no such method": browser.get(f"{home}people/add/"),
        "a bad request": browser.get("/join/%00/"),
        "too large": browser.post(
            "/accounts/login/", b"a=" + b"x" * 3_000_000, content_type="application/x-www-form-urlencoded"
        ),
        "broken": browser.get("/rules/"),
        "a way to the sign-in": Client().get(home),
        "a way to the slash": browser.get(home[:-1]),
        "nothing new": browser.get("/waiting/"),
        "a PDF": browser.get(f"{register}print/?as=pdf"),
        "a list": browser.get(f"{register}list/text/"),
        "a download": browser.get(reverse("accounts:download")),
        "the campaign's file": browser.get(reverse("archive:download", args=[table.campaign.pk])),
        "the admin": browser.get("/admin/"),
        "a style sheet": sheet,
        "the same style sheet": Client().get("/static/a.css", headers={"If-Modified-Since": sheet["Last-Modified"]}),
        "a picture": own,
        "the chronicle": Client().get(reverse("chronicle:public", kwargs=chronicle)),
        "its feed": Client().get(reverse("chronicle:public_feed", kwargs=chronicle)),
        "its picture": Client().get(reverse("chronicle:public_photo", kwargs=chronicle | picture)),
        "its card": Client().get(reverse("chronicle:public_card", kwargs=chronicle)),
        "whether it lives": Client().get("/healthz"),
        "whether it is ready": Client().get("/readyz"),
    }
    for answer in found.values():
        answer.close()
    return found


#: Where an answer says something otherwise than all of them do, or something more.
OTHERWISE = {
    "a page of nobody": {"Cache-Control": NEVER},
    "nothing new": {"Cache-Control": NEVER, "HX-Trigger": '{"waiting-changed": {}}'},
    "a PDF": {"Content-Disposition": 'inline; filename="ashen-patrol-a4.pdf"'},
    "a list": {"Content-Disposition": 'attachment; filename="ashen-patrol.txt"'},
    "a download": {"Content-Disposition": 'attachment; filename="musterbook-cora.json"', "Cache-Control": NEVER},
    "the campaign's file": {"Content-Disposition": f'attachment; filename="outer-rim-winter-{TODAY}.musterbook.zip"'},
    "the admin": {"Cache-Control": NEVER},
    "a picture": A_PICTURE | {"Cache-Control": "private, max-age=31536000, immutable"},
    "the chronicle": ROBOTS | {"Cache-Control": NEVER},
    "its feed": ROBOTS | {"Cache-Control": NEVER},
    "its picture": ROBOTS | ELSEWHERE | A_PICTURE | {"Cache-Control": "private, max-age=3600, immutable"},
    "its card": ROBOTS | ELSEWHERE | {"Cache-Control": "private, max-age=3600"},
    "whether it lives": {"Cache-Control": "no-store"},
    "whether it is ready": {"Cache-Control": "no-store"},
    "a style sheet": {"Cache-Control": "max-age=60, public"},
    "the same style sheet": {"Cache-Control": "max-age=60, public"},
}
NO_DOCUMENT = ("a style sheet", "the same style sheet")
STATUS = {
    "a form refused": 422,
    "nothing there": 404,
    "not for whoever has no token": 403,
    "no such method": 405,
    "a bad request": 400,
    "too large": 413,
    "broken": 500,
    "a way to the sign-in": 302,
    "a way to the slash": 301,
    "the admin": 302,
    "the same style sheet": 304,
}


def test_every_kind_of_answer_carries_every_header(asked):
    assert {name: answer.status_code for name, answer in asked.items()} == dict.fromkeys(asked, 200) | STATUS
    expected = {name: sorted_(ALWAYS | OTHERWISE.get(name, {})) for name in asked}
    for name in NO_DOCUMENT:
        del expected[name]["Permissions-Policy"]
    assert {name: protection(answer.headers) for name, answer in asked.items()} == expected


# --- What a public site adds ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def https() -> dict[str, object]:
    """The settings of a public site, and what it answers to a monitor and to a browser."""
    program = """
import json, django, sys
django.setup()
from django.conf import settings
from django.test import Client
asked = {
    "secure": Client().get("/healthz", secure=True),
    "monitor": Client().get("/healthz", headers={"host": "10.0.0.7"}),
    "browser": Client().get("/rules/", headers={"host": "musterbook.example.org"}),
}
print(json.dumps({
    "settings": {name: getattr(settings, name) for name in json.loads(sys.argv[1])},
    "answers": {name: [answer.status_code, dict(answer.headers)] for name, answer in asked.items()},
}))
"""
    environment = os.environ | ENOUGH | {"DATABASE_URL": "postgresql://127.0.0.1:1/nowhere"}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    command = [sys.executable, "-c", program, json.dumps(list(HTTPS))]
    done = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_public_site_speaks_tls_alone(https):
    assert https["settings"] == HTTPS
    answers = https["answers"]
    assert {name: answers[name][0] for name in answers} == {"secure": 200, "monitor": 200, "browser": 301}
    assert answers["browser"][1]["Location"] == "https://musterbook.example.org/rules/"
    public = ALWAYS | {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Content-Security-Policy": f"{POLICY}; upgrade-insecure-requests",
    }
    values = {name: protection(headers) for name, (_, headers) in answers.items()}
    assert values == {
        "secure": sorted_(public | {"Cache-Control": "no-store", "Strict-Transport-Security": "max-age=31536000"}),
        "monitor": sorted_(public | {"Cache-Control": "no-store"}),
        "browser": sorted_(public),
    }


def test_cookies_are_kept_from_scripts_other_sites_and_wires(db, settings, leia):
    for name, value in HTTPS.items():
        setattr(settings, name, value)
    browser, secure = Client(), {"secure": True}
    browser.get(reverse("account_login"), **secure)
    browser.post(reverse("account_login"), {"login": "leia", "password": PASSWORD}, **secure)
    browser.post(reverse("ui:theme"), {"theme": "dark"}, **secure)
    cookies = {
        name: {key: value for key, value in cookie.items() if value and key != "expires"}
        for name, cookie in browser.cookies.items()
        if cookie.value
    }
    shared = {"path": "/", "samesite": "Lax", "secure": True, "httponly": True}
    assert cookies == {
        "__Host-sessionid": shared | {"max-age": 14 * 24 * 3600},
        "__Host-csrftoken": shared | {"max-age": 364 * 24 * 3600},
        "messages": shared,
        "theme": shared | {"max-age": 365 * 24 * 3600},
    }


def test_who_signs_in_gets_another_session(db, client, leia):
    client.get(reverse("campaign:join", args=["a-guess"]))
    before = client.session
    before["kept"] = "before"
    before.save()
    client.cookies["sessionid"] = before.session_key
    client.post(reverse("account_login"), {"login": "leia", "password": PASSWORD})
    assert client.session.session_key != before.session_key
    assert not before.exists(before.session_key)

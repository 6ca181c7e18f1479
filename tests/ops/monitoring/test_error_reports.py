"""What Sentry is sent of an error: never a person, what was typed, or the key of a link."""

import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import sentry_sdk
import structlog
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from core.middleware import database_down
from ops.monitoring import error_reports
from ops.paths import BASE_DIR, VERSION
from tests.campaign.conftest import book, fought
from tests.core.middleware.database_errors import caused

__all__ = ["book", "fought"]

KEPT: list[Envelope] = []
TYPED = "Zymurgy"
FROM = {"HTTP_USER_AGENT": "Pigeon/7", "REMOTE_ADDR": "203.0.113.9"}


class Kept(Transport):
    """Sends nothing."""

    def capture_envelope(self, envelope: Envelope) -> None:
        KEPT.append(envelope)


@pytest.fixture(autouse=True)
def reporting() -> Iterator[None]:
    KEPT.clear()
    error_reports.begin(dsn="https://key@sentry.example/1", environment="rehearsal", transport=Kept)
    yield
    sentry_sdk.get_client().close()
    sentry_sdk.get_global_scope().set_client(None)


def sent() -> list[dict[str, Any]]:
    """The events, as they would have gone over the wire."""
    return [json.loads(item.get_bytes()) for envelope in KEPT for item in envelope.items]


def test_an_error_of_a_page(fought, monkeypatch):
    def broken(*_given: object) -> HttpResponse:
        hidden = TYPED * 2
        raise ValueError(f"no number: {hidden}")

    monkeypatch.setattr("campaign.battles.views.battles.show", broken)
    client = Client(raise_request_exception=False, **FROM)
    client.force_login(fought.ada)
    answer = client.get(fought.battle.get_absolute_url(), {"q": TYPED})

    [event] = sent()
    wire = json.dumps(event)
    [error] = event.pop("exception")["values"]
    frames = error.pop("stacktrace")["frames"]
    assert error == {"type": "ValueError", "module": None}
    assert {key for frame in frames for key in frame} <= set(error_reports.OF_FRAMES)
    assert (frames[-1]["function"], frames[-1]["context_line"].strip()) == (
        "broken",
        'raise ValueError(f"no number: {hidden}")',
    )
    assert re.fullmatch(r"[0-9a-f]{32}", event.pop("event_id"))
    assert event.pop("timestamp").endswith("Z")
    assert event.pop("sdk")["name"].startswith("sentry.python")
    assert event == {
        "level": "error",
        "platform": "python",
        "environment": "rehearsal",
        "release": f"musterbook@{VERSION}",
        "tags": {
            "request_id": answer["X-Request-ID"],
            "view": "battles:detail",
            "battle_id": str(fought.battle.pk),
            "campaign_id": str(fought.battle.campaign_id),
            "logger": "musterbook",
            "method": "GET",
            "status": 500,
        },
    }
    for secret in (TYPED, *FROM.values(), client.cookies["sessionid"].value, f'"{fought.ada.username}"'):
        assert secret not in wire


def test_what_is_no_error_is_not_reported(client, db):
    client.get("/nowhere/")
    logging.getLogger("campaign").error("without an exception")
    try:
        raise ValueError
    except ValueError:
        logging.getLogger("campaign").warning("only a warning", exc_info=True)
    assert sent() == []


@pytest.mark.parametrize("log", [logging.getLogger("campaign"), structlog.get_logger("campaign")])
def test_what_else_the_log_says_of_an_exception_is_reported_once(log):
    try:
        raise KeyError("leia")
    except KeyError:
        log.exception("the file was not written")
    assert [(event["exception"]["values"][0]["type"], event["tags"]) for event in sent()] == [
        ("KeyError", {"logger": "campaign"})
    ]


def test_a_database_that_is_away_is_not_reported():
    try:
        raise caused(OperationalError("lost"), psycopg.OperationalError())
    except OperationalError:
        structlog.get_logger("campaign").exception("mail could not be sent")
    assert (database_down.ONCE_IN, sent()) == (60, [])


def test_what_has_no_exception_is_not_sent():
    assert error_reports.scrubbed({"message": "leia"}, {}) is None


# --- Settings ----------------------------------------------------------------------------------------------------

ASKED = """
import config.settings, sentry_sdk
client = sentry_sdk.get_client()
named = ("environment", "release", "include_local_variables", "max_request_body_size")
collected = client.options.get("data_collection") or {}
print(client.is_active(), *(client.options.get(name) for name in named), sorted(client.integrations or {}))
print(*(collected.get(name) for name in ("user_info", "http_bodies", "stack_frame_variables")))
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "False None None True medium []\nNone None None"),
        (
            {"SENTRY_DSN": "https://key@sentry.example/1"},
            f"True production musterbook@{VERSION} False never ['atexit']\nFalse [] False",
        ),
        (
            {"SENTRY_DSN": "https://key@sentry.example/1", "SENTRY_ENVIRONMENT": "trial", "SENTRY_RELEASE": "7"},
            "True trial 7 False never ['atexit']\nFalse [] False",
        ),
    ],
)
def test_without_a_key_nothing_is_reported(given, expected):
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "none", **given}
    command = [sys.executable, "-c", ASKED]
    assert subprocess.check_output(command, cwd=BASE_DIR, env=environment, text=True).strip() == expected

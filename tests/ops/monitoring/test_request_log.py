"""The line of a request, its number, and what it is about."""

import re
from uuid import UUID, uuid4

import pytest
import structlog
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import resolve, reverse

from ops.monitoring.request_log import about, bind_log_context, page_name
from tests.campaign.conftest import book, fought

__all__ = ["book", "fought"]

LINE = {"event": "request", "level": "info", "logger": "musterbook"}


def test_a_page_of_a_battle(client, fought, log):
    client.force_login(fought.ada)
    response = client.get(fought.battle.get_absolute_url())

    [line] = log.whole
    assert line.pop("ms") >= 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", line.pop("timestamp"))
    assert UUID(response["X-Request-ID"]).version == 4
    assert line == LINE | {
        "request_id": response["X-Request-ID"],
        "view": "battles:detail",
        "battle_id": str(fought.battle.pk),
        "campaign_id": str(fought.battle.campaign_id),
        "method": "GET",
        "status": 200,
        "queries": line["queries"],
        "user_id": fought.ada.pk,
    }
    assert line["queries"] > 0


def test_who_is_not_asked_for_is_not_looked_up(client, db, log):
    client.get("/accounts/login/")
    client.get(reverse("chronicle:public", args=["hush-hush"]))
    client.get("/nowhere/to/be/found/")
    known = LINE | {"method": "GET", "user_id": None}
    assert [{key: value for key, value in line.items() if key != "queries"} for line in log.lines] == [
        known | {"view": "account_login", "status": 200},
        known | {"view": "chronicle:public", "status": 404},
        known | {"view": "none", "status": 404},
    ]


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/battles/{0}/sequence/blue/", {"view": "battles:sequence_side", "battle_id": "{0}"}),
        ("/campaigns/{0}/", {"view": "campaign:detail", "campaign_id": "{0}"}),
        (
            "/campaigns/{0}/registers/{1}/give/",
            {"view": "campaign:transfer_register", "campaign_id": "{0}", "register_id": "{1}"},
        ),
        ("/registers/{0}/ledger/", {"view": "registers:ledger", "register_id": "{0}"}),
        ("/sides/7/army/", {"view": "battles:army", "side_id": "7"}),
        ("/amendments/{0}/", {"view": "battles:amendment", "amendment_id": "{0}"}),
        ("/stories/{0}/", {"view": "chronicle:edit", "story_id": "{0}"}),
        ("/campaigns/{0}/people/3/", {"view": "campaign:person", "campaign_id": "{0}"}),
        ("/join/secret/", {"view": "campaign:join"}),
        ("/arcs/secret/", {"view": "story_arcs:shared"}),
        ("/chronicle/secret/{0}/", {"view": "chronicle:public_entry"}),
        ("/accounts/password/reset/key/1-secret/", {"view": "account_reset_password_from_key"}),
        ("/admin/campaign/battle/{0}/change/", {"view": "admin"}),
        ("/admin/no/such/thing/", {"view": "admin"}),
    ],
)
def test_what_an_address_is_about(address, sentence):
    keys = "6f1ed002-ab5f-4bd6-9b4b-3f4f5d2a3c11", "0b6e3c6a-9f4e-4b0a-8f0e-2f6c1d4a5b22"
    expected = {name: value.format(*keys) for name, value in sentence.items()}
    assert about(resolve(address.format(*keys))) == expected


def test_an_address_that_leads_nowhere():
    assert page_name(None) == "none"


def test_an_address_that_names_no_battle_but_is_of_one(client, fought, log):
    side = fought.battle.sides.get(colour="blue")
    client.force_login(fought.ada)
    client.get(reverse("battles:list_export", args=[side.pk]))
    [line] = log.lines
    assert {name: line[name] for name in line if name.endswith("_id")} == {
        "side_id": str(side.pk),
        "battle_id": str(fought.battle.pk),
        "campaign_id": str(fought.battle.campaign_id),
        "user_id": fought.ada.pk,
    }


def test_outside_of_a_request_nothing_is_kept():
    bind_log_context(battle_id=1)
    assert structlog.contextvars.get_contextvars() == {}


# --- Its number --------------------------------------------------------------------------------------------------


def number(client, given: str) -> str:
    return client.get("/accounts/login/", headers={"X-Request-ID": given})["X-Request-ID"]


NUMBER = "6f1d4dd0-3b0c-4f0a-9d53-0d2a6d9d9a51"


@pytest.mark.parametrize("given", [NUMBER, NUMBER.replace("-", "")])
def test_the_number_that_a_proxy_gave_is_kept(client, db, given, log):
    with override_settings(REQUEST_ID_FROM_PROXY=True):
        assert number(client, given) == given
    assert log.whole[0]["request_id"] == given


@pytest.mark.parametrize("given", ["", "leia", "leia@example.org", f"{NUMBER}\n", f"{NUMBER}0", "g" * 32])
def test_a_number_that_is_none_is_not(client, db, given):
    with override_settings(REQUEST_ID_FROM_PROXY=True):
        assert UUID(number(client, given)).version == 4


def test_without_a_proxy_nobody_else_gives_numbers(client, db):
    given = str(uuid4())
    assert number(client, given) != given


# --- What goes wrong ---------------------------------------------------------------------------------------------


@pytest.fixture
def stubborn():
    """A browser that goes on where the test client would raise an error."""
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


def test_an_error_is_told_by_its_lines_of_code_and_not_by_what_it_quotes(stubborn, fought, log, monkeypatch):
    typed = "leia"

    def broken(*_given: object, **_named: object) -> HttpResponse:
        structlog.get_logger("anywhere").warning("on the way")
        raise ValueError(f"no number: {typed}")

    monkeypatch.setattr("campaign.battles.views.battles.show", broken)
    stubborn.force_login(fought.ada)
    assert stubborn.get(fought.battle.get_absolute_url()).status_code == 500

    known = {
        "view": "battles:detail",
        "battle_id": str(fought.battle.pk),
        "campaign_id": str(fought.battle.campaign_id),
    }
    on_the_way, failed = log.lines
    trace = failed.pop("exception")
    assert on_the_way == known | {"event": "on the way", "level": "warning", "logger": "anywhere"}
    assert failed == known | {
        "event": "request failed",
        "level": "error",
        "logger": "musterbook",
        "method": "GET",
        "status": 500,
        "queries": failed["queries"],
        "user_id": fought.ada.pk,
    }
    assert (trace.splitlines()[-1], 'raise ValueError(f"no number: {typed}")' in trace, "leia" in trace) == (
        "ValueError",
        True,
        False,
    )
    assert len({line["request_id"] for line in log.whole}) == 1


def test_the_next_request_knows_nothing_of_it(client, fought, log):
    client.force_login(fought.ada)
    client.get(fought.battle.get_absolute_url())
    client.get("/rules/")
    first, second = log.whole
    assert "battle_id" not in second
    assert first["request_id"] != second["request_id"]


def test_a_form_that_is_refused_for_where_it_came_from(stubborn, db, log):
    refused = stubborn.post("/join/hush-hush/", {"name": "leia"}, headers={"origin": "https://elsewhere.example/hush"})
    assert refused.status_code == 403
    assert log.lines == [
        {
            "event": "Forbidden (Origin checking failed): …",
            "level": "warning",
            "logger": "django.security.csrf",
            "view": "campaign:join",
        },
        LINE | {"view": "campaign:join", "method": "POST", "status": 403, "queries": 0, "user_id": None},
    ]


def test_what_django_finds_suspicious_is_told_by_its_name(stubborn, db, log, monkeypatch):
    from django.core.exceptions import SuspiciousFileOperation

    def suspicious(*_given: object) -> HttpResponse:
        raise SuspiciousFileOperation("../../etc/leia")

    monkeypatch.setattr("allauth.account.views.LoginView.get", suspicious)
    assert stubborn.get("/accounts/login/").status_code == 400
    assert log.lines[0] == {
        "event": "Refused: django.core.exceptions.SuspiciousFileOperation",
        "level": "error",
        "logger": "django.security.SuspiciousFileOperation",
        "view": "account_login",
    }


def test_a_database_that_is_away_is_no_failure_of_the_request(stubborn, db, log, monkeypatch):
    import psycopg
    from django.db import OperationalError

    from core.middleware.database_down import once_per_minute
    from tests.core.middleware.database_errors import caused

    def away(*_given: object) -> HttpResponse:
        raise caused(OperationalError("the connection is lost"), psycopg.OperationalError())

    monkeypatch.setattr(once_per_minute, "logged_at", float("-inf"))
    monkeypatch.setattr("allauth.account.views.LoginView.get", away)
    assert stubborn.get("/accounts/login/").status_code == 503
    assert [(line["event"], line["level"]) for line in log.lines] == [
        ("The database does not answer: the connection is lost", "error"),
        ("request", "info"),
    ]


# --- Slow pages --------------------------------------------------------------------------------------------------


def test_a_slow_page_names_its_queries(client, fought, log):
    client.force_login(fought.ada)
    with override_settings(SLOW_REQUEST_MS=0):
        client.get(fought.battle.get_absolute_url())
    [line] = log.whole
    named = line.pop("slowest")
    assert (line["event"], line["level"], line["view"]) == ("slow request", "warning", "battles:detail")
    assert 0 < line["database_ms"] <= line["ms"] + 1
    assert 3 <= len(named) <= 4
    assert all(set(each) == {"sql", "times", "ms"} for each in named)
    assert str(fought.battle.pk) not in str(named)
    assert max(each["ms"] for each in named) == named[0]["ms"]

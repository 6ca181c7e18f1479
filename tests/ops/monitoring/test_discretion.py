"""What an error says of itself in the log."""

import logging

import pytest
from django.db import IntegrityError, transaction
from django.test import RequestFactory

from accounts.models import User
from ops.monitoring.error_reports import Discreet, name_of, traceback_of, without_messages


def caught(act) -> BaseException:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        act()
    return raised.value


def test_a_row_that_is_there_already_is_told_by_its_constraint(db):
    User.objects.create_user("leia")

    def again() -> None:
        with transaction.atomic():
            User.objects.create_user("leia")

    error = caught(again)
    assert isinstance(error, IntegrityError)
    assert name_of(error.__cause__) == ("psycopg.errors.UniqueViolation 23505 accounts_user accounts_user_username_key")
    traceback_text = traceback_of(error)
    assert "leia" not in traceback_text.replace('create_user("leia")', "")
    assert traceback_text.endswith("\ndjango.db.utils.IntegrityError")


def test_what_led_to_an_error_comes_first_and_each_once():
    def first() -> None:
        raise KeyError("leia")

    def second() -> None:
        try:
            first()
        except KeyError as error:
            raise ValueError("han") from error

    def third() -> None:
        try:
            second()
        except ValueError as error:
            error.__cause__.__cause__ = error  # a circle, which Python allows
            raise

    traceback_text = traceback_of(caught(third)).split("\nwhich led to:\n")
    assert [each.splitlines()[-1] for each in traceback_text] == ["KeyError", "ValueError"]


def test_what_was_suppressed_is_not_told():
    def act() -> None:
        try:
            raise KeyError("leia")
        except KeyError:
            raise ValueError("han") from None

    error = caught(act)
    traceback_text = without_messages((type(error), error, error.__traceback__))
    assert traceback_text.startswith('  File "')
    assert traceback_text.splitlines()[-1] == "ValueError"
    assert "which led to" not in traceback_text


# --- Lines of Django ---------------------------------------------------------------------------------------------


def line(name: str, text: str, *args: object, **more: object) -> logging.LogRecord:
    record = logging.LogRecord(name, logging.ERROR, "", 0, text, args, more.pop("exc_info", None))
    record.__dict__ |= more
    return record


def test_an_address_is_left_out():
    request = RequestFactory().get("/chronicle/hush/")
    record = line("django.request", "%s: %s", "Internal Server Error", "/chronicle/hush/", request=request)
    assert Discreet().filter(record)
    assert record.getMessage() == "Internal Server Error: …"


def test_a_request_that_has_a_line_of_its_own_gets_no_other():
    request = RequestFactory().get("/")
    request.number = "1"
    assert not Discreet().filter(line("django.request", "%s: %s", "Not Found", "/", request=request))


def test_other_lines_pass_as_they_are():
    record = line("campaign", "the file of campaign %s - was not written", 3)
    assert Discreet().filter(record)
    assert record.getMessage() == "the file of campaign 3 - was not written"


def test_a_session_that_was_tampered_with():
    record = line("django.security.SuspiciousSession", "Session data corrupted")
    assert Discreet().filter(record)
    assert record.getMessage() == "Session data corrupted"

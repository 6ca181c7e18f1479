"""Staying signed in from one game night to the next."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import sessions
from bench.speed import counted
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(monkeypatch):
    """Return a function that lets so many days pass."""

    def _at(days: int) -> None:
        monkeypatch.setattr(sessions, "_today", lambda: timezone.now().toordinal() + days)

    return _at


def ends() -> list[timedelta]:
    return [each.expire_date for each in Session.objects.all()]


def test_a_session_begins_anew_once_a_day(at):
    client = Client()
    client.force_login(make_player("leia"))
    Session.objects.update(expire_date=timezone.now() + timedelta(days=3))
    before = ends()
    client.get("/")
    assert ends() == before
    at(days=11)
    with counted() as first:
        client.get("/")
    with counted() as second:
        client.get("/")
    [after] = ends()
    assert after - timezone.now() > timedelta(days=13)
    assert client.cookies["sessionid"]["max-age"] == 14 * 24 * 3600
    written = [[each for each in some if "UPDATE" in each.split()] for some in (first, second)]
    assert [bool(some) for some in written] == [True, False]


def test_nobody_gets_a_session_for_looking(at):
    at(days=1)
    Client().get("/accounts/login/")
    assert ends() == []

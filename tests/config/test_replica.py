"""When a replica is read, and by whom."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from django.db import DatabaseError, connections
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from accounts.models import User
from config import replica
from config.paths import BASE_DIR

STRANGER = RequestFactory().get("/")


@dataclass
class Pair:
    """A primary and a replica: how much each has written, and what they were asked, at a time of our own."""

    written: int = 5
    replayed: int = 5
    now: float = 1000.0
    away: str = ""
    asked: list[str] = field(default_factory=list)

    def answers(self, alias: str, _question: str, *said: str) -> tuple[object, ...]:
        self.asked.append(alias)
        if alias == self.away:
            raise DatabaseError
        if alias == "default":
            return (f"0/{self.written}",)
        return tuple(self.replayed >= int(each.removeprefix("0/")) for each in said)


@pytest.fixture
def pair(monkeypatch) -> Pair:
    """A pair that stands in the place of the two databases."""
    pair = Pair()
    monkeypatch.setitem(connections.settings, "replica", connections.settings["default"])
    monkeypatch.setattr(replica, "follower", replica.Follower())
    monkeypatch.setattr(replica, "_asked", pair.answers)
    monkeypatch.setattr(replica, "monotonic", lambda: pair.now)
    return pair


def test_without_one_nobody_is_asked(monkeypatch):
    monkeypatch.setattr(replica, "_asked", None)
    assert not replica.Follower().follows()


def test_one_that_has_everything_follows_and_both_are_asked_once_a_second(pair):
    assert [replica.follower.follows() for _ in range(3)] == [True] * 3
    pair.now += 0.9
    assert replica.follower.follows()
    assert pair.asked == ["default", "replica"]
    pair.now += 0.1
    assert replica.follower.follows()
    assert pair.asked == ["default", "replica"] * 2


def test_while_nothing_is_written_it_follows_however_long(pair):
    followed = []
    for _ in range(3):
        pair.now += 3600
        followed.append(replica.follower.follows())
    assert followed == [True] * 3


def test_one_that_is_a_little_behind_all_the_time_follows(pair):
    followed = []
    for _ in range(6):
        pair.written, pair.replayed, pair.now = pair.written + 1, pair.written, pair.now + 1
        followed.append(replica.follower.follows())
    assert followed == [False, True, True, True, True, True]


def test_one_that_stands_still_is_left_when_it_is_too_far_behind_and_read_when_it_has_caught_up(pair):
    followed = []
    for second in range(8):
        followed.append(replica.follower.follows())
        pair.written, pair.now = 6 + second, pair.now + 1
    assert followed == [True] * 6 + [False] * 2
    pair.replayed = pair.written
    assert replica.follower.follows()


@pytest.mark.parametrize("away", ["default", "replica"])
def test_one_that_is_away_is_not_asked_again_at_once(pair, away):
    pair.away = away
    assert [replica.follower.follows(), replica.follower.follows()] == [False, False]
    assert pair.asked.count(away) == 1
    pair.now, pair.away = pair.now + 1, ""
    assert replica.follower.follows()


# --- Whose page it is ----------------------------------------------------------------------------------------------


def database(request=STRANGER) -> str:
    """The database that is read while a page is made."""
    return replica.for_strangers(lambda request: HttpResponse(led_to()))(request).text


def led_to() -> str:
    return replica.Router().db_for_read(User) or "default"


def test_a_stranger_is_led_to_it_and_whoever_has_a_session_is_not(pair):
    signed_in = RequestFactory().get("/")
    signed_in.COOKIES["sessionid"] = "whatever"
    assert [database(), database(request=signed_in)] == ["replica", "default"]
    assert led_to() == "default"


def test_while_it_does_not_follow_the_primary_answers_strangers(pair):
    pair.replayed = 0
    assert database() == "default"


@pytest.mark.parametrize("trouble", [Http404, DatabaseError])
def test_what_it_does_not_know_the_primary_is_asked(pair, trouble):
    seen = []

    @replica.for_strangers
    def view(request):
        seen.append(led_to())
        if seen[-1] == "replica":
            raise trouble
        return HttpResponse("found")

    assert (view(STRANGER).text, seen) == ("found", ["replica", "default"])
    view(STRANGER)
    after = {Http404: ["replica", "default"], DatabaseError: ["default"]}[trouble]
    assert seen[2:] == after


def test_what_the_primary_does_not_know_either_is_not_there(pair):
    @replica.for_strangers
    def view(request):
        raise Http404

    with pytest.raises(Http404):
        view(STRANGER)


def test_tables_that_it_is_never_asked_for(pair):
    from django.core.cache import caches

    from accounts.models import Session
    from catalogue.models import CatalogueState

    router = replica.Router()
    models = (User, Session, CatalogueState, caches["default"].cache_model_class)

    def view(request):
        return HttpResponse(" ".join(router.db_for_read(model) or "default" for model in models))

    assert replica.for_strangers(view)(STRANGER).text == "replica default default default"


def test_nothing_is_written_there():
    router = replica.Router()
    assert [
        router.db_for_write(User),
        router.allow_migrate("replica", "x"),
        router.allow_migrate("default", "x"),
    ] == [
        "default",
        False,
        None,
    ]


def test_the_address_of_one_is_all_it_takes():
    """A process with DATABASE_REPLICA_URL has it beside the primary, to be read only."""
    asked = (
        "from django.conf import settings; import django; django.setup(); replica = settings.DATABASES['replica'];"
        "print(replica['HOST'], replica['OPTIONS']['options'], replica['OPTIONS']['pool']['timeout'],"
        " replica['CONN_HEALTH_CHECKS'], settings.DATABASE_ROUTERS)"
    )
    environment = os.environ | {
        "DATABASE_REPLICA_URL": "postgresql://replica.example.org/musterbook",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    ran = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == (
        "replica.example.org -c default_transaction_read_only=on 1 True ['config.replica.Router']\n"
    )

"""Worlds that are built once and put down again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import connection, transaction

from accounts.models import User
from tests import once as worlds
from tests.once import once

pytestmark = pytest.mark.django_db


@dataclass
class Pair:
    first: User
    second: User


@pytest.fixture
def calls(tmp_path) -> Iterator[list[str]]:
    """Which worlds are built by the test, which has a folder of its own for them."""
    folder, made = worlds._folder, dict(worlds._GROUND.made)
    worlds.share(tmp_path)
    yield []
    worlds.share(folder)
    worlds._GROUND.made = made


@pytest.fixture
def pair(calls):
    @once
    def pair(name: str = "ada") -> Pair:
        calls.append(name)
        return Pair(User.objects.create_user(name), User.objects.create_user(f"{name}-2"))

    return pair


@pytest.fixture
def renamed(calls):
    @once
    def renamed(pair: Pair, name: str) -> None:
        calls.append(name)
        User.objects.filter(pk=pair.first.pk).update(known_as=name)

    return renamed


def undone(work) -> None:
    with transaction.atomic():
        work()
        transaction.set_rollback(True)


def names() -> list[tuple[str, str]]:
    return list(User.objects.order_by("pk").values_list("username", "known_as"))


def test_the_same_stands_again_without_being_built(pair, renamed, calls):
    found = []

    def play():
        both = pair()
        renamed(both, "Ada")
        found.append((names(), both.first.known_as))

    undone(play)
    undone(play)
    assert found == [([("ada", "Ada"), ("ada-2", "")], "Ada")] * 2
    assert calls == ["ada", "Ada"]
    assert names() == []


def test_another_process_puts_it_down_and_counts_on(pair, renamed, calls):
    def play():
        both = pair()
        renamed(both, "Ada")
        assert User.objects.create_user("mia").pk > both.second.pk
        assert names() == [("ada", "Ada"), ("ada-2", ""), ("mia", "")]

    undone(play)
    worlds._GROUND.made.clear()
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval('accounts_user_id_seq', 1)")
    worlds.begin()
    undone(play)
    assert calls == ["ada", "Ada"]


def test_other_words_build_another_one(pair, renamed, calls):
    undone(lambda: renamed(pair(), "Ada"))
    undone(lambda: renamed(pair(), "Eve"))
    undone(lambda: pair(name="ben"))
    assert calls == ["ada", "Ada", "Eve", "ben"]


def test_what_a_test_wrote_stays(pair, renamed, calls):
    def play():
        both = pair()
        User.objects.filter(pk=both.second.pk).update(known_as="Zoe")
        renamed(both, "Ada")
        assert names() == [("ada", "Ada"), ("ada-2", "Zoe")]

    undone(lambda: renamed(pair(), "Ada"))
    undone(play)
    assert calls == ["ada", "Ada", "Ada"]


def test_nothing_is_put_down_upon_what_was_there_before(pair, calls):
    undone(pair)
    User.objects.create_user("mia")
    pair()
    assert [name for name, _ in names()] == ["mia", "ada", "ada-2"]
    worlds.begin()  # as if somebody had stood there before the test began
    pair("ben")
    assert calls == ["ada", "ada", "ben"]
    assert len(names()) == 5


def test_whoever_signed_in_has_changed_nothing(pair, renamed, calls, client):
    def play():
        both = pair()
        client.force_login(both.second)
        renamed(both, "Ada")
        assert client.get("/").context["user"] == both.second

    undone(play)
    undone(play)
    assert calls == ["ada", "Ada"]


def test_a_row_that_was_changed_in_memory_is_another_word(pair, renamed, calls):
    def play(version: str):
        both = pair()
        both.first.known_as = version
        renamed(both, "Ada")
        assert both.first.known_as == "Ada"

    for version in ("a", "b", "b"):
        undone(partial(play, version))
    assert calls == ["ada", "Ada", "Ada"]


@pytest.mark.parametrize(
    ("what", "value"), [("django.utils.timezone.now", partial(datetime, 2026, 4, 1, tzinfo=UTC)), ("json.dumps", str)]
)
def test_a_test_that_has_patched_something_builds_its_own(pair, calls, monkeypatch, what, value):
    undone(pair)
    undone(pair)
    monkeypatch.setattr(what, value)
    undone(pair)
    undone(pair)
    assert calls == ["ada"] * 3


def test_a_test_whose_pictures_lie_elsewhere_builds_its_own(pair, calls, settings):
    undone(pair)
    undone(pair)
    settings.STORAGES = {**settings.STORAGES}
    undone(pair)
    assert calls == ["ada"] * 2

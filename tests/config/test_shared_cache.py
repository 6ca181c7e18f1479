"""The cache in which limits are counted, for all processes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from accounts.tasks import forget_expired
from bench.speed import counted
from tests.at_once import at_once


def rows() -> dict[str, bool]:
    """The keys that are kept, and whether each still holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key, expires > now() FROM cache")
        return dict(cursor.fetchall())


def let_expire(*keys: str) -> None:
    with connection.cursor() as cursor:
        past = timezone.now() - timedelta(seconds=2)
        cursor.execute(
            "UPDATE cache SET expires = %s WHERE cache_key = ANY(%s)",
            [past, [cache.make_key(key) for key in keys]],
        )


@pytest.mark.django_db
class TestWriting:
    def test_what_is_set_is_there_and_may_be_set_again(self):
        cache.set("tries", [1.5])
        cache.set("tries", [2.5, 1.5])
        assert (cache.get("tries"), cache.get("others"), len(rows())) == ([2.5, 1.5], None, 1)

    def test_what_is_there_is_not_added(self):
        assert (cache.add("lock", 1), cache.add("lock", 2), cache.get("lock")) == (True, False, 1)

    def test_what_has_expired_is_added_again(self):
        cache.add("lock", 1)
        let_expire("lock")
        assert (cache.add("lock", 2), cache.get("lock")) == (True, 2)

    def test_what_has_expired_is_not_there(self):
        cache.set("tries", 1)
        let_expire("tries")
        assert (cache.get("tries"), rows()) == (None, {})

    def test_only_what_is_there_is_touched(self):
        cache.set("tries", 1)
        let_expire("tries")
        assert (cache.touch("tries", 60), cache.touch("others", 60), cache.get("tries")) == (True, False, 1)

    def test_what_never_expires(self):
        cache.set("tries", 1, timeout=None)
        assert (cache.get("tries"), list(rows().values())) == (1, [True])

    @pytest.mark.parametrize("write", [cache.set, cache.add])
    def test_one_statement(self, write):
        with counted() as statements:
            write("tries", 1)
        assert len(statements) == 1


@pytest.mark.django_db
def test_what_is_past_its_time_is_forgotten_at_night():
    cache.set("old", 1)
    cache.set("new", 1)
    let_expire("old")
    now = timezone.now()
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=1))
    Session.objects.create(session_key="new", session_data="", expire_date=now + timedelta(days=1))

    forget_expired(timestamp=0)

    kept = list(Session.objects.values_list("session_key", flat=True))
    assert (rows(), kept) == ({cache.make_key("new"): True}, ["new"])


@pytest.mark.django_db(transaction=True)
def test_of_several_who_add_at_once_one_has_it():
    assert sorted(at_once(*[lambda: cache.add("lock", 1)] * 4)) == [False, False, False, True]

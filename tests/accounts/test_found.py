"""The session and the user of a request: what Django itself would find, asked for with less."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import login
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError
from django.test import Client
from django.utils import timezone

from accounts.backends import ByAddress, ByName
from accounts.models import Session, User
from accounts.sessions import SessionStore
from bench.speed import counted
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return make_player("ada")


@pytest.fixture
def key(ada) -> str:
    client = Client()
    client.force_login(ada)
    return client.session.session_key


def test_a_session_is_what_django_finds(key, ada):
    found = SessionStore(key).load()
    assert found == db.SessionStore(key).load()
    assert found["_auth_user_id"] == str(ada.pk)


@pytest.mark.parametrize("way", ["over", "unknown"])
def test_one_that_is_not_there_any_more_is_empty_and_gets_another_key(key, way):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    store = SessionStore(key if way == "over" else "nobodys" * 4)
    assert (store.load(), store.session_key) == ({}, None)


@pytest.mark.parametrize("backend", [ByName, ByAddress])
def test_a_user_is_what_django_finds(ada, backend):
    found, known = backend().get_user(ada.pk), ModelBackend().get_user(ada.pk)
    assert {field.name: getattr(found, field.attname) for field in User._meta.concrete_fields} == {
        field.name: getattr(known, field.attname) for field in User._meta.concrete_fields
    }
    assert found.get_session_auth_hash() == known.get_session_auth_hash()


@pytest.mark.parametrize("backend", [ByName, ByAddress])
def test_nobody_for_a_key_of_nobody_and_for_who_may_not_sign_in(ada, backend):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert [backend().get_user(pk) for pk in (ada.pk, ada.pk + 1)] == [None, None]


def test_both_are_one_statement(key, ada, django_assert_num_queries):
    for _ in range(2):  # the second time nothing is put into SQL
        with django_assert_num_queries(1):
            SessionStore(key).load()
            assert ByName().get_user(ada.pk) == ada


def test_who_was_read_along_is_told_once_to_whoever_asks_for_them(key, ada, django_assert_num_queries):
    SessionStore(key).load()
    with django_assert_num_queries(2):
        assert [ByName().get_user(pk) for pk in (ada.pk + 1, ada.pk)] == [None, ada]


def test_nobody_is_told_from_a_request_that_is_over(client, key, ada, django_assert_num_queries):
    SessionStore(key).load()
    client.get("/theme/")  # asks for nobody
    with django_assert_num_queries(1):
        ByName().get_user(ada.pk)


def test_a_session_that_does_not_say_whose_it_is_is_as_good(key, ada, django_assert_num_queries):
    """Nodes of before wrote it."""
    Session.objects.update(user=None)
    with django_assert_num_queries(2):
        assert (SessionStore(key).load()["_auth_user_id"], ByName().get_user(ada.pk)) == (str(ada.pk), ada)


def test_to_sign_in_is_one_statement(key, ada):
    """It makes a session, removes the one before, and says when that was."""
    store, now = SessionStore(key), timezone.now()
    store["seen"] = "a hint"
    with counted() as signed_in:
        store.cycle_key()
        store.signed_in = now
        store.save()
    store["seen"] = "another"
    with counted() as later:
        store.save()
    assert [statement.split()[0] for statement in (*signed_in, *later)] == ["WITH", "UPDATE"]
    assert [(row.pk, row.user_id) for row in Session.objects.all()] == [(store.session_key, ada.pk)]
    assert SessionStore(store.session_key).load()["seen"] == "another"
    assert store.session_key not in ("", None, key)
    ada.refresh_from_db()
    assert ada.last_login == now


def test_another_key_is_no_sign_in(key, ada):
    """As after a new password."""
    User.objects.update(last_login=None)
    store = SessionStore(key)
    store.cycle_key()
    store.save()
    ada.refresh_from_db()
    assert (ada.last_login, [row.pk for row in Session.objects.all()]) == (None, [store.session_key])


def test_a_session_that_ends_before_it_is_written_takes_the_one_before_along(key):
    store = SessionStore(key)
    store.cycle_key()
    store.flush()
    assert list(Session.objects.all()) == []


def test_whoever_signs_in_did_so_now_and_it_is_written_once(client, ada):
    before = timezone.now()
    ada.set_password("correct horse battery")
    ada.save()
    with counted() as statements:
        client.post("/accounts/login/", {"login": "ada", "password": "correct horse battery"})
    ada.refresh_from_db()
    assert before < ada.last_login < timezone.now()
    assert sum("last_login = " in each or 'SET "last_login"' in each for each in statements) == 1


def test_whoever_signs_in_once_more_does_so_in_the_same_session(rf, key, ada):
    User.objects.update(last_login=None)
    request = rf.get("/")
    request.session = SessionStore(key)
    login(request, ada, "accounts.backends.ByName")
    request.session.save()
    ada.refresh_from_db()
    assert (ada.last_login is None, request.session.session_key) == (False, key)


def test_sessions_of_before_are_told_whose_they_are(key, ada):
    gone = make_player("gone")
    Client().force_login(gone)
    SessionStore().save()
    Session.objects.update(user=None)
    gone_key = gone.pk
    User.objects.filter(pk=gone_key).delete()
    import_module("accounts.migrations.0005_whose_sessions").tell(apps, None)
    told = sorted((row.get_decoded().get("_auth_user_id", ""), row.user_id) for row in Session.objects.all())
    assert told == [("", None), (str(ada.pk), ada.pk), (str(gone_key), None)]


def test_a_key_that_somebody_has_is_not_written_over(key):
    store = SessionStore()
    store._session_key = key
    with pytest.raises(CreateError):
        store.save(must_create=True)


def test_a_session_that_is_begun_by_being_written_keeps_what_stands_in_it():
    store = SessionStore()
    store["seen"] = "a hint"
    store.save()
    assert SessionStore(store.session_key).load() == {"seen": "a hint"}

"""The session and the user of a request: what Django itself would find, asked for with less."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.backends import ByAddress, ByName
from accounts.models import User
from accounts.sessions import SessionStore
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


def test_each_is_one_statement(key, ada, django_assert_num_queries):
    for _ in range(2):  # the second time nothing is put into SQL
        with django_assert_num_queries(1):
            SessionStore(key).load()
        with django_assert_num_queries(1):
            ByName().get_user(ada.pk)

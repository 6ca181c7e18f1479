"""Several queries of the ORM as one statement: the same rows, put into SQL once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config.together import Together, columns, made, made_if_any
from registers.models import Register
from rules.terms import Terms
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db


def _people(active: bool, user: int, register):
    return User.objects.filter(Q(pk=user) | Q(registers=register), is_active=active).order_by("pk")


def people(active: bool, user: int, register):
    return _people(active, user, register).values("pk", "username")


def registers(active: bool, user: int, register):
    return Register.objects.filter(pk=register).values(*columns(Register), *columns(User, "owner__"))


@pytest.fixture
def pair() -> tuple[User, Register]:
    ada = make_player("ada")
    return ada, Register.objects.create(owner=ada, name="100 % “Grim”\\Hounds")


def test_the_rows_are_those_of_the_orm(pair):
    (ada, register), ben = pair, make_player("ben")
    Register.objects.filter(pk=register.pk).update(terms=Terms(length=4))
    ask = Together({"user": int, "register": type(register.pk)}, people, registers).ask
    with CaptureQueriesContext(connection) as queries:
        found, [row] = ask(True, user=ben.pk, register=register.pk)
    assert len(queries) == 1
    assert found == [{"pk": ada.pk, "username": "ada"}, {"pk": ben.pk, "username": "ben"}]
    same, owner = Register.objects.get(pk=register.pk), User.objects.get(pk=ada.pk)
    told = made(Register, row)
    assert {name: getattr(told, name) for name in columns(Register)} == {
        name: getattr(same, name) for name in columns(Register)
    }
    assert (told.terms, told.name) == (Terms(length=4), "100 % “Grim”\\Hounds")
    who = made_if_any(User, row, "owner__")
    assert who is not None
    assert [getattr(who, name) for name in columns(User)] == [getattr(owner, name) for name in columns(User)]


def test_each_is_asked_for_with_what_is_given(pair):
    (ada, register), ben = pair, make_player("ben")
    asked = Together({"user": int, "register": type(register.pk)}, people)
    names = [
        [row["username"] for row in asked.ask(active, user=user.pk, register=pk)[0]]
        for active, user, pk in [
            (True, ben, register.pk),
            (True, ada, register.pk),
            (False, ada, register.pk),
            (True, ben, uuid4()),
        ]
    ]
    assert names == [["ada", "ben"], ["ada"], [], ["ben"]]


def test_it_is_put_into_sql_once_for_each_that_is_fixed(pair):
    made_for = []

    def counting(active: bool, user: int):
        made_for.append(active)
        return User.objects.filter(pk=user, is_active=active).values("pk")

    asked = Together({"user": int}, counting)
    for active in (True, False, True, True):
        asked.ask(active, user=pair[0].pk)
    assert made_for == [True, False]


def test_nobody_is_nobody():
    register = Register.objects.create(name="Strays")
    [[row]] = Together({"user": int, "register": type(register.pk)}, registers).ask(
        True, user=0, register=register.pk
    )
    assert made_if_any(User, row, "owner__") is None

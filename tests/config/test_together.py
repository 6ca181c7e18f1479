"""Several queries of the ORM as one statement: the same rows, put into SQL once."""

from __future__ import annotations

import datetime
from datetime import UTC
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import Model, Q
from django.db.models.expressions import RawSQL
from django.db.models.signals import post_init, pre_init
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from campaign.models import Battle, Campaign, DiceSeed, Enlistment, Event, Side
from config.together import Changes, Together, columns, made, made_if_any, one_of, rows_of
from registers.models import Dossier, Entry, Register
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


def test_several_in_a_slot(pair):
    (ada, register), ben = pair, make_player("ben")

    def named(names: str, registers: str):
        owned = User.objects.filter(registers__in=one_of(registers, "uuid")).values("pk")
        return User.objects.filter(Q(username__in=one_of(names)) | Q(pk__in=owned)).values("pk")

    ask = Together({"names": list, "registers": list}, named).ask
    assert ask(names=["ben", "eve"], registers=[]) == [[{"pk": ben.pk}]]
    assert ask(names=[], registers=[str(register.pk), str(uuid4())]) == [[{"pk": ada.pk}]]
    assert ask(names=[], registers=[]) == [[]]


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


def test_a_row_is_as_the_orm_makes_it(pair):
    ada, register = pair
    [[row]] = Together({"user": int, "register": type(register.pk)}, registers).ask(
        True, user=ada.pk, register=register.pk
    )
    told, same = made(Register, row), Register.objects.get(pk=register.pk)
    assert (told._state.adding, told._state.db) == (False, "default")
    assert {**told.__dict__, "_state": None} == {**same.__dict__, "_state": None}
    few = made(Register, {"id": str(register.pk), "name": "Strays"})
    assert few.get_deferred_fields() == {each.attname for each in Register._meta.concrete_fields} - {
        "id",
        "name",
    }
    assert few.owner_id == ada.pk  # asked for by itself


def test_per_cents_and_many_places_are_what_they_were(pair):
    def odd(user: int, register: object):
        named = User.objects.annotate(
            said=RawSQL("CASE WHEN username LIKE 'ad%%' THEN %s ELSE 'no' END", ["%s"])
        )
        return named.filter(pk=user).values("pk", "said")

    [[row]] = Together({"user": int, "register": UUID}, odd).ask(user=pair[0].pk, register=uuid4())
    assert row == {"pk": pair[0].pk, "said": "%s"}


def test_changes_are_one_statement_and_none_is_none(pair):
    ada, register = pair
    changes = Changes()
    for table, column, row in (
        ("accounts_user", "known_as", {"id": ada.pk, "known_as": "50 %s"}),
        ("registers_register", "name", {"id": register.pk, "name": "Strays"}),
    ):
        changed = f"{column} = new.{column} FROM {rows_of(table)} WHERE {table}.id = new.id"
        changes.add(f"UPDATE {table} SET {changed}", [row])  # noqa: S608
        changes.add(f"DELETE FROM {table}", [])  # noqa: S608
    with CaptureQueriesContext(connection) as queries:
        changes.write()
        Changes().write()
    assert len(queries) == 1
    assert User.objects.get(pk=ada.pk).known_as == "50 %s"
    assert Register.objects.get().name == "Strays"


def test_rows_are_written_as_they_are_in_python(pair):
    """What the ORM would write, to the microsecond and the byte: `update` and `insert` are the same with one way."""
    ada, _ = pair
    campaign = Campaign.objects.create(name="Ashes")
    battle = Battle(campaign=campaign, number=1, size=600, date=datetime.date(2026, 4, 21))
    battle.save()
    battle.terms, battle.closed_at = (
        Terms(unreleased=True),
        datetime.datetime(2026, 4, 21, 9, 30, 0, 123456, UTC),
    )
    line = Event(
        campaign=campaign, battle=battle, kind="battle", actor=ada, facts={"said": ["“%s” – 50 %", None]}
    )
    seed = DiceSeed(battle=battle, number=1, secret=bytes(range(32)), commitment="c" * 64)
    changes = Changes()
    changes.update([], "status")
    changes.update([battle], "terms", "closed_at", "winner")
    changes.insert(line)
    changes.insert(seed)
    with CaptureQueriesContext(connection) as queries:
        changes.write()
    assert len(queries) == 1

    for model, row in ((Battle, battle), (Event, line), (DiceSeed, seed)):
        there = model.objects.get()
        for name in [field.attname for field in model._meta.concrete_fields if field.name != "id"]:
            assert (name, getattr(there, name)) == (name, getattr(row, name))


def test_a_misspelt_field_is_no_change(pair):
    with pytest.raises(KeyError):
        Changes().update([pair[1]], "nmae")


def test_nobody_has_to_be_told_of_a_row_that_is_made():
    """`made` asks neither `__init__` nor `from_db`, and sends no signals."""
    for model in (Battle, Campaign, Dossier, Enlistment, Entry, Event, Register, Side, User):
        assert (model.__init__, model.from_db.__func__) == (Model.__init__, Model.from_db.__func__)
        assert [signal.has_listeners(model) for signal in (pre_init, post_init)] == [False, False]

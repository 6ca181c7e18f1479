"""Several queries of the ORM as one statement: the same rows, put into SQL once."""

from __future__ import annotations

import datetime
from datetime import UTC
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import Model, Q
from django.db.models.expressions import RawSQL
from django.db.models.signals import post_init, pre_init
from django.test.utils import CaptureQueriesContext
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign.models import Battle, Campaign, DiceSeed, Enlistment, Event, Side
from config.together import Changes, Together, columns, made, made_if_any, new_keys, one_of, rows_of
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


def test_beside_what_is_written_by_hand(pair):
    """Its places are its own, whatever stands before it."""
    ada, register = pair
    ask = Together({"user": int, "register": type(register.pk)}, people).ask_beside
    sql = (
        "SELECT json_build_array($2::text, $1::text, count(*)) FROM registers_register WHERE name = $2::text"
    )
    with CaptureQueriesContext(connection) as queries:
        [found], said = ask(sql, True, values=["one", register.name], user=ada.pk, register=register.pk)
    assert (found, said, len(queries)) == ([{"pk": ada.pk, "username": "ada"}], [register.name, "one", 1], 1)


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


def as_they_stand(*models):
    """The rows of these models as PostgreSQL itself shows them, without the keys that it gave."""
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"SELECT to_jsonb(row) - 'id' FROM {model._meta.db_table} AS row ORDER BY row.id")  # noqa: S608
            yield [row for [row] in cursor.fetchall()]


def test_rows_are_written_as_the_orm_writes_them(pair):
    """To the microsecond and the byte, with what is None."""
    ada, _ = pair
    campaign = Campaign.objects.create(name="Ashes")
    battle = Battle.objects.create(campaign=campaign, number=1, size=600, date=datetime.date(2026, 4, 21))
    sides = [
        Side.objects.create(battle=battle, colour=colour, guest_name="Ash") for colour in ("blue", "red")
    ]
    now = datetime.datetime(2026, 4, 21, 9, 30, 0, 123456, UTC)
    facts = {"said": ["“%s” – 50 %", None]}

    def change(terms, reporter, rival):
        battle.terms, battle.reported_by, battle.closed_at = terms, reporter, now if reporter else None
        battle.date, sides[0].rival, sides[1].answers = datetime.date(2026, 4, 22), rival, [{"answer": [1]}]

    def rows():
        yield Event(campaign=campaign, battle=battle, kind="battle", actor=ada, facts=facts, at=now)
        yield DiceSeed(battle=battle, number=1, secret=bytes(range(32)), commitment="c" * 64, made_at=now)

    found = []
    for terms, reporter, rival in ((Terms(unreleased=True), ada, "2"), (None, None, None)):
        change(terms, reporter, rival)
        names, parts = ("terms", "reported_by", "closed_at", "date"), ("rival", "answers")
        with transaction.atomic():
            battle.save(update_fields=names)
            [side.save(update_fields=parts) for side in sides]
            [row.save() for row in rows()]
            by_orm = list(as_they_stand(Battle, Side, Event, DiceSeed))
            transaction.set_rollback(True)
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            changes = Changes()
            changes.update([], "status")
            changes.update([battle], *names)
            changes.update(sides, *parts)
            [changes.insert(row) for row in rows()]
            changes.write()
            changes.write()  # once
            assert len(queries) == 1
            found.append((list(as_they_stand(Battle, Side, Event, DiceSeed)), by_orm))
            transaction.set_rollback(True)
    assert [mine for mine, _ in found] == [its for _, its in found]


def test_rows_that_name_each_other_are_written_at_once():
    """In their order, by keys that nobody else gets; those that nobody names get theirs by themselves."""
    keys = new_keys({User: 2, Entry: 0, Side: 2})
    assert list(keys[Entry]) == []
    people = [User(pk=next(keys[User]), username=name, username_key=name) for name in ("ada", "ben")]
    campaign = Campaign(name="Ashes", created_at=datetime.datetime(2026, 4, 21, tzinfo=UTC))
    battle = Battle(campaign=campaign, number=1, size=600, date="2026-04-21", created_at=campaign.created_at)
    sides = [
        Side(pk=next(keys[Side]), battle=battle, colour=colour, stand_in=person, guest_name="Ash")
        for person, colour in zip(people, ("blue", "red"), strict=True)
    ]
    events = [Event(campaign=campaign, battle=battle, kind="battle", actor=each) for each in people]
    with CaptureQueriesContext(connection) as queries:
        changes = Changes()
        for rows in (people, [campaign], [], [battle], sides, events):
            changes.insert(*rows)
        changes.write()
    assert len(queries) == 1
    assert list(Side.objects.order_by("pk").values_list("pk", "colour", "stand_in__username", "battle")) == [
        (sides[0].pk, "blue", "ada", battle.pk),
        (sides[1].pk, "red", "ben", battle.pk),
    ]
    assert list(campaign.events.order_by("pk").values_list("actor__username", flat=True)) == ["ada", "ben"]
    assert make_player("eve").pk not in {each.pk for each in people}
    assert Campaign.objects.get().created_at == campaign.created_at


def test_who_gets_a_key_by_it_has_it_once_it_is_done(pair):
    """In their order; a change after it takes the keys from it, and one says what it came to."""
    _, register = pair
    said = {"register": register, "act": "edit"}
    entries = [Entry(position=position, place=position, **said) for position in (3, 1, 2)]
    changes, found = Changes(), []
    called = changes.insert(*entries)
    sql = f"UPDATE registers_register SET position = (SELECT count(*) FROM {called}) RETURNING id"  # noqa: S608
    changes.returning("id", sql, to=found.append)
    assert [entry.pk for entry in entries] == [None] * 3
    changes.write()
    kept = dict(register.entries.values_list("position", "pk"))
    assert [entry.pk for entry in entries] == [kept[3], kept[1], kept[2]]
    assert not any(entry._state.adding for entry in entries)
    register.refresh_from_db()
    assert (register.position, found) == (3, [[register.pk]])
    changes.write()
    assert len(found) == 1


@pytest.mark.parametrize(
    "facts", [{"on": datetime.date(2026, 4, 21)}, {"who": uuid4()}, {"said": gettext_lazy("no")}]
)
def test_what_is_no_json_is_refused_as_the_orm_refuses_it(pair, facts):
    line = Event(campaign=Campaign.objects.create(name="Ashes"), kind="battle", facts=facts)
    with pytest.raises(TypeError):
        Changes().insert(line)


def test_what_is_found_changes_and_goes_with_the_rest(pair):
    ada, _ = pair
    ben, eve = make_player("ben"), make_player("eve")
    several = Register.objects.filter(owner__username__in=["ada", "eve"])
    with CaptureQueriesContext(connection) as queries:
        changes = Changes()
        changes.change(several, owner=ben, terms=Terms(length=4), biography="100 %s")
        changes.change(User.objects.filter(username="ada").order_by("username"), known_as="Ada")
        changes.remove(User.objects.filter(username="eve"))
        changes.remove(Register.objects.filter(owner__username="ben"))
        changes.change(User.objects.filter(pk__in=[]), known_as="nobody")
        changes.remove(User.objects.none())
        changes.write()
    assert len(queries) == 1
    found = Register.objects.get()
    assert (found.owner, found.terms, found.biography) == (ben, Terms(length=4), "100 %s")
    assert User.objects.get(pk=ada.pk).known_as == "Ada"
    assert not User.objects.filter(pk=eve.pk).exists()


def test_no_row_is_changed_twice_at_once(pair):
    changes = Changes()
    changes.update([pair[1]], "name")
    with pytest.raises(ValueError, match="Two changes of one row in registers_register"):
        changes.update([pair[1]], "biography")


def test_a_misspelt_field_is_no_change(pair):
    with pytest.raises(KeyError):
        Changes().update([pair[1]], "nmae")


def test_nobody_has_to_be_told_of_a_row_that_is_made():
    """`made` asks neither `__init__` nor `from_db`, and sends no signals."""
    for model in (Battle, Campaign, Dossier, Enlistment, Entry, Event, Register, Side, User):
        assert (model.__init__, model.from_db.__func__) == (Model.__init__, Model.from_db.__func__)
        assert [signal.has_listeners(model) for signal in (pre_init, post_init)] == [False, False]

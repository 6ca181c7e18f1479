"""Tests for querysets that are compiled once. `tests.prepared_queries` compares their statements in all tests."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models import Count, QuerySet
from pytest_django.fixtures import DjangoAssertNumQueries

from accounts.models import User
from core.db.prepared import Prepared, prefetch
from registers.models import Register

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    """Three people, with 0, 1 and 2 Registers of their name."""
    found = [User.objects.create_user(name) for name in ("ada", "bo", "cy")]
    for number, owner in enumerate(found):
        for _ in range(number):
            Register.objects.create(owner=owner, name=owner.username)
    return found


@Prepared
def registers_of(owners: list[int], name: str, counted: bool = False) -> QuerySet[Any]:
    """Registers of these people that are not named so."""
    rows = Register.objects.filter(owner__pk__in=owners, discarded=False).exclude(name=name).order_by("name", "pk")
    return rows.values_list("name").annotate(number=Count("owner__registers")) if counted else rows


@Prepared
def of_people(owners: list[int]) -> QuerySet[Register]:
    """Registers of these people."""
    return Register.objects.filter(owner__pk__in=owners).select_related("owner").order_by("pk")


def test_rows_are_those_of_the_plain_queryset(people: list[User]) -> None:
    keys = [person.pk for person in people]
    for args in ((keys, "ada"), (keys, "bo", True), (keys[1:2], ""), ([*keys, 0, 0], "cy", False), ([], "ada", True)):
        assert list(registers_of(*args)) == list(registers_of.plain(*args)), args
    assert [list(registers_of(keys[:number], "ada", True)) for number in (1, 2, 3)] == [
        [],
        [("bo", 1)],
        [("bo", 1), ("cy", 2), ("cy", 2)],
    ]


def test_the_function_is_called_once_for_all_values_of_a_shape() -> None:
    called: list[str] = []

    @Prepared
    def named(name: str, other: UUID) -> QuerySet[Register]:
        called.append(name)
        return Register.objects.filter(name=name).exclude(pk=other)

    for name in ("ada", "bo", "cy"):
        assert list(named(name, uuid4())) == []
    # The names themselves come from the comparison in `tests.prepared_queries`.
    assert called == ["stand-in 0", "stand-in 1000000", "ada", "bo", "cy"]


def test_an_argument_that_decides_what_is_queried_is_refused() -> None:
    first = Prepared(lambda number: Register.objects.all()[:number])
    folded = Prepared(lambda name: Register.objects.filter(name=name.upper()))
    for prepared, value in ((first, 3), (folded, "ada")):
        with pytest.raises(TypeError, match="an argument is more than a parameter"):
            prepared(value)


def test_a_number_that_is_too_large_for_its_column_finds_nothing(people: list[User]) -> None:
    by_owner = Prepared(lambda owner: Register.objects.filter(owner__pk=owner))
    assert [len(by_owner(key)) for key in (people[1].pk, 2**31, 10**30, people[2].pk)] == [1, 0, 0, 2]


def test_a_changed_queryset_is_an_ordinary_one(people: list[User]) -> None:
    rows = of_people([person.pk for person in people])
    assert (rows.count(), rows.filter(name="bo").count(), rows.last()) == (3, 1, max(rows, key=lambda row: row.pk))
    assert User.objects.filter(registers__in=rows).distinct().count() == 2
    assert list(rows.values_list("name", flat=True).order_by("name")) == ["bo", "cy", "cy"]


def test_rows_of_a_relation_are_loaded_for_all_owners(
    people: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        prefetch(people, "registers", of_people, "owner")
        assert [[each.name for each in person.registers.all()] for person in people] == [[], ["bo"], ["cy", "cy"]]
        assert all(each.owner is person for person in people for each in person.registers.all())
    with django_assert_num_queries(1):
        assert [person.registers.filter(name="cy").count() for person in people[2:]] == [2]

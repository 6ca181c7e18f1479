"""A Force as rows, and rows as a Force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registers.models import Register
from registers.services.ledger import append, force_of, forces_of, replay
from registers.services.writing import write_difference
from rules.force import Dossier, Force, evolve
from tests.registers.strategies import effects, forces
from tests.thoroughness import examples

quick = settings(
    max_examples=examples(10, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def again(register: Register) -> Force:
    """What the rows say to somebody who reads them afresh."""
    return force_of(Register.objects.get(pk=register.pk))


@quick
@given(data=st.data())
def test_rows_hold_every_force(book, player, data):
    before, after = data.draw(forces(book)), data.draw(forces(book))
    register = Register.objects.create(owner=player)
    write_difference(register, Force(), before)
    assert again(register) == before
    write_difference(register, before, after)
    assert again(register) == after


@quick
@given(data=st.data())
def test_rows_are_the_sum_of_the_ledger(book, player, data):  # law 3
    register = Register.objects.create(owner=player)
    force = Force()
    for _ in range(data.draw(st.integers(1, 12))):
        happened = []
        for _ in range(data.draw(st.integers(1, 3))):
            happened.append(data.draw(effects(book, force)))
            force = evolve(force, happened[-1])
        append(actor=player, register=register, act="correct", effects=happened, reason="by chance")
    assert again(register) == force == replay(register.entries.order_by("position"))


@pytest.mark.parametrize("many", [1, 3])
def test_one_query_whatever_the_number(book, player, connection_queries, many):
    from tests.registers.factories import make_register

    registers = [make_register(player, units=many * 2) for _ in range(many)]
    with connection_queries as queries:
        found = forces_of(registers)
    assert [len(found[register.pk].dossiers) for register in registers] == [many * 2 + 1] * many
    assert len(queries) == 1


ONE, TWO, THREE = "resilient", "veteran-leader", "special-munitions"


@pytest.mark.parametrize(
    ("before", "after", "statements"),
    [
        ((ONE,), (TWO,), 1),  # what goes and what comes are written at once
        ((ONE, TWO), (TWO,), 1),
        ((ONE, TWO), (TWO, THREE), 1),
        ((ONE, TWO), (TWO, ONE), 2),  # no unit has a Commendation twice meanwhile
    ],
)
def test_marks_in_the_place_of_others(book, player, connection_queries, before, after, statements):
    register = Register.objects.create(owner=player)
    forces = [
        Force(dossiers={"1": Dossier("1", "stormtroopers", commendations=marks)}) for marks in (before, after)
    ]
    write_difference(register, Force(), forces[0])
    with connection_queries as queries:
        write_difference(register, *forces)
    assert (again(register), len(queries)) == (forces[1], statements)


def test_an_upgrade_that_a_commendation_gives_from_now_on(book, player):
    """Its row goes and comes again: it is in the list once meanwhile."""
    register = Register.objects.create(owner=player)
    bought = Dossier("1", "stormtroopers", upgrades=("agent-kallus",))
    given = replace(bought, by_commendation=bought.upgrades)
    write_difference(register, Force(), Force(dossiers={"1": bought}))
    write_difference(register, Force(dossiers={"1": bought}), Force(dossiers={"1": given}))
    assert again(register) == Force(dossiers={"1": given})


@pytest.fixture
def connection_queries():
    from django.db import connection

    return CaptureQueriesContext(connection)

"""A RegisterState as rows, and rows as a RegisterState."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings, strategies as st

from registers.ledger.session import replay_entries
from registers.models import Register
from registers.projection import StateChange, state_of, states_of, write_differences
from rules.register.state import Dossier, RegisterState, apply
from tests.registers.factories import make_register
from tests.registers.ledgers import append
from tests.registers.strategies import effects, states
from tests.thoroughness import examples

quick = settings(
    max_examples=examples(5, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def again(register: Register) -> RegisterState:
    """What the rows say to somebody who reads them afresh."""
    return state_of(Register.objects.get(pk=register.pk))


@quick
@given(data=st.data())
def test_rows_hold_every_force(book, player, data):
    before, after = data.draw(states(book)), data.draw(states(book))
    register = Register.objects.create(owner=player)
    write_differences([StateChange(register, RegisterState(), before)])
    assert again(register) == before
    write_differences([StateChange(register, before, after)])
    assert again(register) == after


@quick
@given(data=st.data())
def test_rows_are_the_sum_of_the_ledger(book, player, data):  # law 3
    register = Register.objects.create(owner=player)
    state = RegisterState()
    for _ in range(data.draw(st.integers(1, 12))):
        happened = []
        for _ in range(data.draw(st.integers(1, 3))):
            happened.append(data.draw(effects(book, state)))
            state = apply(state, happened[-1])
        append(actor=player, register=register, act="correct", effects=happened, reason="by chance")
    assert again(register) == state == replay_entries(register.entries.order_by("position"))


def test_as_many_queries_for_three_registers_as_for_one(book, player):
    registers = [make_register(player, units=units) for units in (2, 3, 4)]
    asked = []
    for some in (registers[:1], registers):
        with CaptureQueriesContext(connection) as queries:
            found = states_of(some)
        asked.append(len(queries))
        assert found == {register.pk: replay_entries(register.entries.all()) for register in some}
    assert asked[0] == asked[1]


ONE, TWO, THREE = "resilient", "veteran-leader", "special-munitions"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((ONE,), (TWO,)),
        ((ONE, TWO), (TWO,)),
        ((ONE, TWO), (TWO, THREE)),
        ((ONE, TWO), (TWO, ONE)),  # the unit never has a Commendation twice, not even for a moment
    ],
)
def test_cards_in_the_place_of_others(book, player, before, after):
    register = Register.objects.create(owner=player)
    had, has = (
        RegisterState(dossiers={"1": Dossier("1", "stormtroopers", commendations=cards)}) for cards in (before, after)
    )
    write_differences([StateChange(register, RegisterState(), had)])
    write_differences([StateChange(register, had, has)])
    assert again(register) == has


def test_rows_that_stay_are_not_written_again(book, player):
    """A trigger looks at new assets only: a newer catalogue takes nothing away from a Register."""
    register = Register.objects.create(owner=player)
    write_differences([StateChange(register, RegisterState(), RegisterState(assets=("medevac", "orbital-strike")))])
    kept = set(register.assets.values_list("pk", flat=True))
    write_differences(
        [StateChange(register, RegisterState(assets=("medevac", "orbital-strike")), RegisterState(assets=("medevac",)))]
    )
    assert set(register.assets.values_list("pk", flat=True)) < kept


def test_what_no_ledger_says_of_a_dossier_stays(book, player):
    register = Register.objects.create(owner=player)
    before = RegisterState(dossiers={"1": Dossier("1", "stormtroopers")})
    after = RegisterState(fallen={"1": Dossier("1", "stormtroopers", experience=3)})
    write_differences([StateChange(register, RegisterState(), before)])
    register.dossiers.update(biography="From Naboo.")
    write_differences([StateChange(register, before, after)])
    assert (again(register), register.dossiers.get().biography) == (after, "From Naboo.")


def test_several_registers(book, player):
    """Each keeps its own, though the keys of their units are the same."""
    changes = [
        StateChange(
            Register.objects.create(owner=player),
            RegisterState(),
            RegisterState(
                name=name,
                dossiers={"1": Dossier("1", "stormtroopers", name=name, keywords=(name,))},
                requests={"active-recruiting": number},
                combat_potential=number,
            ),
        )
        for number, name in enumerate(("Ash", "Birch", "Cedar"), 1)
    ]
    write_differences(changes)
    assert [again(change.register) for change in changes] == [change.after for change in changes]
    write_differences([StateChange(register, after, RegisterState()) for register, _, after in changes[:2]])
    assert [again(change.register) for change in changes] == [RegisterState(), RegisterState(), changes[2].after]


def test_an_upgrade_that_a_commendation_gives_from_now_on(book, player):
    """Its row goes and comes again: it is in the list once meanwhile."""
    register = Register.objects.create(owner=player)
    bought = Dossier("1", "stormtroopers", upgrades=("agent-kallus",))
    given = replace(bought, by_commendation=bought.upgrades)
    write_differences([StateChange(register, RegisterState(), RegisterState(dossiers={"1": bought}))])
    write_differences(
        [StateChange(register, RegisterState(dossiers={"1": bought}), RegisterState(dossiers={"1": given}))]
    )
    assert again(register) == RegisterState(dossiers={"1": given})

"""Founding a Register with a list: all of it or nothing."""

from uuid import uuid4

import pytest

from registers.models import EntryType, LedgerEntry, Register
from registers.projection import state_of
from registers.services import importing
from registers.services.importing import Joining
from rules.core.violations import RuleViolation

OFFICER = Joining("imperial-officer-ruthless-efficiency", ("strict-orders",), "Captain Sorne")
TROOPERS = Joining("stormtroopers")


def found(player, *units: Joining, **words):
    return importing.create_from_list(actor=player, owner=player, faction="empire", units=units, **words)


def test_every_unit_is_an_act_of_its_own(player, book):
    register = found(player, OFFICER, TROOPERS, name="Ashen Patrol")
    assert [entry.act for entry in LedgerEntry.objects.filter(register=register).order_by("position")] == [
        EntryType.OPEN,
        EntryType.UNIT,
        EntryType.UNIT,
        EntryType.NAME,
    ]
    state = state_of(register)
    assert (state.name, state.paragon, [d.upgrades for d in state.dossiers.values()]) == (
        "Ashen Patrol",
        "1",
        [("strict-orders",), ()],
    )


def test_one_refusal_and_nobody_joins(player, book):
    with pytest.raises(RuleViolation) as refused:
        found(player, OFFICER, TROOPERS, Joining("darth-vader-dark-lord-of-the-sith", name="Vader"))
    assert refused.value.rules == {"R5"}
    assert not Register.objects.exists()


def test_twice_is_once(player, book):
    pk = uuid4()
    for units in ((OFFICER,), (OFFICER, TROOPERS)):
        register = found(player, *units, register_id=pk)
    assert (register.pk, list(state_of(register).dossiers)) == (pk, ["1"])


def test_a_register_of_other_origin_is_not_filled(player, empty):
    """Else what was taken over would count in a campaign that it was opened in, and nobody had consented."""
    assert found(player, TROOPERS, register_id=empty.pk).position == empty.position
    assert list(state_of(Register.objects.get()).dossiers) == []

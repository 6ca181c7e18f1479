"""What pages know of a Register by the end of its ledger."""

from __future__ import annotations

import pytest
from cachetools import LRUCache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registers.models import Dossier, Register
from registers.services import known, ledger
from rules.effects import ReputationGained, UnitNamed
from tests.registers.factories import make_player, make_register
from tests.registers.views.reading import happen


@pytest.fixture(autouse=True)
def _anew():
    known._known.clear()


@pytest.fixture
def register(book) -> Register:
    return make_register(make_player("ada"))


def queries_of(*registers: Register) -> int:
    with CaptureQueriesContext(connection) as queries:
        known.forces_of(registers)
    return len(queries)


def test_it_is_what_the_rows_say_and_asked_for_once(register):
    assert known.force_of(register) == ledger.force_of(register)
    other = make_register(make_player("ben"), name="Others")
    assert [queries_of(register), queries_of(register, other), queries_of(register, other)] == [0, 1, 0]
    assert known.forces_of([other, register]) == ledger.forces_of([other, register])


def test_whatever_happens_is_seen_at_once(register):
    before = known.force_of(register)
    happen(register, UnitNamed(unit="2", name="Grim Hounds", rule="R9"))
    now = Register.objects.get(pk=register.pk)
    assert known.force_of(now) == ledger.force_of(now) != before


def test_columns_of_the_register_are_its_own(register):
    known.force_of(register)
    Register.objects.filter(pk=register.pk).update(reputation=9)
    assert known.force_of(Register.objects.get(pk=register.pk)).reputation == 9


def test_what_came_in_between_is_kept_under_its_own_entry(register):
    """The Register was read, then somebody acted, then its parts were read."""
    read_before = Register.objects.get(pk=register.pk)
    happen(register, UnitNamed(unit="2", name="Grim Hounds", rule="R9"))
    known.force_of(read_before)
    [kept] = known._known
    assert kept == (register.pk, read_before.position + 1, Register.objects.get(pk=register.pk).digest)


def test_the_proof_sees_what_nobody_wrote_into_the_ledger(register):
    """Somebody changed the rows by hand: whoever writes or proves reads them."""
    known.force_of(register)
    Dossier.objects.filter(register=register, key="2").update(name="Forged")
    assert ledger.force_of(register).dossiers["2"].name == "Forged"


def test_of_registers_that_are_not_there_it_knows_nothing(book):
    nobody = Register(name="Gone")
    assert known.force_of(nobody) == ledger.outline_of(nobody)


def test_there_is_an_end_to_what_is_kept(register, monkeypatch):
    monkeypatch.setattr(known, "_known", LRUCache(5, getsizeof=known._known.getsizeof))
    for _ in range(4):
        happen(register, ReputationGained(amount=1, rule="R47"))
        known.force_of(Register.objects.get(pk=register.pk))
    assert 0 < known._known.currsize <= 5

"""The lock of a Register: two people at once."""

from uuid import uuid4

import pytest
from django.db import transaction
from django.db.transaction import TransactionManagementError

from registers.models import Register
from registers.projection import state_of
from registers.services import building
from tests.at_once import at_once
from tests.registers.factories import make_player, make_register
from tests.registers.ledgers import lock


class TestLock:
    def test_in_the_order_asked_for(self, book, player):
        first, second = (make_register(player) for _ in range(2))
        with transaction.atomic():
            assert lock(second.pk, first.pk) == [second, first]

    def test_unknown(self, db):
        with pytest.raises(Register.DoesNotExist), transaction.atomic():
            lock(uuid4())


@pytest.mark.django_db(transaction=True)
def test_only_in_a_transaction(book):
    with pytest.raises(TransactionManagementError):
        lock(uuid4())


@pytest.mark.django_db(transaction=True)
def test_two_people_at_once_lose_nothing(book):
    player = make_player("ada")
    register = building.open_register(actor=player, owner=player, faction="empire")

    def add() -> None:
        for _ in range(3):
            building.add_unit(actor=player, register_id=register.pk, position=None, card="stormtroopers")

    assert at_once(add, add) == [None, None]
    register.refresh_from_db()
    assert list(state_of(register).dossiers) == ["1", "2", "3", "4", "5", "6"]
    assert [entry.position for entry in register.entries.all()] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.django_db(transaction=True)
def test_the_same_form_from_two_phones_counts_once(book):  # law 6
    player = make_player("ada")
    register = building.open_register(actor=player, owner=player, faction="empire")

    def add() -> None:
        building.add_unit(actor=player, register_id=register.pk, position=register.position, card="stormtroopers")

    assert at_once(add, add) == [None, None]
    assert list(state_of(Register.objects.get()).dossiers) == ["1"]

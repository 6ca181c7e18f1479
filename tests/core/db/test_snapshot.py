"""What is read as it was at one moment."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import InternalError, connection, transaction

from accounts.models import User
from core.db.snapshot import read_snapshot
from tests.registers.factories import make_player


def come(name: str) -> None:
    """Somebody new, committed by another connection."""

    def create() -> None:
        make_player(name)
        connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(create).result(timeout=20)


@pytest.mark.django_db(transaction=True)
def test_who_comes_meanwhile_is_seen_afterwards():
    make_player("ada")
    with read_snapshot():
        first = User.objects.count()
        come("ben")
        seen = [first, User.objects.count()]
    assert [*seen, User.objects.count()] == [1, 1, 2]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_written():
    with pytest.raises(InternalError, match="read-only transaction"), read_snapshot():
        make_player("ada")
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_there_says_what_is_seen():
    with transaction.atomic(), read_snapshot():
        make_player("ada")
    assert User.objects.count() == 1

"""Random battles through the services; bench/simulated_battles.py plays more of them."""

import pytest

from bench.simulated_battles import play
from campaign.battles.models import Battle
from registers.ledger.verification import differences
from registers.models import Register


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_the_books_balance_after_random_battles(book, seed):
    answered = play(battles=3, seed=seed)
    assert answered > 3
    assert set(Battle.objects.values_list("status", flat=True)) == {Battle.Status.CLOSED}
    assert not [found for register in Register.objects.all() for found in differences(register)]

"""The short form of the bench of pairings."""

import pytest

from accounts.models import User
from bench.event_pairing import LIMIT, Times, play


@pytest.mark.django_db
def test_the_short_form() -> None:
    times = play(User.objects.create_user("olga"), players=9, rounds=2)
    assert {what: len(seconds) for what, seconds in times.taken.items()} == {
        "draw a round": 2, "publish a round": 2, "close a round": 2, "read the event": 2, "compute the standings": 2,
    }  # fmt: skip
    assert len(times.table().splitlines()) == 7


def test_a_limit_that_is_exceeded() -> None:
    taken = {"read the event": [0.1], "draw a round": [2 * LIMIT], "publish a round": [0.2]}
    times = Times(taken)
    assert not times.is_well
    assert "| draw a round | 4,000 | 4,000 | 40.0 × | 2,000 |" in times.table()
    assert Times({**taken, "draw a round": [LIMIT]}).is_well

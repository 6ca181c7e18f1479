"""The odds of a Casualty Check as a page shows them."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from registers.pages.sheet import thousandths
from rules.post_battle.casualty_odds import Odds


def test_one_die():  # rules, section 7
    odds = Odds(Fraction(1, 8), Fraction(1, 8), Fraction(3, 8), Fraction(3, 8))
    assert thousandths(odds) == {"escaped": 375, "setback": 375, "boon": 125, "casualty": 125}


@given(st.lists(st.integers(0, 500), min_size=4, max_size=4).filter(any))
def test_always_the_whole(weights):
    parts = [Fraction(weight, sum(weights)) for weight in weights]
    shown = thousandths(Odds(*parts))
    assert sum(shown.values()) == 1000
    assert all(abs(shown[name] - 1000 * getattr(Odds(*parts), name)) < 1 for name in shown)


@pytest.mark.parametrize(
    ("odds", "whole"),
    [
        (Odds(escaped=Fraction(1, 3), setback=Fraction(1, 3), casualty=Fraction(1, 3)),
         {"escaped": 334, "setback": 333, "boon": 0, "casualty": 333}),
        (Odds(escaped=Fraction(1)), {"escaped": 1000, "setback": 0, "boon": 0, "casualty": 0}),
    ],
)  # fmt: skip
def test_what_rounding_cuts_off_goes_to_who_lost_most(odds, whole):
    assert thousandths(odds) == whole

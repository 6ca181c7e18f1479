"""The chi-squared test, against the tables in which it has been printed for a hundred years."""

from math import isclose

import pytest

from rules.core.dice import chance_of, expected, says_anything, spread


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [
        # Upper percentage points of the distribution, to three places.
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (5.991, 2, 0.05),
        (9.210, 2, 0.01),
        (0.584, 3, 0.90),
        (2.366, 3, 0.50),
        (7.815, 3, 0.05),
        (11.345, 3, 0.01),
        (9.488, 4, 0.05),
        (11.070, 5, 0.05),
        (18.307, 10, 0.05),
        (24.996, 15, 0.05),
    ],
)
def test_the_printed_tables(statistic, freedom, chance):
    assert isclose(chance_of(statistic, freedom), chance, rel_tol=2e-3)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4])
def test_no_spread_at_all_is_always_reached_and_an_endless_one_never(freedom):
    assert (chance_of(0, freedom), round(chance_of(500, freedom), 12)) == (1, 0)


def test_what_is_expected_and_how_far_it_is_missed():
    assert expected("black_attack", 40) == {"hit": 15, "critical": 5, "surge": 5, "blank": 15}
    assert spread("black_attack", {"hit": 15, "critical": 5, "surge": 5, "blank": 15}) == 0
    assert spread("black_attack", {"hit": 25, "surge": 5, "blank": 10}) == 100 / 15 + 5 + 25 / 15
    assert spread("red_defense", {"block": 12}) == 6**2 / 6 + 2 + 4


def test_few_dice_say_nothing():
    assert [says_anything("black_attack", count) for count in (39, 40)] == [False, True]
    assert [says_anything("red_defense", count) for count in (29, 30)] == [False, True]

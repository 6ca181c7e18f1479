"""Combat Potential used, by rank."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from registers.charts.ranks import Bar, by_rank
from rules.core.card_types import RANKS
from rules.register.building import combat_potential_spent, dossier_points
from rules.register.state import Dossier, RegisterState
from tests.registers.strategies import states

SORNE = Dossier("1", "imperial-officer-ruthless-efficiency", upgrades=("improvised-orders",))


def corps(*keys: str) -> dict[str, Dossier]:
    return {key: Dossier(key, "stormtroopers") for key in keys}


def test_bars_that_add_up(book):
    state = RegisterState(combat_potential=600, dossiers={"1": SORNE, **corps("2", "3")})
    picture, sorne = by_rank(book, state), dossier_points(book, SORNE)
    assert (sorne, picture.spent, picture.free, picture.over) == (60, 144, 456, 0)
    assert picture.bars == [
        Bar(rank="commander", name="commander", units=1, points=60, x="0%", width="10%"),
        Bar(rank="corps", name="corps", units=2, points=84, x="10%", width="14%"),
    ]
    assert (picture.free_bar, picture.limit) == (("24%", "76%"), "")


def test_more_than_there_is(book):  # R2
    picture = by_rank(book, RegisterState(combat_potential=63, dossiers=corps("1", "2")))
    assert (picture.free, picture.over, picture.limit) == (0, 21, "75%")
    assert [bar.width for bar in picture.bars] == ["100%"]


def test_nobody(book):
    picture = by_rank(book, RegisterState())
    assert (picture.bars, picture.free_bar) == ([], ("0%", "0%"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_every_point_is_in_one_bar(book, data):
    state = replace(data.draw(states(book)), combat_potential=data.draw(st.integers(1, 2000)))
    picture = by_rank(book, state)
    spent = combat_potential_spent(book, state)
    assert sum(bar.points for bar in picture.bars) == spent
    assert sum(bar.units for bar in picture.bars) == len(state.dossiers)
    assert [bar.rank for bar in picture.bars] == [r for r in RANKS if r in {b.rank for b in picture.bars}]
    whole, end = max(spent, state.combat_potential), 0.0
    for bar in picture.bars:
        x, width = float(bar.x[:-1]), float(bar.width[:-1])
        assert x == pytest.approx(end, abs=0.05)
        assert width == pytest.approx(100 * bar.points / whole, abs=0.01)
        end = x + width
    assert end <= 100.05

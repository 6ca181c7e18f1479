"""What organizers award to many (R1, R13, R15, R19, R36)."""

import json

import pytest

from rules.adjustments.awards import MOST, WHY, Gift, award
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.effects import (
    CommendationOwed,
    ExperienceGained,
    SetbackRemoved,
    SupplyPointsGained,
    VeteranRankReached,
)
from tests.rules.build import OTHERS, TROOPERS, change, state, violations


def test_each_unit_that_is_named_gets_it(book: Rulebook) -> None:
    before = change(state(), TROOPERS, experience=24, veteran_rank=2, setbacks=("downtrodden",) * 2)
    gift = Gift(supply_points=2, experience=3, setback="downtrodden", commendation=True, units=(TROOPERS, OTHERS))
    assert award(book, before, gift) == [
        SupplyPointsGained(amount=2, rule="", why=WHY),
        ExperienceGained(unit=TROOPERS, amount=1, lost=2, rule="R13", why=WHY),
        VeteranRankReached(unit=TROOPERS, veteran_rank=3, rule="R12"),
        SetbackRemoved(unit=TROOPERS, setback="downtrodden", rule="", why=WHY),
        CommendationOwed(unit=TROOPERS, rule="R15", why=WHY),
        ExperienceGained(unit=OTHERS, amount=3, rule="R13", why=WHY),
        CommendationOwed(unit=OTHERS, rule="R15", why=WHY),
    ]


def test_all_units_if_none_is_named(book: Rulebook) -> None:
    effects = award(book, state(), Gift(commendation=True))
    assert [getattr(effect, "unit", "") for effect in effects] == list(state().dossiers)
    assert (Gift(commendation=True).for_units, Gift(supply_points=1).for_units) == (True, False)


@pytest.mark.parametrize(
    ("gift", "about"),
    [
        (Gift(supply_points=-1), ["supply_points"]),
        (Gift(experience=MOST + 1), ["experience"]),
        (Gift(setback="tired"), ["setback"]),
        (Gift(experience=1, units=("99",)), ["99"]),
        (Gift(), [""]),
        (Gift(setback="downtrodden"), [""]),
        (Gift(experience=1, units=()), [""]),
    ],
)
def test_refused(book: Rulebook, gift: Gift, about: list[str]) -> None:
    assert [violation.about for violation in violations(lambda: award(book, state(), gift))] == about


def test_more_sp_than_a_register_has(book: Rulebook) -> None:
    refused = violations(lambda: award(book, state(supply_points=9990), Gift(supply_points=10)))
    assert list(refused) == [Violation("R1", "A Register can have at most 9999 SP.", "supply_points")]


@pytest.mark.parametrize(("units", "left"), [((TROOPERS, OTHERS), (OTHERS,)), ((TROOPERS,), ()), (None, ())])
def test_a_gift_without_a_unit(units: tuple[str, ...] | None, left: tuple[str, ...]) -> None:
    gift = Gift(supply_points=2, experience=3, units=units)
    assert gift.without({TROOPERS}) == Gift(supply_points=2, experience=3, units=left)


@pytest.mark.parametrize("units", [None, (), (TROOPERS, OTHERS)])
def test_a_gift_as_data(units: tuple[str, ...] | None) -> None:
    gift = Gift(supply_points=2, experience=3, setback="downtrodden", commendation=True, units=units)
    assert Gift.from_data(json.loads(json.dumps(gift.as_data()))) == gift

"""Everything that can happen to a Register, as plain data."""

import json

import pytest

from rules.register.effects import (
    KINDS,
    CommendationAwarded,
    DiceRolled,
    Effect,
    ExperienceGained,
    FieldLeft,
    SupplyPointsGained,
    UnitAdded,
    from_data,
    to_data,
)


def test_what_is_empty_is_left_out() -> None:
    effect = UnitAdded(unit="3", card="stormtroopers", rule="R10")
    assert to_data(effect) == {"kind": "UnitAdded", "rule": "R10", "unit": "3", "card": "stormtroopers"}


@pytest.mark.parametrize(
    "effect",
    [
        UnitAdded(unit="3", card="stormtroopers", name="Hounds", faction="empire", affiliation="pyke", rule="R29"),
        ExperienceGained(unit="3", amount=0, lost=2, rule="R13", why="took part"),
        DiceRolled(unit="3", die="black_attack", faces=("hit", "blank"), rule="R31"),
        DiceRolled(die="red_defense", faces=(), rule="R30"),
        CommendationAwarded(unit="3", commendation="resilient", rule="R15"),
        SupplyPointsGained(amount=2, rule="R30"),
        FieldLeft(rule="R11"),
    ],
)
def test_an_effect_survives_json(effect: Effect) -> None:
    assert from_data(json.loads(json.dumps(to_data(effect)))) == effect


def test_every_kind_is_known_by_its_name() -> None:
    assert {kind.__name__: kind for kind in Effect.__subclasses__()} == KINDS


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"kind": "Won", "rule": "R1"}, KeyError),
        ({"rule": "R1"}, KeyError),
        ({"kind": "SupplyPointsGained", "rule": "R1"}, TypeError),
        ({"kind": "SupplyPointsGained", "rule": "R1", "amount": 1, "unit": "3"}, TypeError),
    ],
)
def test_data_that_no_effect_wrote_is_an_error(data: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        from_data(data)

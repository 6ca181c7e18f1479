"""The ten steps in order, and how a Register takes the field for them (R11, R37, section 5)."""

from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.steps import LAST_STEP, STEPS, gains_of_the_game, step, take_the_field
from rules.register.effects import FieldTaken, SupplyPointsGained
from rules.register.state import Field, Trait, replay

from ..build import OTHERS, PARAGON, TROOPERS, change, done, play, reached, report, state, violations, xp


def test_the_ten_steps_of_the_printed_sequence() -> None:
    assert [(each.number, each.name) for each in STEPS] == [
        (1, "Progress Agendas"), (2, "Turning Point Rewards"), (3, "Award Supply Points"),
        (4, "Determine Casualties and Setbacks"), (5, "Award Experience"), (6, "Award Commendations"),
        (7, "Make Aid Requests"), (8, "Edit Register"), (9, "Adjust Reputation"), (10, "Choose New Story Arc"),
    ]  # fmt: skip
    assert [step(number) for number in range(1, LAST_STEP + 1)] == list(STEPS)


@pytest.mark.parametrize(("trait", "slug"), [(None, ""), (Trait("unsure", 1), "unsure")])
def test_a_register_takes_the_field_with_the_trait_it_has_then(trait: Trait | None, slug: str) -> None:
    """R11, R37."""
    start = state(in_field=None, trait=trait)
    assert take_the_field(start, "b7") == [FieldTaken(battle="b7", trait=slug, rule="R11")]
    assert replay(take_the_field(start, "b7"), start).in_field == Field("b7", slug)


@pytest.mark.parametrize(
    ("changes", "violation"),
    [
        (
            {"commissioned": False, "in_field": None},
            Violation("R4", "Ashen Patrol is not finished yet. Finish building it first."),
        ),
        (
            {"commissioned": False, "in_field": None, "name": ""},
            Violation("R4", "This Register is not finished yet. Finish building it first."),
        ),
        ({}, Violation("R11", "Ashen Patrol is already in a battle.")),
    ],
)
def test_who_may_not_take_the_field(changes: dict[str, Any], violation: Violation) -> None:
    """R4, R11."""
    assert violations(lambda: take_the_field(state(**changes), "b7")) == [violation]


def enter(book: Rulebook, side: Report) -> Any:
    start = change(state(), TROOPERS, experience=4)
    return done(play(book, start, lambda context: gains_of_the_game(context, side)))


def test_what_command_cards_gained_is_entered_before_step_1(book: Rulebook) -> None:
    """Section 5: units that were lent gain nothing."""
    side = report(PARAGON, TROOPERS, in_game_experience={TROOPERS: 2, OTHERS: 0, "L1": 4}, in_game_supply=1)
    assert enter(book, side) == [
        xp(TROOPERS, 2, "R16", "gained during the game"),
        reached(TROOPERS, 1),
        SupplyPointsGained(amount=1, rule="R16", why="gained during the game"),
    ]


def test_mostly_nothing_was(book: Rulebook) -> None:
    assert enter(book, report(PARAGON)) == []

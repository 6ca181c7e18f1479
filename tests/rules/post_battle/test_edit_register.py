"""Step 8, Edit Register (R47, R11, R4)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.dialogue import Progress
from rules.post_battle.edit_register import EditRegister, edit, edit_register
from rules.register.building import combat_potential_spent
from rules.register.effects import AssetUsedUp, Effect, UnitAdded, UnitNamed, UnitReassigned, UpgradeAdded
from rules.register.state import RegisterState

from ..build import (
    OTHERS,
    PARAGON,
    SNOW,
    SNOWTROOPERS,
    STORMTROOPERS,
    TROOPERS,
    WALKER,
    broken,
    change,
    done,
    house,
    noted,
    play,
    report,
    state,
    violations,
    without,
)


def step(book: Rulebook, *answers: Any, side: Report | None = None, start: RegisterState | None = None) -> Progress:
    return play(book, start or state(), lambda context: edit_register(context, side or report(PARAGON)), answers)


def gone(slug: str) -> Effect:
    return AssetUsedUp(asset=slug, rule="R47")


# --- Assets --------------------------------------------------------------------------------------------------


def test_assets_used_in_this_battle_leave(book: Rulebook) -> None:
    """R47: those that were not used stay."""
    start = state(assets=("medevac", "request-assistance", "request-assistance", "combat-drop"))
    used = report(PARAGON, assets=("request-assistance", "medevac"))
    progress = step(book, None, side=used, start=start)
    assert done(progress) == [gone("request-assistance"), gone("medevac")]
    assert progress.state.assets == ("request-assistance", "combat-drop")


def test_both_of_two_may_have_been_used(book: Rulebook) -> None:
    used = report(PARAGON, assets=("request-assistance",) * 2)
    assert (
        done(step(book, None, side=used, start=state(assets=("request-assistance",) * 2)))
        == [gone("request-assistance")] * 2
    )


@pytest.mark.parametrize(
    ("switched", "effect"),
    [(True, gone("contingency-plan")), (False, noted("R47", "Contingency Plan was not used and stays"))],
)
def test_a_contingency_plan_that_was_not_switched_stays(book: Rulebook, switched: bool, effect: Effect) -> None:
    """R47."""
    used = report(PARAGON, assets=("contingency-plan",), contingency_switched=switched)
    assert done(step(book, None, side=used, start=state(assets=("contingency-plan",)))) == [effect]


def test_above_the_combat_potential_units_may_be_let_go(book: Rulebook) -> None:
    """R2, `above_potential`: then others may be added again."""
    strict, over = house(book, above_potential="units_go"), state(combat_potential=440)
    progress = step(strict, {"let_go": {"unit": WALKER}}, None, start=over)
    assert done(progress) == [UnitReassigned(unit=WALKER, rule="R2", why="dismissed")]
    assert broken(lambda: step(book, {"let_go": {"unit": WALKER}}, start=over)) == ["R2"]


# --- Free editing --------------------------------------------------------------------------------------------


def test_edits_one_after_the_other(book: Rulebook) -> None:
    """R11."""
    start = change(state(), TROOPERS, commendations=("advanced-drill",))
    answers = (
        {"add": {"unit": SNOWTROOPERS, "upgrades": ["flametrooper"]}},
        {"name": {"unit": "8", "name": "Ice"}},
        {"upgrade": {"unit": TROOPERS, "upgrade": "tenacity"}},
        None,
    )
    assert done(step(book, *answers, start=start)) == [
        UnitAdded(unit="8", card=SNOWTROOPERS, rule="R11"),
        UpgradeAdded(unit="8", upgrade="flametrooper", rule="R7"),
        UnitNamed(unit="8", name="Ice", rule="R9"),
        UpgradeAdded(unit=TROOPERS, upgrade="tenacity", by_commendation=True, rule="R8"),
    ]
    assert step(book).question == EditRegister(rule="R11", text="Edit the Register: add units, upgrades and names.")


def test_an_edit_that_the_rules_refuse(book: Rulebook) -> None:
    """R2, R3."""
    dear = {"add": {"unit": "rebel-troopers"}}
    assert broken(lambda: step(book, dear, start=state(combat_potential=450))) == ["R3", "R2"]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("add", "Make one edit at a time."),
        ({}, "Make one edit at a time."),
        ({"add": {}, "name": {}}, "Make one edit at a time."),
        ({"remove": {}}, "Add a unit, add an upgrade, or name a unit."),
        ({"add": "stormtroopers"}, "Add a unit, add an upgrade, or name a unit."),
        ({"add": {"card": "stormtroopers"}}, "Add a unit, add an upgrade, or name a unit."),
        ({"name": {"unit": "1", "upgrade": "x"}}, "Add a unit, add an upgrade, or name a unit."),
        ({"add": {"unit": ["stormtroopers"]}}, "Choose the cards of the unit and its upgrades."),
        ({"add": {"unit": "stormtroopers", "upgrades": "tenacity"}}, "Choose the cards of the unit and its upgrades."),
        ({"add": {"unit": "stormtroopers", "upgrades": [1]}}, "Choose the cards of the unit and its upgrades."),
        ({"name": {"unit": "1", "name": 7}}, "Choose the cards of the unit and its upgrades."),
    ],
)
def test_answers_of_another_shape_are_refused(book: Rulebook, answer: Any, text: str) -> None:
    assert violations(lambda: step(book, answer)) == [Violation("R11", text)]


NO_CARD = Violation("R5", "This unit card does not exist. Choose another one.", "")
NO_UNIT = Violation("R19", "This unit is not on the Register.", "")


@pytest.mark.parametrize(
    ("change", "violation"),
    [
        ({"add": {}}, NO_CARD),
        ({"add": {"unit": None}}, NO_CARD),
        ({"upgrade": {}}, NO_UNIT),
        ({"upgrade": {"unit": TROOPERS}}, Violation("R8", "This upgrade card does not exist. Choose another one.", "")),
        ({"name": {"unit": TROOPERS, "name": None}}, Violation("R9", "Enter a name for the unit.", TROOPERS)),
        ({"name": {}}, NO_UNIT),
    ],
)
def test_what_is_left_out_is_missed(book: Rulebook, change: dict[str, Any], violation: Violation) -> None:
    assert violations(lambda: step(book, change)) == [violation]


def test_a_unit_may_be_added_with_a_name(book: Rulebook) -> None:
    assert edit(book, state(), {"add": {"unit": STORMTROOPERS, "upgrades": None, "name": "Ghosts"}}) == [
        UnitAdded(unit="8", card=STORMTROOPERS, name="Ghosts", rule="R11")
    ]


# --- Corps first ---------------------------------------------------------------------------------------------


def short(**changes: Any) -> RegisterState:
    return without(state(**changes), OTHERS, SNOW)


def test_the_step_does_not_end_while_corps_units_are_owed(book: Rulebook) -> None:
    """R4."""
    assert violations(lambda: step(book, None, start=short())) == [
        Violation("R4", "Add corps units until there are 2. One still fits.")
    ]
    assert broken(lambda: step(book, {"add": {"unit": "at-st"}}, start=short())) == ["R4"]
    assert done(step(book, {"add": {"unit": STORMTROOPERS}}, None, start=short())) == [
        UnitAdded(unit="8", card=STORMTROOPERS, rule="R11")
    ]


def test_a_register_that_can_afford_none_is_excused_and_says_so(book: Rulebook) -> None:
    """R4."""
    start = short()
    poor = replace(start, combat_potential=combat_potential_spent(book, start) + 35)
    assert done(step(book, None, start=poor)) == [
        noted("R4", "too few corps units, but none fits the remaining Combat Potential")
    ]


@pytest.mark.parametrize(
    ("room", "commendations", "passes"),
    [(0, (), True), (44, (), False), (1, ("extra-equipment",), True), (12, ("extra-equipment",), False)],
)
def test_the_step_passes_where_nothing_can_be_added(
    book: Rulebook, room: int, commendations: tuple[str, ...], passes: bool
) -> None:
    full = change(state(), TROOPERS, commendations=commendations)
    full = replace(full, combat_potential=combat_potential_spent(book, full) + room)
    question = step(book, start=full).question
    assert (question is None) == passes

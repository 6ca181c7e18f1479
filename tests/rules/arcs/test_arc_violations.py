"""Everything that keeps a Story Arc of one's own from being played."""

from typing import Any

import pytest

from rules.arcs.custom_arcs import (
    DEEPEST,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_CLAUSES,
    OWN_TRAIT,
    Arc,
    arc_violations,
    blank_arc,
    deepest,
)
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from tests.rules.arcs.arcs import PRINTED, printed, spoiled

POINT = {"do": "gain_supply_points", "amount": 1}
GAIN = {"do": "gain_experience", "amount": 1}
TAKE = {"do": "opponent_loses_supply_points", "amount": 2}
MISPLACED = (
    "Only a victory or a defeat can make the opponent lose SP, outside choices, conditions and dice. "
    "Move this effect there."
)


@pytest.fixture(scope="module")
def arc() -> Arc:
    return printed("peacekeeping-mission")


def violations(book: Rulebook, arc: Arc) -> list[tuple[str, str, str]]:
    return [(violation.about, violation.rule, violation.text) for violation in arc_violations(book, arc)]


@pytest.mark.parametrize("slug", [arc["slug"] for arc in PRINTED])
def test_the_printed_arcs_can_be_played(book: Rulebook, slug: str) -> None:
    assert violations(book, printed(slug)) == []


def test_all_that_a_blank_arc_lacks(book: Rulebook) -> None:
    agenda = [
        ("name", "", "Give Agenda {} a name."),
        ("tally", "", "Write the tally of Agenda {}."),
        ("progress", "R25", "Add a condition for the Agenda to progress."),
        ("reward", "R26", "Add a reward for a progression."),
    ]
    assert violations(book, blank_arc()) == [
        ("name", "", "Give the Story Arc a name."),
        ("briefing", "", "Write the briefing of the Story Arc."),
        *(
            (f"agendas.{number}.{field}", rule, text.format(number + 1))
            for number in range(3)
            for field, rule, text in agenda
        ),
        ("turning_point.name", "", "Give the Turning Point Mission a name."),
        ("turning_point.setup", "", "Write the setup of the Turning Point Mission."),
        ("turning_point.scoring", "", "Write the scoring of the Turning Point Mission."),
        ("turning_point.secondary", "", "Write the secondary objective of the Turning Point Mission."),
        ("turning_point.victory", "R26", "Add a reward for a victory."),
        ("turning_point.defeat", "R26", "Add a reward for a defeat."),
        ("setback.name", "", "Give the Setback a name."),
        ("setback.effect", "", "Write the effect of the Setback."),
        ("defining_trait.name", "", "Give the Defining Trait a name."),
        ("defining_trait.effect", "", "Write the effect of the Defining Trait."),
        ("commendation.name", "", "Give the Commendation a name."),
        ("commendation.effect", "", "Write the effect of the Commendation."),
    ]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("name", "n" * (LONGEST_NAME + 1), ("name", "", "Use up to 80 characters.")),
        ("briefing", "n" * (LONGEST_TEXT + 1), ("briefing", "", "Use up to 2000 characters.")),
        ("agendas.1.name", " AGAINST all odds", ("agendas.1.name", "", "Another Agenda has this name.")),
        (
            "agendas.0.progress",
            [{"won": True}, {"all": [{"lost": True}, {"no_marked_unit_defeated": True}]}],
            ("agendas.0.progress.1", "R25", "This Agenda marks no units."),
        ),
        (
            "agendas.0.progress",
            [{"marked_undefeated_at_least": 1}],
            ("agendas.0.progress.0", "R25", "This Agenda marks no units."),
        ),
        (
            "agendas.0.reward",
            [POINT, {"do": "may", "then": [GAIN]}],
            ("agendas.0.reward.1.then.0", "R26", "This effect needs a unit. Put it inside a choice of units."),
        ),
        (
            "agendas.0.reward",
            [{"do": "paragon", "then": [{"do": "gain_trait", "trait": "brave"}]}],
            ("agendas.0.reward", "", "“brave” does not exist. Choose something else."),
        ),
        (
            "agendas.0.reward",
            [{"do": "add_unit", "one_of": ["Bobo"]}],
            ("agendas.0.reward", "", "“Bobo” does not exist. Choose something else."),
        ),
        (
            "agendas.0.casualty_shield",
            {"units": "marked", "instead": [GAIN]},
            (
                "agendas.0.casualty_shield.instead", "R28",
                "The Agenda marks no units, so there is nothing to protect. Mark units, or clear the box.",
            ),
        ),
        (
            "agendas.2.casualty_shield",
            {"units": "marked", "instead": []},
            (
                "agendas.2.casualty_shield.instead", "R28",
                "Add what marked units gain instead of becoming casualties.",
            ),
        ),
        (
            "agendas.2.casualty_shield",
            {"units": "marked", "instead": [POINT]},
            (
                "agendas.2.casualty_shield.instead.0", "R28",
                "Use only Experience or a Setback here.",
            ),
        ),
        (
            "turning_point.victory",
            [{"do": "roll", "die": "red_attack", "count": "moons", "per_face": {"hit": [POINT]}}],
            ("turning_point.victory", "", "“moons” does not exist. Choose something else."),
        ),
        (
            "turning_point.defeat",
            [{"do": "per_progression", "then": [POINT]}],
            ("turning_point.defeat.0", "R26", "Only an Agenda has progressions to count."),
        ),
        (
            "turning_point.victory",
            [{"do": "may", "then": [TAKE]}],
            ("turning_point.victory.0.then.0", "R26", MISPLACED),
        ),
        (
            "turning_point.end_of_game",
            [{"who": "each player", "when": {"won": True}, "reward": [TAKE]}],
            ("turning_point.end_of_game.0.reward.0", "R26", MISPLACED),
        ),
        ("agendas.1.reward", [TAKE], ("agendas.1.reward.0", "R26", MISPLACED)),
        (
            "turning_point.end_of_game",
            [{"who": "each player", "when": {"no_marked_unit_defeated": True}, "reward": [POINT]}],
            ("turning_point.end_of_game.0.when", "R29", "A Turning Point Mission marks no units."),
        ),
        (
            "turning_point.end_of_game",
            [{"who": "each player", "when": {"won": True}, "reward": []}],
            ("turning_point.end_of_game.0.reward", "R26", "Add a reward for this condition."),
        ),
        (
            "agendas.0.reward",
            [POINT] * (MOST_CLAUSES + 1),
            ("agendas.0.reward", "", "A reward can have up to 60 effects, nested up to 8 deep. Remove some."),
        ),
    ],
)  # fmt: skip
def test_one_thing_is_wrong(book: Rulebook, arc: Arc, path: str, value: Any, expected: tuple[str, str, str]) -> None:
    assert violations(book, spoiled(arc, path, value)) == [expected]


def test_a_reward_that_is_too_deep(book: Rulebook, arc: Arc) -> None:
    reward: list[Any] = [POINT]
    for _ in range(DEEPEST):
        reward = [{"do": "may", "then": reward}]
    assert deepest(reward) == DEEPEST + 1
    assert list(arc_violations(book, spoiled(arc, "agendas.0.reward", reward))) == [
        Violation("", "A reward can have up to 60 effects, nested up to 8 deep. Remove some.", "agendas.0.reward")
    ]
    assert list(arc_violations(book, spoiled(arc, "agendas.0.reward", reward[0]["then"]))) == []


def test_a_number_that_is_asked_for_and_the_arcs_own_trait(book: Rulebook, arc: Arc) -> None:
    roll = {"do": "roll", "die": "red_attack", "count": "crates", "per_face": {"hit": [POINT]}}
    trait = {"do": "paragon", "then": [{"do": "gain_trait", "trait": OWN_TRAIT}]}
    asking = spoiled(arc, "turning_point.asks", {"crates": "How many crates?"})
    assert violations(book, spoiled(asking, "turning_point.victory", [roll, trait])) == []

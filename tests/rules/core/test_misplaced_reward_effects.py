"""Clauses that can be read and make no sense where they stand."""

from typing import Any

import pytest

from rules.core.reward_effects import RewardContext, misplaced, misplaced_in_shield, read_reward
from tests.rules.arcs.arcs import PRINTED

NO_UNIT = "This concerns a unit, and no unit has been chosen here."
NO_AGENDA = "This counts progressions, which only an Agenda has."
EMPTY = "Nothing is inside."
GAIN = {"do": "gain_experience", "amount": 1}
POINT = {"do": "gain_supply_points", "amount": 1}


def faults(clause: dict[str, Any], context: RewardContext) -> list[tuple[str, str]]:
    return list(misplaced(read_reward([POINT, clause], ""), context))


@pytest.mark.parametrize(
    "clause",
    [
        GAIN,
        {"do": "remove_setbacks", "count": 1},
        {"do": "gain_setback"},
        {"do": "gain_keyword", "keyword": "Agile 1"},
        {"do": "lose_keyword", "keyword": "Agile 1"},
        {"do": "award_commendation"},
        {"do": "gain_upgrade"},
        {"do": "when", "condition": "unit_has_setbacks", "then": [POINT]},
        {"do": "when", "condition": "unit_had_no_setbacks", "then": [POINT]},
        {"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [POINT]},
    ],
    ids=lambda clause: str(clause["do"]),
)
def test_who_gains_it(clause: dict[str, Any]) -> None:
    assert faults(clause, RewardContext()) == [("1", NO_UNIT)]
    assert faults(clause, RewardContext(unit=True)) == []
    inside = (
        {"do": "choose_units", "count": 1, "each": [clause]},
        {"do": "draw_order_tokens", "count": 1, "each": [clause]},
        {"do": "paragon", "then": [clause]},
        {"do": "paragon", "then": [{"do": "choose_one", "options": [[clause], []]}]},
    )
    assert [faults(one, RewardContext()) for one in inside] == [[], [], [], []]
    assert faults({"do": "marked_units", "then": [clause]}, RewardContext(marks=True)) == []


@pytest.mark.parametrize(
    ("clause", "path"),
    [
        ({"do": "may", "then": [GAIN]}, "1.then.0"),
        ({"do": "when", "condition": "won", "then": [GAIN]}, "1.then.0"),
        ({"do": "choose_one", "options": [[], [POINT, GAIN]]}, "1.options.1.1"),
        ({"do": "roll", "die": "red_defense", "count": 2, "per_face": {"block": [GAIN]}}, "1.per_face.block.0"),
        ({"do": "per_progression", "then": [GAIN]}, "1.then.0"),
    ],
)
def test_the_place_of_what_is_inside(clause: dict[str, Any], path: str) -> None:
    assert faults(clause, RewardContext(progressions=True)) == [(path, NO_UNIT)]


@pytest.mark.parametrize(
    "clause",
    [
        {"do": "per_progression", "then": []},
        {"do": "may", "then": []},
        {"do": "when", "condition": "won", "then": []},
        {"do": "paragon", "then": []},
        {"do": "marked_units", "then": []},
        {"do": "choose_units", "count": 1, "each": []},
        {"do": "draw_order_tokens", "count": 1, "each": []},
        {"do": "choose_one", "options": [[], []]},
        {"do": "roll", "die": "red_defense", "count": 1, "per_face": {"block": []}},
    ],
    ids=lambda clause: str(clause["do"]),
)
def test_nothing_inside(clause: dict[str, Any]) -> None:
    assert faults(clause, RewardContext(progressions=True, marks=True)) == [("1", EMPTY)]


def test_a_die_that_does_nothing() -> None:
    roll = {"do": "roll", "die": "red_defense", "count": 1, "per_face": {}}
    assert faults(roll, RewardContext()) == [("1", "No face of the die does anything.")]


@pytest.mark.parametrize(
    "clause",
    [
        {"do": "per_progression", "then": [POINT]},
        {"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]},
        {"do": "roll", "die": "red_defense", "count": "progressions", "per_face": {"block": [POINT]}},
    ],
    ids=lambda clause: str(clause["do"]),
)
def test_only_an_agenda_progresses(clause: dict[str, Any]) -> None:
    assert faults(clause, RewardContext()) == [("1", NO_AGENDA)]
    assert faults(clause, RewardContext(progressions=True)) == []


def test_only_some_agendas_mark_units() -> None:
    clause = {"do": "marked_units", "then": [GAIN]}
    assert faults(clause, RewardContext()) == [("1", "This concerns marked units, and none is marked.")]
    assert faults(clause, RewardContext(marks=True)) == []


def test_a_shield_gives_experience_or_setbacks() -> None:
    """R28, R35."""
    shield = read_reward([GAIN, {"do": "gain_setback"}, POINT], "")
    assert list(misplaced_in_shield(shield)) == [
        ("2", "A shielded unit gains Experience or a Setback, and nothing else.")
    ]


@pytest.mark.parametrize("arc", PRINTED, ids=lambda arc: arc["slug"])
def test_what_is_printed_makes_sense(arc: dict[str, Any]) -> None:
    for agenda in arc["agendas"]:
        context = RewardContext(progressions=True, marks="marks" in agenda)
        assert list(misplaced(read_reward(agenda["reward"], ""), context)) == []
        assert list(misplaced_in_shield(read_reward(agenda.get("casualty_shield", {}).get("instead", []), ""))) == []
    mission = arc["turning_point"]
    for reward in (mission["victory"], mission["defeat"], *(entry["reward"] for entry in mission["end_of_game"])):
        assert list(misplaced(read_reward(reward, ""), RewardContext())) == []

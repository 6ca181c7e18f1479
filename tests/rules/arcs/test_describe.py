"""Rewards and conditions line by line."""

from typing import Any

import pytest

from rules.arcs.describe import Branch, Line, condition_words, outline
from rules.core.reward_effects import read_condition, read_reward
from rules.core.rulebook import Rulebook

GAIN = {"do": "gain_experience", "amount": 2}
GAINED = "+2 Experience"


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        ({"do": "per_progression", "then": [GAIN]}, "Once for each progression of this battle:"),
        ({"do": "choose_units", "count": 1, "each": [GAIN]}, "Choose 1 unit of the Register:"),
        ({"do": "choose_units", "count": 1, "from": "defeated", "each": [GAIN]}, "Choose 1 unit that was defeated:"),
        ({"do": "choose_units", "count": 2, "from": "defeated", "each": [GAIN]}, "Choose 2 units that were defeated:"),
        ({"do": "choose_units", "count": 3, "from": "fielded", "each": [GAIN], "distinct": True, "optional": True},
         "Choose 3 units that took part, not chosen in this reward before, or nobody:"),
        ({"do": "choose_units", "count": 1, "from": "undefeated", "each": [GAIN]},
         "Choose 1 unit that took part and was not defeated:"),
        ({"do": "choose_units", "count": 1, "from": "non_paragon", "each": [GAIN]},
         "Choose 1 unit other than the Paragon:"),
        ({"do": "may", "then": [GAIN]}, "If the player likes:"),
        ({"do": "when", "condition": "won", "then": [GAIN]}, "If the battle was won:"),
        ({"do": "when", "condition": "unit_has_setbacks", "then": [GAIN]}, "If the unit has Setbacks:"),
        ({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [GAIN]}, "If the unit has Hunted:"),
        ({"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]},
         "Draw one order token for each progression; for each, a unit of that rank:"),
        ({"do": "draw_order_tokens", "count": 2, "each": [GAIN]},
         "Draw 2 order tokens; for each, a unit of that rank:"),
        ({"do": "draw_order_tokens", "count": 1, "each": [GAIN]},
         "Draw 1 order token; for each, a unit of that rank:"),
        ({"do": "draw_order_tokens", "count": "crates_secured", "each": [GAIN]},
         "Draw one order token for each “crates secured”; for each, a unit of that rank:"),
        ({"do": "marked_units", "then": [GAIN]}, "Each marked unit:"),
        ({"do": "marked_units", "only": "undefeated", "then": [GAIN]}, "Each marked unit that was not defeated:"),
        ({"do": "paragon", "then": [GAIN]}, "The Paragon:"),
    ],
)  # fmt: skip
def test_a_clause_with_something_inside(book: Rulebook, clause: dict[str, Any], text: str) -> None:
    key = "each" if "each" in clause else "then"
    inside = Branch(f"0.{key}", "", (Line(f"0.{key}.0", GAINED),))
    assert outline(book, read_reward([clause], "")) == (Line("0", text, (inside,)),)


def test_a_clause_by_itself(book: Rulebook) -> None:
    reward = read_reward([{"do": "gain_supply_points", "amount": 1}, {"do": "gain_setback"}], "")
    assert outline(book, reward) == (Line("0", "+1 SP"), Line("1", "Gain a Setback"))


def test_options(book: Rulebook) -> None:
    [line] = outline(book, read_reward([{"do": "choose_one", "options": [[GAIN], []]}], ""))
    assert line == Line(
        "0",
        "Choose one of these:",
        (Branch("0.options.0", "Option 1", (Line("0.options.0.0", GAINED),)), Branch("0.options.1", "Option 2", ())),
    )


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (5, "Roll 5 red defense dice:"),
        (1, "Roll 1 red defense die:"),
        ("progressions", "Roll one red defense die for each progression:"),
        ("equipment_removed", "Roll one red defense die for each “equipment removed”:"),
    ],
)
def test_dice_have_a_branch_for_each_face(book: Rulebook, count: int | str, text: str) -> None:
    roll = {"do": "roll", "die": "red_defense", "count": count, "per_face": {"surge": [GAIN]}}
    assert outline(book, read_reward([roll], "")) == (
        Line(
            "0",
            text,
            (
                Branch("0.per_face.block", "Each block", ()),
                Branch("0.per_face.surge", "Each surge", (Line("0.per_face.surge.0", GAINED),)),
                Branch("0.per_face.blank", "Each blank", ()),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({"tokens_at_least": 4}, "there are 4 or more tokens"),
        ({"secondary_vp_at_least": 3}, "secondary objectives brought 3 VP or more"),
        ({"secondary_vp_more_than_opponent": True}, "secondary objectives brought more VP than the opponent's"),
        ({"marked_undefeated_at_least": 2}, "2 or more marked units were not defeated"),
        ({"no_marked_unit_defeated": True}, "no marked unit was defeated"),
        ({"won": True}, "the battle was won"),
        ({"lost": True}, "the battle was lost"),
        ({"confirmed": "The gate stands"}, "the player says so: “The gate stands”"),
        ({"all": [{"won": True}, {"tokens_at_least": 1}]}, "the battle was won, and there are 1 or more tokens"),
    ],
)
def test_a_condition_in_words(condition: dict[str, Any], words: str) -> None:
    assert condition_words(read_condition(condition, "")) == words

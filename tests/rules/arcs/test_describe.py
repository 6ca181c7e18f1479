"""A reward as the tree of the Story Arc editor."""

from typing import Any

import pytest

from rules.arcs.describe import Branch, EffectNode, outline
from rules.core.reward_effects import read_reward
from rules.core.rulebook import Rulebook

GAIN = {"do": "gain_experience", "amount": 2}
GAINED = "It gains 2 XP."


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        ({"do": "per_progression", "then": [GAIN]}, "For each progression:"),
        ({"do": "choose_units", "count": 1, "each": [GAIN]}, "Choose 1 unit:"),
        ({"do": "choose_units", "count": 2, "from": "defeated", "each": [GAIN]}, "Choose 2 defeated units:"),
        ({"do": "choose_units", "count": 3, "from": "fielded", "each": [GAIN], "distinct": True, "optional": True},
         "You may choose up to 3 units from your army that you have not chosen yet:"),
        ({"do": "choose_units", "count": 1, "from": "undefeated", "each": [GAIN]},
         "Choose 1 undefeated unit from your army:"),
        ({"do": "choose_units", "count": 1, "from": "non_paragon", "each": [GAIN]},
         "Choose 1 unit other than your Paragon:"),
        ({"do": "may", "then": [GAIN]}, "You may:"),
        ({"do": "when", "condition": "won", "then": [GAIN]}, "If you won:"),
        ({"do": "when", "condition": "unit_has_setbacks", "then": [GAIN]}, "If the unit has any Setbacks:"),
        ({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [GAIN]}, "If the unit has Hunted:"),
        ({"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]},
         "Draw 1 order token at random for each progression; for each token, a unit of its rank:"),
        ({"do": "draw_order_tokens", "count": 2, "each": [GAIN]},
         "Draw 2 order tokens at random; for each token, a unit of its rank:"),
        ({"do": "marked_units", "then": [GAIN]}, "Each marked unit:"),
        ({"do": "marked_units", "only": "undefeated", "then": [GAIN]}, "Each marked unit that was not defeated:"),
        ({"do": "paragon", "then": [GAIN]}, "Your Paragon:"),
    ],
)  # fmt: skip
def test_an_effect_with_something_inside(book: Rulebook, effect: dict[str, Any], text: str) -> None:
    key = "each" if "each" in effect else "then"
    inside = Branch(f"0.{key}", "", (EffectNode(f"0.{key}.0", GAINED),))
    assert outline(book, read_reward([effect], "")) == (EffectNode("0", text, (inside,)),)


def test_an_effect_by_itself(book: Rulebook) -> None:
    reward = [
        {"do": "gain_supply_points", "amount": 1},
        {"do": "gain_setback"},
        {"do": "gain_trait", "trait": "greedy"},
    ]
    assert outline(book, read_reward(reward, "")) == (
        EffectNode("0", "Gain 1 SP."),
        EffectNode("1", "It gains 1 Setback."),
        EffectNode("2", "Your Paragon gains the Defining Trait Greedy."),
    )


@pytest.mark.parametrize(
    ("second", "head", "nodes"),
    [([], "You may choose one:", ()), ([GAIN], "Choose one:", (EffectNode("0.options.1.0", GAINED),))],
)
def test_options(book: Rulebook, second: list[Any], head: str, nodes: tuple[EffectNode, ...]) -> None:
    [node] = outline(book, read_reward([{"do": "choose_one", "options": [[GAIN], second]}], ""))
    assert node == EffectNode(
        "0",
        head,
        (
            Branch("0.options.0", "Option 1", (EffectNode("0.options.0.0", GAINED),)),
            Branch("0.options.1", "Option 2", nodes),
        ),
    )


@pytest.mark.parametrize(
    ("count", "text", "each"),
    [
        (5, "Roll 5 red defense dice:", "For each"),
        (1, "Roll 1 red defense die:", "On a"),
        ("progressions", "Roll 1 red defense die for each progression:", "For each"),
        ("crates", "How many crates were loaded? Roll that many red defense dice:", "For each"),
        ("lost", "Units lost: roll that many red defense dice:", "For each"),
    ],
)
def test_dice_have_a_branch_for_each_face(book: Rulebook, count: int | str, text: str, each: str) -> None:
    asks = {"crates": "How many crates were loaded? (0 to 4)", "lost": "Units lost"}
    roll = {"do": "roll", "die": "red_defense", "count": count, "per_face": {"surge": [GAIN]}}
    assert outline(book, read_reward([roll], ""), asks=asks) == (
        EffectNode(
            "0",
            text,
            (
                Branch("0.per_face.block", f"{each} block", ()),
                Branch("0.per_face.surge", f"{each} surge", (EffectNode("0.per_face.surge.0", GAINED),)),
                Branch("0.per_face.blank", f"{each} blank", ()),
            ),
        ),
    )

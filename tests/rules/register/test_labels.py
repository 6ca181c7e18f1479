"""Short words for units and rewards."""

import pytest

from rules.core.reward_effects import read_reward
from rules.core.rulebook import Rulebook
from rules.register.labels import reward_words, unit_hint, unit_label
from tests.rules.build import OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, WALKER, change, state, without


def test_a_unit_is_called_by_its_name_else_its_card(book: Rulebook) -> None:
    start = change(state(), SNOW, name="")
    assert [unit_label(book, start, key) for key in (TROOPERS, SNOW)] == ["Grim Hounds", "Snowtroopers"]


def test_two_that_are_alike_are_told_apart_by_their_number(book: Rulebook) -> None:
    start = change(change(state(), TROOPERS, name=""), OTHERS, name="")
    assert [unit_label(book, start, key) for key in (TROOPERS, OTHERS)] == [
        "Stormtroopers (no. 2)", "Stormtroopers (no. 3)",
    ]  # fmt: skip


def test_two_cards_of_one_name_and_two_units_of_one_name_are_told_apart(book: Rulebook) -> None:
    start = change(change(state(), SCOUT, name=""), WALKER, card="scout-troopers-strike-team", name="")
    assert [unit_label(book, start, key) for key in (SCOUT, WALKER)] == [
        "Scout Troopers (no. 5)", "Scout Troopers (no. 7)",
    ]  # fmt: skip
    assert unit_label(book, start, SCOUT, full=True) == "Scout Troopers"
    twice = change(state(), SNOW, name="Red Six")
    assert [unit_label(book, twice, key) for key in (SNOW, SCOUT)] == ["Red Six (no. 4)", "Red Six (no. 5)"]


def test_a_card_may_be_said_with_its_title(book: Rulebook) -> None:
    start = change(state(), PARAGON, name="")
    assert [unit_label(book, start, PARAGON, full=full) for full in (False, True)] == [
        "Imperial Officer", "Imperial Officer, Ruthless Efficiency",
    ]  # fmt: skip


def test_those_who_left_are_still_called_by_their_name(book: Rulebook) -> None:
    start = change(state(), TROOPERS, name="")
    gone = {TROOPERS: start.dossiers[TROOPERS]}
    left = without(start, TROOPERS)
    assert unit_label(book, state(fallen=gone, dossiers=left.dossiers), TROOPERS) == "Stormtroopers"
    assert unit_label(book, state(reassigned=gone, dossiers=left.dossiers), TROOPERS) == "Stormtroopers"


def test_what_helps_to_decide(book: Rulebook) -> None:
    start = change(state(), TROOPERS, experience=7, veteran_rank=1, setbacks=("downtrodden", "battle-fatigue"))
    assert [unit_hint(book, change(start, SNOW, name="").dossiers[key]) for key in (TROOPERS, SNOW)] == [
        "Stormtroopers · 7 XP, VR 1 · Battle-Fatigue 1 · Downtrodden 1", "0 XP, VR 0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ({"do": "gain_supply_points", "amount": 2}, "+2 SP"),
        ({"do": "gain_combat_potential", "amount": 100}, "+100 Combat Potential"),
        ({"do": "gain_experience", "amount": 1}, "+1 Experience"),
        ({"do": "remove_setbacks", "count": "all"}, "remove all Setbacks"),
        ({"do": "remove_setbacks", "count": 1}, "remove 1 Setback"),
        ({"do": "remove_setbacks", "count": 2}, "remove 2 Setbacks"),
        ({"do": "gain_setback"}, "gain a Setback"),
        ({"do": "gain_keyword", "keyword": "Compel"}, "gain Compel"),
        ({"do": "lose_keyword", "keyword": "Hunted"}, "lose Hunted"),
        ({"do": "gain_trait", "trait": "on-the-back-foot"}, "gain the Defining Trait On the Back Foot"),
        ({"do": "award_commendation"}, "one more Commendation"),
        ({"do": "add_unit", "one_of": ["A", "B"]}, "one of these joins: A, B"),
        ({"do": "gain_reputation", "amount": 1}, "+1 Reputation"),
        ({"do": "opponent_loses_supply_points", "amount": 2}, "the opponent: −2 SP"),
        ({"do": "gain_asset", "asset": "medevac"}, "Medevac"),
        ({"do": "gain_upgrade"}, "gain an upgrade"),
        ({"do": "gain_upgrade", "types": ["gear", "comms"]}, "gain an upgrade of type gear or comms"),
    ],
)
def test_a_clause_in_words(book: Rulebook, clause: dict[str, object], words: str) -> None:
    assert reward_words(book, read_reward([clause], "")) == words


GAIN = {"do": "gain_experience", "amount": 2}


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ({"do": "per_progression", "then": [GAIN]}, "for each progression: +2 Experience"),
        ({"do": "choose_units", "count": 1, "each": [GAIN]}, "1 of your units: +2 Experience"),
        ({"do": "choose_units", "count": 3, "each": [GAIN], "optional": True, "from": "defeated"},
         "up to 3 of your defeated units: +2 Experience"),
        ({"do": "choose_units", "count": 1, "each": [GAIN], "from": "fielded"},
         "1 of your fielded units: +2 Experience"),
        ({"do": "choose_units", "count": 1, "each": [GAIN], "from": "undefeated"},
         "1 of your undefeated units: +2 Experience"),
        ({"do": "choose_units", "count": 1, "each": [GAIN], "from": "non_paragon"},
         "1 of your units other than the Paragon: +2 Experience"),
        ({"do": "choose_one", "options": [[GAIN], []]}, "+2 Experience or nothing"),
        ({"do": "may", "then": [GAIN, {"do": "gain_setback"}]}, "may +2 Experience; gain a Setback"),
        ({"do": "when", "condition": "won", "then": [GAIN]}, "if you won: +2 Experience"),
        ({"do": "when", "condition": "lost", "then": [GAIN]}, "if you lost: +2 Experience"),
        ({"do": "when", "condition": "unit_has_setbacks", "then": [GAIN]}, "if it has Setbacks: +2 Experience"),
        ({"do": "when", "condition": "unit_had_no_setbacks", "then": [GAIN]}, "if it had none: +2 Experience"),
        ({"do": "when", "condition": "paragon_not_defeated", "then": [GAIN]},
         "if the Paragon was not defeated: +2 Experience"),
        ({"do": "when", "condition": "no_marked_unit_defeated", "then": [GAIN]},
         "if no marked unit was defeated: +2 Experience"),
        ({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [GAIN]}, "if it has Hunted: +2 Experience"),
        ({"do": "roll", "die": "red_defense", "count": 5, "per_face": {"block": [GAIN], "surge": []}},
         "roll 5 red defense dice, each block: +2 Experience, each surge: nothing"),
        ({"do": "roll", "die": "red_attack", "count": "equipment_removed", "per_face": {"hit": [GAIN]}},
         "roll equipment removed red attack dice, each hit: +2 Experience"),
        ({"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]},
         "draw an order token for each progression, and choose a unit of its rank: +2 Experience"),
        ({"do": "draw_order_tokens", "count": 2, "each": [GAIN]},
         "draw 2 order tokens, and choose a unit of each rank: +2 Experience"),
        ({"do": "marked_units", "then": [GAIN]}, "each marked unit: +2 Experience"),
        ({"do": "marked_units", "then": [GAIN], "only": "undefeated"}, "each undefeated marked unit: +2 Experience"),
        ({"do": "paragon", "then": [GAIN]}, "the Paragon: +2 Experience"),
    ],
)  # fmt: skip
def test_a_clause_that_holds_others_in_words(book: Rulebook, clause: dict[str, object], words: str) -> None:
    assert reward_words(book, read_reward([clause], "")) == words


def test_several_clauses_and_none(book: Rulebook) -> None:
    assert reward_words(book, read_reward([GAIN, {"do": "gain_setback"}], "")) == "+2 Experience; gain a Setback"
    assert reward_words(book, ()) == "nothing"

"""Clauses and conditions as forms: the whole vocabulary, and every reward that is printed."""

from collections.abc import Iterator
from typing import Any

import pytest

from campaign.story_arcs.forms import NAMES, ClauseForm, ConditionForm
from rules.arcs.custom_arcs import OWN_TRAIT
from rules.core.reward_effects import _CLAUSES, _COUNTED, _PLAIN, read_condition, read_reward
from tests.campaign.sending import posted
from tests.rules.arcs.arcs import PRINTED, as_written

ASKS = {"equipment_removed": "Enter a number."}


def through_form(book: Any, clause: dict[str, Any]) -> dict[str, Any]:
    """A clause after its form was opened and sent as it is, and so was everything inside it."""
    inside = {**clause}
    for key in ("each", "then"):
        if key in clause:
            inside[key] = [through_form(book, each) for each in clause[key]]
    if "options" in clause:
        inside["options"] = [[through_form(book, each) for each in option] for option in clause["options"]]
    if "per_face" in clause:
        inside["per_face"] = {
            face: [through_form(book, each) for each in then] for face, then in clause["per_face"].items()
        }
    words = {"word": clause["do"], "book": book, "asks": ASKS, "clause": inside}
    form = ClauseForm(posted(ClauseForm(**words)), **words)
    assert form.is_valid(), form.errors
    return form.as_clause()


def rewards() -> Iterator[Any]:
    for whole in PRINTED:
        arc = as_written(whole)
        for agenda in arc["agendas"]:
            yield agenda["reward"]
            yield agenda.get("casualty_shield", {}).get("instead", [])
        mission = arc["turning_point"]
        yield from (mission["victory"], mission["defeat"], *(e["reward"] for e in mission["end_of_game"]))


def conditions() -> Iterator[Any]:
    for whole in PRINTED:
        for agenda in whole["agendas"]:
            yield from agenda["progress"]
        yield from (entry["when"] for entry in whole["turning_point"]["end_of_game"])


def test_every_printed_reward_comes_through_the_forms(book):
    for reward in rewards():
        again = [through_form(book, clause) for clause in reward]
        assert read_reward(again, "") == read_reward(reward, "")


def test_every_printed_condition_comes_through_the_forms():
    for condition in conditions():
        drawn = ConditionForm(condition=condition)
        sent = {key: value for part in drawn.parts for key, value in posted(part).items()}
        form = ConditionForm(sent)
        assert form.is_valid()
        assert read_condition(form.as_condition(), "") == read_condition(condition, "")


SP = {"do": "gain_supply_points", "amount": 2}
VOCABULARY = [
    SP,
    {"do": "gain_combat_potential", "amount": 50},
    {"do": "gain_reputation", "amount": 1},
    {"do": "opponent_loses_supply_points", "amount": 2},
    {"do": "gain_asset", "asset": "medevac"},
    {"do": "gain_upgrade"},
    {"do": "gain_upgrade", "types": ["gear", "comms"]},
    {"do": "gain_experience", "amount": 1},
    {"do": "remove_setbacks", "count": 2},
    {"do": "remove_setbacks", "count": "all"},
    {"do": "gain_setback"},
    {"do": "gain_keyword", "keyword": "Reliable 1"},
    {"do": "lose_keyword", "keyword": "Agile"},
    {"do": "gain_trait", "trait": OWN_TRAIT},
    {"do": "award_commendation"},
    {"do": "add_unit", "one_of": ["Stormtroopers", "Rebel Troopers"]},
    {"do": "per_progression", "then": [SP]},
    {"do": "choose_units", "count": 2, "each": [], "from": "undefeated", "distinct": True, "optional": True},
    {"do": "choose_one", "options": [[SP], [], [SP]]},
    {"do": "may", "then": [SP]},
    {"do": "when", "condition": "won", "then": [SP]},
    {"do": "when", "condition": {"has_keyword": "Agile"}, "then": [SP]},
    {"do": "roll", "die": "red_attack", "count": 3, "per_face": {"hit": [SP]}},
    {"do": "roll", "die": "white_defense", "count": "progressions", "per_face": {}},
    {"do": "roll", "die": "black_attack", "count": "equipment_removed", "per_face": {"surge": [SP]}},
    {"do": "draw_order_tokens", "count": "progressions", "each": [SP]},
    {"do": "marked_units", "then": [SP], "only": "undefeated"},
    {"do": "marked_units", "then": [SP]},
    {"do": "paragon", "then": [SP]},
]


@pytest.mark.parametrize("clause", VOCABULARY, ids=lambda clause: clause["do"])
def test_every_clause(book, clause):
    assert through_form(book, clause) == clause


def test_no_clause_and_no_condition_is_left_out():
    assert {clause["do"] for clause in VOCABULARY} == set(NAMES) == set(_CLAUSES)
    offered = {word for word, _ in ConditionForm().parts[0].fields["word"].choices}
    assert offered == {"", "confirmed", *_COUNTED, *_PLAIN}


@pytest.mark.parametrize(
    ("word", "sent", "clause", "errors"),
    [
        ("gain_experience", {"amount": "0"}, None, {"amount"}),
        ("gain_keyword", {}, None, {"keyword"}),
        ("when", {"condition": "has_keyword"}, None, {"keyword"}),
        ("add_unit", {"one_of": "Nobody"}, None, {"one_of"}),
        ("roll", {"die": "blue", "count": "elsewhere"}, None, {"die", "count"}),
        ("choose_one", {"options": "2"}, {"do": "choose_one", "options": [[], [], [SP]]}, {"options"}),
    ],
)
def test_refused(book, word, sent, clause, errors):
    form = ClauseForm(sent, word=word, book=book, asks={}, clause=clause)
    assert set(form.errors) == errors


def test_another_die_keeps_the_faces_it_has(book):
    clause = {"do": "roll", "die": "red_attack", "count": 1, "per_face": {"hit": [SP], "surge": [SP]}}
    sent = {"die": "red_defense", "count": "2"}
    form = ClauseForm(sent, word="roll", book=book, asks={}, clause=clause)
    assert form.is_valid()
    assert form.as_clause() == {"do": "roll", "die": "red_defense", "count": 2, "per_face": {"surge": [SP]}}


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        ({}, {"word"}),
        ({"0-word": "tokens_at_least"}, {"number"}),
        ({"0-word": "confirmed", "0-text": " "}, {"text"}),
        ({"0-word": "tokens_at_least", "0-number": "0"}, {"number"}),
    ],
)
def test_a_condition_that_says_nothing(sent, errors):
    form = ConditionForm(sent)
    assert not form.is_valid()
    assert set(form.parts[0].errors) == errors


def test_several_things_that_all_have_to_be_so():
    form = ConditionForm({"0-word": "won", "2-word": "tokens_at_least", "2-number": "3"})
    assert form.is_valid()
    assert form.as_condition() == {"all": [{"won": True}, {"tokens_at_least": 3}]}

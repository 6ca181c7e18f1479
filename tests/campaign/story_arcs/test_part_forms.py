"""The parts of a Story Arc as forms: every printed one comes through, and so do those that come along."""

import json

import pytest

from campaign.story_arcs.forms import PARTS, CommendationForm, MissionForm, TraitForm
from campaign.story_arcs.services.story_arcs import FOLDER
from rules.arcs.custom_arcs import blank_arc, named, part_at
from rules.catalogue.loader import read_arc
from tests.campaign.sending import posted
from tests.rules.arcs.arcs import PRINTED, as_written, spoiled

ARCS = [as_written(whole) for whole in PRINTED] + [
    json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
]


@pytest.mark.parametrize("arc", ARCS, ids=lambda arc: arc["name"])
def test_every_part_comes_through_its_form(arc):
    again = arc
    for path, make in PARTS.values():
        part = part_at(again, path)
        form = make(posted(make(part=part)), part=part)
        assert form.is_valid(), form.errors
        again = spoiled(again, path, form.as_part()) if path else form.as_part()
    assert read_arc(named(again, "x")) == read_arc(named(arc, "x"))


def test_a_blank_one_may_stay_blank():
    arc = blank_arc()
    for path, make in PARTS.values():
        form = make(posted(make(part=part_at(arc, path))), part=part_at(arc, path))
        assert form.is_valid(), form.errors


def test_a_question_keeps_its_word_when_it_is_rephrased():
    part = {**blank_arc()["turning_point"], "asks": {"crates": "How many crates?"}}
    form = MissionForm({"ask_0": "How many of the crates?", "ask_1": "Doors?", "ask_2": "Doors?"}, part=part)
    assert form.is_valid()
    assert form.as_part()["asks"] == {"crates": "How many of the crates?", "doors": "Doors?", "doors_2": "Doors?"}


def test_a_roll_before_aid_requests_is_whole():
    part = blank_arc()["defining_trait"]
    form = TraitForm({"games": "2", "die": "red_defense", "faces": ["hit"]}, part=part)
    assert set(form.errors) == {"count", "faces"}


def test_what_a_commendation_takes_and_gives():
    sent = {"name": "N", "effect": "E", "veteran_rank": "2", "paragon": "on", "keywords": "Agile 1\n\nScout 1"}
    form = CommendationForm(sent, part=blank_arc()["commendation"])
    assert form.is_valid()
    assert form.as_part() == {
        "name": "N",
        "effect": "E",
        "requires": {"veteran_rank": 2, "paragon": True},
        "keywords": ["Agile 1", "Scout 1"],
    }

"""What the shared forms need."""

from dataclasses import replace

import pytest
from django.http import QueryDict

from core.form_errors import by_field
from registers.options.context import aid_form, tally, unit_form
from registers.projection import state_of
from rules.core.violations import Violation


def test_the_shelf_of_what_is_missing_stands_open(book, founded):  # R4
    state = state_of(founded)

    def rank(query: str, keys: str) -> str:
        some = {key: state.dossiers[key] for key in keys}
        return unit_form(book, replace(state, dossiers=some), QueryDict(query))["rank"]

    assert [rank("", ""), rank("", "1"), rank("", "12"), rank("", "123")] == ["commander", "corps", "corps", ""]
    assert rank("rank=heavy", "") == "heavy"


@pytest.mark.parametrize(("query", "found"), [("", 0), ("q=s", 0), ("q=strict orders", 1)])
def test_upgrades_are_searched_for_by_two_letters(book, founded, query, found):
    assert len(unit_form(book, state_of(founded), QueryDict(query))["found_upgrades"]) == found


def test_aid_form(book, founded):
    form = aid_form(book, state_of(founded), QueryDict("request=request-reinforcements&unit=2"))
    assert (form["supply_points"], form["unit"].key) == (5, "2")
    assert [request["slug"] for request in form["requests"] if request["open"]] == ["request-reinforcements"]


def test_tally(book, founded):
    assert tally(book, state_of(founded)) == {
        "spent": 139,
        "capacity": 600,
        "commanders": 1,
        "commanders_needed": 1,
        "corps": 2,
        "corps_needed": 2,
        "supply_points": 5,
    }


def test_problems_by_field():
    violations = (Violation("R7", "A name.", "name"), Violation("R2", "Points."), Violation("R5", "No.", "at-st"))
    assert by_field(violations, "name", "story_arc") == {
        "name": ({"rule": "R7", "sentence": "A name."},),
        "story_arc": (),
        "general": ({"rule": "R2", "sentence": "Points."}, {"rule": "R5", "sentence": "No."}),
    }

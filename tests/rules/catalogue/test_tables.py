"""Reading the files row by row: one bad row does not hide the next."""

import json

import pytest

from rules.catalogue.tables import CatalogueError, CatalogueErrors, read_tables
from tests.rules.catalogue.files import edit_json


def spoil(folder, file, old, new):
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def errors_of(folder):
    tables, errors = read_tables(folder)
    return [str(error) for error in errors], tables.unreadable


def test_the_catalogue_is_without_errors(folder):
    assert errors_of(folder) == ([], False)


def test_errors_say_where():
    assert str(CatalogueError("units.csv", "row 2", "wrong")) == "units.csv, row 2: wrong"
    assert str(CatalogueError("units.csv", "", "missing")) == "units.csv: missing"
    errors = [CatalogueError("a.csv", "", "x"), CatalogueError("b.csv", "", "y")]
    assert CatalogueErrors(errors).errors == tuple(errors)


def test_a_missing_column_and_an_unknown_one(folder):
    spoil(folder, "counterparts.csv", "wounds", "woundz")
    assert errors_of(folder) == (
        ["counterparts.csv, row 1: the columns differ: missing 'wounds'; unknown 'woundz'"],
        True,
    )


def test_a_column_twice(folder):
    spoil(folder, "counterparts.csv", "slug,name", "slug,slug,name")
    assert errors_of(folder) == (["counterparts.csv, row 1: the columns differ: one is there twice"], True)


def test_an_empty_file(folder):
    (folder / "battle_cards.csv").write_text("")
    assert errors_of(folder)[1]


def test_a_row_that_is_too_short(folder):
    path = folder / "battle_cards.csv"
    path.write_text(path.read_text() + "one,two\n")
    assert errors_of(folder) == (["battle_cards.csv, row 45: has 2 values for 6 columns"], False)


def test_every_fault_of_a_row_is_told(folder):
    path = folder / "battle_cards.csv"
    path.write_text(path.read_text() + "One,,x,recon,,a1\n")
    assert errors_of(folder) == (
        [
            "battle_cards.csv, row 45: slug: 'One' is not a slug (small letters, digits, hyphens)",
            "battle_cards.csv, row 45: name: a name or text is missing",
            "battle_cards.csv, row 45: type: unknown value 'x'; known are advantage, objective, secondary",
            "battle_cards.csv, row 45: source_id: 'a1' is not a source id (two letters)",
        ],
        False,
    )


def test_a_file_that_is_not_text(folder):
    (folder / "battle_cards.csv").write_bytes(b"\xff\xfe")
    [error], unreadable = errors_of(folder)
    assert (error.startswith("battle_cards.csv: cannot be read: 'utf-8' codec"), unreadable) == (True, True)


def test_a_file_that_is_not_json(folder):
    (folder / "story_arcs.json").write_text('{\n"edition": }')
    assert errors_of(folder) == (["story_arcs.json, line 2: is not JSON: Expecting value"], True)


def test_a_missing_json_file(folder):
    (folder / "tours_of_duty.json").unlink()
    assert errors_of(folder) == (["tours_of_duty.json: the file is missing"], True)


def test_a_missing_and_an_unknown_section(folder):
    edit_json(folder, "tours_of_duty.json", lambda data: data.update(medals=data.pop("keywords")))
    assert errors_of(folder) == (
        ["tours_of_duty.json: missing 'keywords'", "tours_of_duty.json: unknown 'medals'"],
        True,
    )


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (
            lambda data: data["commendations"].append("Brave"),
            "tours_of_duty.json, commendations[28]: expected named values, not 'Brave'",
        ),
        (
            lambda data: data["keywords"][0].update(effect=""),
            "tours_of_duty.json, keywords[0] Disgraced: effect: a name or text is missing",
        ),
        (
            lambda data: data["commendations"][0]["requires"].update(veteran_rank=7, medals=1),
            (
                "tours_of_duty.json, commendations[0] resilient: requires: unknown 'medals'; "
                "veteran_rank: expected a Veteran Rank from 1 to 5, not 7"
            ),
        ),
        (
            lambda data: data["setbacks"][3].update(experience="1"),
            "tours_of_duty.json, setbacks[3] story-arc-setback: experience: expected a whole number, not '1'",
        ),
        (lambda data: data["setbacks"].append(1), "tours_of_duty.json, setbacks[4]: expected named values, not 1"),
    ],
)
def test_an_entry_of_the_tables_that_is_wrong(folder, edit, error):
    edit_json(folder, "tours_of_duty.json", edit)
    assert errors_of(folder) == ([error], False)


ARC = "story_arcs.json, arcs[6] a-pirates-life"


@pytest.mark.parametrize(
    ("edit", "errors"),
    [
        (lambda arc: arc.pop("setback"), [f"{ARC}: missing 'setback'"]),
        (
            lambda arc: arc.update(agendas="three"),
            [f"{ARC}: agendas: expected a list, not 'three'", f"{ARC}.agendas[0]: expected named values, not 'three'"],
        ),
        (
            lambda arc: arc["agendas"][1].update(tally=""),
            [f"{ARC}.agendas[1] loot-and-plunder: tally: a name or text is missing"],
        ),
        (
            lambda arc: arc["turning_point"].update(owner_colour="red", asks=[]),
            [
                f"{ARC}.turning_point: owner_colour: unknown value 'red'; known are blue",
                f"{ARC}.turning_point: asks: expected named texts, not []",
            ],
        ),
        (
            lambda arc: arc["agendas"][1]["marks"].update(count=0),
            [f"{ARC}.agendas[1] loot-and-plunder: marks: count: expected 1 or more"],
        ),
    ],
)
def test_a_part_of_a_story_arc_that_is_wrong(folder, edit, errors):
    edit_json(folder, "story_arcs.json", lambda data: edit(data["arcs"][6]))
    assert errors_of(folder) == (errors, False)


def test_a_story_arc_that_is_none(folder):
    edit_json(folder, "story_arcs.json", lambda data: data["arcs"].append("The End"))
    assert errors_of(folder) == (["story_arcs.json, arcs[7]: expected named values, not 'The End'"], False)


def test_a_byte_order_mark_is_no_part_of_the_first_column(folder):
    path = folder / "battle_cards.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert errors_of(folder) == ([], False)


def test_constants_are_kept_as_they_stand(folder):
    tables, _ = read_tables(folder)
    data = json.loads((folder / "tours_of_duty.json").read_text())
    names = ("starting_register", "experience_thresholds", "maximum_veteran_rank", "dice")
    assert tables.constants == {name: data[name] for name in names}

"""The kinds of values in the files of a catalogue."""

import pytest

from rules.catalogue import csv_fields as c
from rules.core.card_types import Term

WON = {"who": "each player", "when": {"won": True}, "reward": []}
LIMITS = {
    "commander": [1, 2],
    "operative": [0, 2],
    "corps": [3, 6],
    "special-forces": [0, 3],
    "support": [0, 3],
    "heavy": [0, 2],
}


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (c.text, "", ""),
        (c.name, "Rebel Troopers", "Rebel Troopers"),
        (c.slug, "dh-447-sniper", "dh-447-sniper"),
        (c.source_id, "aB", "aB"),
        (c.one_of("", "red"), "", ""),
        (c.number_cell, "15", 15),
        (c.optional_number_cell, "", None),
        (c.optional_number_cell, "0", 0),
        (c.flag_cell, "true", True),
        (c.flag_cell, "false", False),
        (c.words_cell(), "", ()),
        (c.words_cell(), "AI: Dodge, Move|Scale", ("AI: Dodge, Move", "Scale")),
        (c.restriction_cell, "rank:corps", "rank:corps"),
        (c.number, 0, 0),
        (c.optional_number, None, None),
        (c.optional_number, 3, 3),
        (c.count, 1, 1),
        (c.count_or_any, "any", "any"),
        (c.count_or_any, 2, 2),
        (c.flag, False, False),
        (c.list_of(), ["gear", "comms"], ("gear", "comms")),
        (c.texts_by_name, {"blue": "Move."}, {"blue": "Move."}),
        (c.numbers_by_name, {"hit": 3}, {"hit": 3}),
        (c.tables_by_name, {"die": {"hit": 3}}, {"die": {"hit": 3}}),
        (c.reward, [{"do": "gain_setback"}], [{"do": "gain_setback"}]),
        (c.progress, [{"won": True}], [{"won": True}]),
        (c.end_of_game, [WON], [WON]),
        (c.veteran_rank, 5, 5),
        (c.optional_faction, None, ""),
        (c.optional_faction, "rebel", "rebel"),
        (c.anything, [1], [1]),
        (c.rank_limits, LIMITS, {rank: tuple(pair) for rank, pair in LIMITS.items()}),
    ],
)
def test_a_value_is_read(reader, value, read):
    assert reader(value) == read


@pytest.mark.parametrize(
    ("reader", "value", "sentence"),
    [
        (c.text, 3, "expected a text, not 3"),
        (c.name, " ", "a name or text is missing"),
        (c.slug, "Rebel Troopers", "'Rebel Troopers' is not a slug (small letters, digits, hyphens)"),
        (c.source_id, "abc", "'abc' is not a source id (two letters)"),
        (c.one_of("", "red"), "blue", "unknown value 'blue'; known are (nothing), red"),
        (c.number_cell, "-1", "expected a whole number, not '-1'"),
        (c.number_cell, "²", "expected a whole number, not '²'"),
        (c.flag_cell, "yes", "expected true or false, not 'yes'"),
        (c.words_cell(), "Scale||Charge", "a name or text is missing"),
        (c.number, True, "expected a whole number, not True"),
        (c.count, 0, "expected 1 or more"),
        (c.flag, 1, "expected true or false, not 1"),
        (c.list_of(), "gear", "expected a list, not 'gear'"),
        (c.texts_by_name, [], "expected named texts, not []"),
        (c.numbers_by_name, [], "expected named numbers, not []"),
        (c.tables_by_name, [], "expected named tables, not []"),
        (c.reward, [{}], "entry[0]: unknown clause {}"),
        (c.progress, [], "expected a list of conditions, not []"),
        (c.progress, [{"won": 1}], "entry[0].won: write true"),
        (c.end_of_game, {}, "expected a list, not {}"),
        (c.end_of_game, [1], "entry[0]: expected named values, not 1"),
        (c.veteran_rank, 6, "expected a Veteran Rank from 1 to 5, not 6"),
        (
            c.rank_limits,
            {},
            "expected [minimum, maximum] for each of commander, operative, corps, special-forces, support, heavy",
        ),
        (c.rank_limits, LIMITS | {"corps": [4, 3]}, "corps: expected [minimum, maximum], not [4, 3]"),
        (c.rank_limits, LIMITS | {"corps": [4]}, "corps: expected [minimum, maximum], not [4]"),
    ],
)
def test_another_value_is_refused_with_a_sentence(reader, value, sentence):
    with pytest.raises(ValueError, match=r".") as refused:
        reader(value)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("text", "restriction"),
    [
        ("", ()),
        ("rank:corps", ((Term("rank", "corps"),),)),
        (
            "faction:empire|!rank:heavy;unit:Death Troopers",
            ((Term("faction", "empire"), Term("rank", "heavy", negated=True)), (Term("unit", "Death Troopers"),)),
        ),
    ],
)
def test_a_restriction_is_read(text, restriction):
    assert c.read_restriction(text) == restriction


@pytest.mark.parametrize("text", ["rank", "rank:", "colour:red", "rank:corps|", "!!rank:corps", ";rank:corps"])
def test_an_unknown_restriction_is_refused(text):
    with pytest.raises(ValueError, match="unknown restriction"):
        c.read_restriction(text)


def test_an_impossible_value_of_a_restriction_is_refused():
    with pytest.raises(ValueError, match="restriction 'force_side:grey': force_side is one of light, dark"):
        c.read_restriction("force_side:grey")


COLUMNS = c.CsvColumns({"name": c.name, "points": c.number}, {"note": (c.name, "none")})


def test_columns_read_values_with_defaults():
    assert COLUMNS({"name": "AT-RT", "points": 55}) == {"name": "AT-RT", "points": 55, "note": "none"}


def test_columns_tell_everything_that_is_wrong():
    row, faults = COLUMNS.read({"points": "55", "note": "new", "colour": "red"})
    assert (row, faults) == (
        {"note": "new"},
        ["missing 'name'", "unknown 'colour'", "points: expected a whole number, not '55'"],
    )
    assert COLUMNS.read(7) == ({}, ["expected named values, not 7"])
    with pytest.raises(ValueError, match=r"^missing 'points'; name: a name or text is missing$"):
        COLUMNS({"name": ""})

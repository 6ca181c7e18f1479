"""Looking something up."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from catalogue.reference import passages as search
from catalogue.reference.passages import (
    LONGEST,
    Looked,
    Passage,
    PassageRow,
    Section,
    Table,
    found,
    looked_for,
    read_sections,
    size,
)


def ruling(number: int, heading: str, text: str) -> Passage:
    """The passage of a ruling."""
    return Passage(f"R{number}", heading, text, number=f"R{number}", on_sheet=False)


TABLE = Passage(
    "table-assets",
    "Assets",
    "Help for one battle.",
    table=Table(
        ("Asset", "What"),
        (PassageRow("a-1", ("Medevac", "No check.")), PassageRow("a-2", ("Combat Drop", "Infiltrate."))),
    ),
)
SHORT = Passage("short", "In short", lines=("Roll the dice.", "Remove a Setback."), ordered=True)
SECTIONS = (
    Section("one", "One", (ruling(3, "One Faction", "As R33 says, all of one."), SHORT)),
    Section("two", "Two", (ruling(33, "Rerolls", "Roll the player’s dice again."), TABLE)),
)

#: Letters that a pattern takes for others, and some that it does not.
ALPHABET = "aAiIıİsSſßẞkKσς'’-3é"


def ids(question: str) -> list[str]:
    looked = looked_for(question)
    assert looked is not None
    return [passage.id for section in found(SECTIONS, looked) for passage in section.passages]


@pytest.mark.parametrize("question", ["", "  ", "?!", "—"])
def test_nothing_is_looked_for(question):
    assert looked_for(question) is None


def test_words_once_each_and_not_without_end():
    assert looked_for("roll, the roll") == Looked(("roll", "the"))
    assert looked_for("a" * 200) == Looked(("a" * LONGEST,))


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("roll", ["short", "R33"]),
        ("ROLL dice", ["short", "R33"]),
        ("roll setback", []),
        ("oll", []),
        ("player's", ["R33"]),
        ("player’s", ["R33"]),
        ("battle", ["table-assets"]),
        ("setback", ["short"]),
        ("xyzzy", []),
        (".*", None),
    ],
)
def test_all_words_must_begin_a_word(question, passages):
    assert (ids(question) if passages is not None else looked_for(question)) == passages


def test_a_number_means_that_ruling_and_it_stands_first():
    assert (ids("R33"), ids("r33"), ids("R3"), ids("R34")) == (["R33", "R3"], ["R33", "R3"], ["R3"], [])


def test_lines_and_rows_that_do_not_speak_of_it_are_left_out():
    looked = Looked(("medevac",))
    [section] = found(SECTIONS, looked)
    [passage] = section.passages
    assert (passage.text, [row.name for row in passage.table.rows]) == ("", ["Medevac"])
    [[short]] = [section.passages for section in found(SECTIONS, Looked(("remove",)))]
    assert short.lines == ("Remove a Setback.",)


def test_of_a_name_everything_is_shown():
    [[table]] = [section.passages for section in found(SECTIONS, Looked(("assets",)))]
    assert table == TABLE
    [[text]] = [section.passages for section in found(SECTIONS, Looked(("help",)))]
    assert (text.text, text.table) == (TABLE.text, None)


def test_the_words_of_a_house_rule_are_found_at_its_ruling():
    sections = (Section("s", "S", (ruling(28, "Daring Defense", "A part of its reward."),)),)
    assert [passage.id for section in found(sections, Looked(("marked",))) for passage in section.passages] == ["R28"]


def test_size():
    assert size(SECTIONS) == 4


@given(
    st.lists(st.text(ALPHABET, min_size=1, max_size=4), min_size=1, max_size=2).map(tuple),
    st.text(ALPHABET + " ", max_size=20),
)
def test_no_text_is_passed_over_that_the_patterns_find(words, text):
    """Whether the letters are there at all is only asked first."""
    found = all(re.search(search._pattern(word), text, re.IGNORECASE) for word in words)
    assert search.Looked(words).are_in(text) is found


WRITTEN = """
# dice | Dice

## dice-in-short | In short

* Roll them.
* Read them.

## R91 | Rerolls

Reroll **one** die.

- Not two.

## R92 | Thrown off the table | on the sheet

Roll it again.

# step-3

## remark | Remark | not on the sheet

Nothing happens.
"""


REMARK = Passage("remark", "Remark", "Nothing happens.", on_sheet=False)


def test_sections_are_read_from_their_text():
    assert list(read_sections(WRITTEN)) == [
        Section(
            "dice",
            "Dice",
            (
                Passage("dice-in-short", "In short", lines=("Roll them.", "Read them."), ordered=True),
                ruling(91, "Rerolls", "Reroll **one** die.\n\n- Not two."),
                replace(ruling(92, "Thrown off the table", "Roll it again."), on_sheet=True),
            ),
        ),
        Section(
            "step-3", "Award Supply Points", (Passage("remark", "Remark", "Nothing happens.", on_sheet=False),), step=3
        ),
    ]

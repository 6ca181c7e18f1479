"""Widths and line breaks."""

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, strategies as st

from registers.print.typesetting import FOLDER, UNKNOWN, Run, break_lines, width
from tests.registers.print.crowds import NAMES, squeezed


def test_a_width_is_the_sum_of_what_the_font_says():
    with TTFont(FOLDER / "latin-400.woff2") as font:
        metrics, cmap, em = font["hmtx"].metrics, font.getBestCmap(), font["head"].unitsPerEm
        expected = sum(metrics[cmap[ord(letter)]][0] for letter in "Grim Hounds") / em
    assert width("Grim Hounds") == pytest.approx(expected)
    assert width("Grim Hounds", bold=True) > expected


def test_letters_of_four_scripts_are_known_and_others_are_taken_to_be_wide():
    assert max(width(letter) for letter in "WÉłЖΩ×–…") < UNKNOWN
    assert width("語") == UNKNOWN


def test_lines_end_between_words_and_keep_their_weight():
    runs = [Run("Resilient.", bold=True), Run("May reroll 1 die")]
    assert break_lines(runs, width("Resilient. May", bold=True)) == (
        (Run("Resilient.", bold=True), Run(" May")),
        (Run("reroll 1 die"),),
    )


def test_a_word_that_is_too_wide_is_broken_where_the_line_ends():
    assert break_lines([Run("a WWWW b")], width("WW")) == ((Run("a"),), (Run("WW"),), (Run("WW"),), (Run("b"),))


def test_a_line_has_a_letter_however_little_room_there_is():
    assert break_lines([Run("WW")], 0.1) == ((Run("W"),), (Run("W"),))


def test_nothing_has_no_lines():
    assert break_lines([Run(""), Run("  ")], 10) == ()


@given(NAMES, st.floats(2, 40))
def test_no_line_is_too_wide_and_no_letter_is_lost(name: str, room: float):
    lines = break_lines([Run(name, bold=True), Run(name)], room)
    assert max(sum(width(run.text, bold=run.bold) for run in line) for line in lines) <= room + 1e-9
    assert squeezed("".join(run.text for line in lines for run in line)) == squeezed(name * 2)

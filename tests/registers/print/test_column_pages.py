"""One thing after the other in two columns."""

import pytest

from registers.print.paper_sizes import (
    A4,
    BETWEEN,
    COLUMNS,
    EDGE,
    FLOW_SIZES,
    FOOT_LINE,
    GUTTER,
    INSET,
    LETTER,
    column_pages,
)
from registers.print.typesetting import Card, Plate, Text, at_size, height_in_mm
from tests.registers.print.crowds import read, words_of

BANNER = Card(head=(Plate(title="Ashen Patrol"),), body=(Text("600 points"),))


def unit(number: int, words: int = 30) -> Card:
    return Card(head=(Plate(title=f"Unit {number}"),), body=(Text(f"{number}: " + "Wampa " * words),))


def assert_fits(leaves, paper) -> None:
    room = paper.height - 2 * EDGE - FOOT_LINE + BETWEEN
    top = height_in_mm(leaves[0].banners[0]) + 2 * INSET + BETWEEN
    assert max(column_heights(leaves[:1], paper)) <= room - top + 0.001
    assert max([0, *column_heights(leaves[1:], paper)]) <= room + 0.001


def column_heights(leaves, paper) -> list[float]:
    return [
        sum(height_in_mm(part) + 2 * INSET + BETWEEN for part in column) for leaf in leaves for column in leaf.columns
    ]


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("number", [1, 2, 9, 20, 21, 33, 47, 60])
def test_all_of_it_stands_there_in_order_and_no_column_is_too_high(paper, number):
    cards = [unit(place, words=25 + 7 * (place % 5)) for place in range(number)]
    leaves = column_pages(BANNER, cards, paper)
    parts = [part for leaf in leaves for column in leaf.columns for part in column]
    assert read(parts) == "".join(words_of(cards))
    assert_fits(leaves, paper)


def test_letters_shrink_to_save_a_page_but_no_more_than_that():
    few = column_pages(BANNER, [unit(1), unit(2)], A4)
    assert {part.size for part in few[0].banners} == {FLOW_SIZES[0]}
    width = (A4.width - 2 * EDGE - GUTTER) / COLUMNS - 2 * INSET
    full = A4.height - 2 * EDGE - FOOT_LINE
    high = height_in_mm(at_size(unit(1), width, full, FLOW_SIZES[0])[0]) + 2 * INSET + BETWEEN
    just_too_many = [unit(1)] * (2 * int((full - 20) / high) + 2)
    [leaf] = column_pages(BANNER, just_too_many, A4)
    assert FLOW_SIZES[-1] <= leaf.banners[0].size < FLOW_SIZES[0]


@pytest.mark.parametrize(("paper", "number"), [(A4, 27), (A4, 32), (A4, 75), (LETTER, 40), (LETTER, 60)])
def test_the_last_page_is_not_nearly_empty(paper, number):
    leaves = column_pages(BANNER, [unit(place) for place in range(number)], paper)
    heights = column_heights(leaves, paper)
    assert len(heights) == COLUMNS * len(leaves) > COLUMNS
    assert min(heights) > 0.65 * max(heights)


def test_a_thing_that_is_higher_than_a_page_goes_on():
    giant = Card(head=(Plate(title="Giant"),), body=tuple(Text("Wampa " * 60) for _ in range(20)))
    leaves = column_pages(BANNER, [giant, unit(2)], A4)
    parts = [part for leaf in leaves for column in leaf.columns for part in column]
    assert [part.corner for part in parts] == ["1/2", "2/2", ""]
    assert [[len(column) for column in leaf.columns] for leaf in leaves] == [[1, 2]]
    assert read(parts) == "".join(words_of([giant, unit(2)]))
    assert_fits(leaves, A4)


def test_what_has_no_room_below_the_banner_stands_on_the_next_page():
    large = Card(head=(Plate(title="Large"),), body=tuple(Text("Wampa " * 60) for _ in range(8)))
    wide = Card(head=(Plate(title="Wide"),), body=tuple(Text("Wampa " * 60) for _ in range(18)))
    leaves = column_pages(wide, [large], A4)
    assert [[len(column) for column in leaf.columns] for leaf in leaves] == [[0, 0], [1]]
    assert_fits(leaves, A4)

"""What stands on which page."""

from math import ceil

import pytest

from registers.print.paper_sizes import (
    A4,
    EDGE,
    FOOT_LINE,
    LARGE,
    LETTER,
    SMALL,
    card_pages,
    form_pages,
    forms,
    split_evenly,
)
from registers.print.typesetting import Card, Plate, Text

CARD = Card(head=(Plate(title="Grim Hounds"),))
LONG = Card(body=tuple(Text("Wampa " * 20) for _ in range(26)))


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("stock", [SMALL, LARGE])
def test_cards_and_their_marks_lie_inside_of_the_paper(paper, stock):
    across, down = stock.columns * stock.width, stock.rows * stock.height
    assert (paper.width - across) / 2 > 4
    assert (paper.height - down) / 2 > 4


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("rows", [3, 4])
def test_forms_fill_the_paper_between_its_edges(paper, rows):
    stock = forms(paper, rows)
    assert 2 * stock.width + stock.gutter == pytest.approx(paper.width - 2 * EDGE)
    assert rows * stock.height + (rows - 1) * stock.gutter == pytest.approx(paper.height - 2 * EDGE - FOOT_LINE)


@pytest.mark.parametrize("number", range(1, 60))
@pytest.mark.parametrize("stock", [SMALL, LARGE])
def test_cards_take_as_few_pages_as_they_can_and_no_page_is_nearly_empty(number, stock):
    pages = [len(leaf.faces) for leaf in card_pages([CARD] * number, stock, A4)]
    assert len(pages) == ceil(number / stock.room)
    assert sum(pages) == number
    assert max(pages) - min(pages) <= 1


@pytest.mark.parametrize("number", range(60))
@pytest.mark.parametrize("paper", [A4, LETTER])
def test_forms_take_as_few_pages_as_they_can_and_no_page_is_nearly_empty(number, paper):
    leaves = form_pages([CARD], [CARD] * number, paper)
    rows = [len(leaf.banners) + ceil(len(leaf.faces) / 2) for leaf in leaves]
    assert len(leaves) == ceil((1 + ceil(number / 2)) / 4)
    assert sum(len(leaf.faces) for leaf in leaves) == number
    assert max(rows) - min(rows) <= 1
    assert [len(leaf.banners) for leaf in leaves] == [1] + [0] * (len(leaves) - 1)


def test_few_forms_are_high_so_that_there_is_room_to_write():
    assert [form_pages([CARD], [CARD] * number, A4)[0].card_format.rows for number in (4, 5, 6)] == [3, 4, 4]


def test_blank_forms_fill_the_last_page():
    blank = Card(head=(Plate(title="Blank"),))
    pages = form_pages([CARD], [CARD] * 9, A4, blank=blank)
    titles = [[face.head[0].lines[0][0].text for face in page.faces] for page in pages]
    assert titles == [["Grim Hounds"] * 4, ["Grim Hounds"] * 5 + ["Blank"]]


def test_all_cards_have_letters_of_one_size():
    long = Card(body=tuple(Text("Wampa " * 20) for _ in range(5)))
    [page] = card_pages([CARD], SMALL, A4, alike=[CARD, long])
    own, short, *longer = page.faces
    assert own.size == 9.0
    assert {short.size} == {face.size for face in longer} != {9.0}


def test_a_card_that_goes_on_counts_as_two():
    [leaf] = card_pages([CARD, LONG], LARGE, A4)
    assert [part.corner for part in leaf.faces] == ["", "1/2", "2/2"]


def test_marks_are_drawn_around_the_cards_that_are_there():
    [leaf] = card_pages([CARD], LARGE, A4)
    columns = "M35 24.5v3M35 149.5v3M105 24.5v3M105 149.5v3"
    assert leaf.marks == columns + "M31 28.5h3M106 28.5h3M31 148.5h3M106 148.5h3"


def test_nothing_takes_no_page():
    assert card_pages([], SMALL, A4) == []
    assert form_pages([], [], A4) == []


def test_shared_out_keeps_the_order():
    assert list(split_evenly("abcdefgh", 3)) == ["abc", "def", "gh"]

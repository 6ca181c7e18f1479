"""Letters shrink within limits, then a card goes on on another one."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st

from registers.print.dossiers import dossier_card, dossier_form
from registers.print.paper_sizes import A4, LARGE, LETTER, SMALL, CardFormat, forms
from registers.print.typesetting import (
    MM,
    NORMAL,
    SIZES,
    Card,
    CardFace,
    Pair,
    Picture,
    Plate,
    Text,
    at_size,
    fit,
    height_in_mm,
    typeset,
)
from rules.register.state import Dossier, RegisterState
from tests.registers.print.crowds import BOOK, crowds, read, words_of
from tests.thoroughness import examples

FORMS = tuple(forms(paper, rows) for paper in (A4, LETTER) for rows in (3, 4))


def card(*texts: str) -> Card:
    return Card(
        head=(Plate(title="Grim Hounds"),), body=tuple(map(Text, texts)), foot=(Pair("Points", "62"),), corner="P"
    )


def test_a_card_with_little_on_it_has_the_largest_letters():
    [part] = fit(card("Resilient."), 55, 80)
    room = 55 / (9 * MM)
    assert part == CardFace(
        9.0,
        typeset([Plate(title="Grim Hounds")], room),
        typeset([Text("Resilient.")], room),
        typeset([Pair("Points", "62")], room),
        "P",
    )
    assert part.letters == "letters-90"


def test_letters_are_larger_where_that_is_asked_for():
    assert [fit(card("Resilient."), 55, 80, largest=size)[0].size for size in (10.5, 9.5)] == [10.5, 9.5]


def test_letters_shrink_until_all_fits():
    long = card("Wampa " * 120)
    [part] = fit(long, 55, 80)
    [larger] = [size for size in SIZES if size == part.size + 0.5]
    assert SIZES[-1] < part.size < NORMAL
    assert len(at_size(long, 55, 80, larger)) == 2


def test_what_does_not_fit_goes_on_on_as_few_cards_as_possible_in_the_largest_letters_that_allow_it():
    long = card(*["Wampa " * 20] * 12)
    parts = fit(long, 55, 80)
    fewest = len(at_size(long, 55, 80, SIZES[-1], dense=True))
    assert fewest < len(at_size(long, 55, 80, SIZES[-1]))
    assert [part.corner for part in parts] == [f"{number}/{fewest}" for number in range(1, fewest + 1)]
    assert len(parts) > 1
    assert [part.head for part in parts] == [parts[0].head] * fewest
    larger = [size for size in SIZES if parts[0].size < size <= NORMAL]
    assert [size for size in larger if len(at_size(long, 55, 80, size, dense=True)) == fewest] == []
    assert read(parts) == "".join(words_of([long]))


def test_a_head_that_leaves_no_room_for_a_line_makes_the_letters_smaller():
    name = Card(head=(Plate(title="W" * 80),), body=(Text("Wampa"),))
    high = height_in_mm(at_size(name, 20, 200, 8.5)[0])
    [part] = fit(name, 20, high)
    assert part.size == 8.5


@settings(deadline=None, max_examples=examples(8, 60))
@given(crowds(most=2), st.sampled_from(FORMS), st.sampled_from((SMALL, LARGE)))
def test_nothing_is_lost_and_nothing_is_higher_than_its_card(
    state: RegisterState, sheet: CardFormat, sleeve: CardFormat
):
    dossier = state.dossiers["1"]
    form, full = dossier_form(BOOK, state, dossier), dossier_card(BOOK, state, dossier, state.name)
    for stock, each in ((sheet, form), (sleeve, full)):
        parts = stock.set(each)
        assert sorted(read(parts)) == sorted("".join(words_of([each])))
        assert max(map(height_in_mm, parts)) <= stock.height - 2 * stock.inset + 0.001
        assert {part.size for part in parts} <= set(SIZES)


def test_a_crowded_dossier_keeps_its_upgrades_on_its_own_frame():
    crowded = Dossier(
        key="1", card="stormtroopers", name="W" * 80, upgrades=tuple(sorted(BOOK.upgrades)[:5]), experience=50,
        veteran_rank=5, setbacks=tuple(sorted(BOOK.setbacks)[:4]), commendations=tuple(sorted(BOOK.commendations)[:6]),
    )  # fmt: skip
    state = RegisterState(name="A", faction="empire", commissioned=True, dossiers={"1": crowded})
    form = dossier_form(BOOK, state, crowded, picture=Picture("/photos/1/", "The squad"))
    [face] = forms(A4, 4).set(form)
    assert sorted(read([face])) == sorted("".join(words_of([form])))
    assert len(forms(A4, 4).set(replace(form, tight=()))) == 2

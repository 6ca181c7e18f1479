"""PDFs of Registers with the longest names and the most honors there can be, read back and looked at."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from core.pdf import laid_out
from registers.print import dossiers as print_dossiers
from registers.print.dossiers import arc_cards
from registers.print.paper_sizes import A4, LARGE, LETTER, SMALL, CardFormat, CardPage, Paper, card_pages, form_pages
from rules.register.state import RegisterState
from tests.registers.print.crowds import BOOK, crowds
from tests.registers.print.drawn import cards_of, html_of, ink_of, is_white, places, readable, sides, texts_of
from tests.thoroughness import examples

#: A PDF takes a second: few examples, and none made simpler.
seldom = settings(
    deadline=None, max_examples=examples(1, 3), phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
PAPERS = st.sampled_from((A4, LETTER))


@pytest.mark.nightly
@seldom
@given(crowds(least=3, most=14), PAPERS)
def test_sheets(state: RegisterState, paper: Paper):
    banners = [print_dossiers.register_form(BOOK, state, state.name)]
    cards = [print_dossiers.dossier_form(BOOK, state, dossier) for dossier in state.dossiers.values()]
    looked_at(form_pages(banners, cards, paper), paper, outer=0.5, inner=1.6)


@pytest.mark.nightly
@seldom
@given(crowds(least=3, most=10), PAPERS, st.sampled_from((SMALL, LARGE)))
def test_cards(state: RegisterState, paper: Paper, stock: CardFormat):
    cards = [print_dossiers.dossier_card(BOOK, state, dossier, state.name) for dossier in state.dossiers.values()]
    leaves = card_pages([print_dossiers.register_card(BOOK, state, state.name)], stock, paper, alike=cards)
    looked_at(leaves, paper, outer=2.5, inner=3.1)
    cut_apart(leaves, paper)


@pytest.mark.parametrize("arc", ["the-weekend-war", "bring-peace-to-the-galaxy"])
def test_story_arcs(arc: str):
    looked_at(card_pages(arc_cards(BOOK, BOOK.story_arcs[arc]), SMALL, A4), A4, outer=2.5, inner=3.1)


@pytest.mark.nightly
def test_blank_forms():
    leaves = form_pages([print_dossiers.blank_register()], [print_dossiers.blank_dossier()] * 4, A4)
    looked_at([*leaves, *form_pages([], [print_dossiers.blank_dossier()] * 6, A4)], A4, outer=0.5, inner=1.6)
    looked_at(card_pages([print_dossiers.blank_card(2, 2, 4)] * 9, SMALL, A4), A4, outer=2.5, inner=3.1)


def looked_at(leaves: list[CardPage], paper: Paper, *, outer: float, inner: float) -> None:
    """The pages that were counted, all their words on them, nothing outside of its card or on its edge.

    What stands for a letter that no font has may rise a little above its line: hence less than the whole inset.
    """
    document = laid_out(html_of(leaves, paper))
    pdf = document.write_pdf()
    read, ink = texts_of(pdf), ink_of(pdf)
    assert (len(read), len(ink)) == (len(leaves), len(leaves))
    assert [box for card in cards_of(document) for box in card.overflows] == []
    for leaf, page, words in zip(leaves, ink, read, strict=True):
        placed = list(places(leaf, paper))
        assert [text for *_, part in placed for text in readable(part) if text not in words] == []
        strips = [strip for x, y, wide, high, _ in placed for strip in sides(x, y, wide, high, outer, inner)]
        assert [strip for strip in strips if not is_white(page, *strip)] == []


def cut_apart(leaves: list[CardPage], paper: Paper) -> None:
    """Where cards are cut apart there is no ink, and where the marks are there is."""
    for leaf, page in zip(leaves, ink_of(laid_out(html_of(leaves, paper)).write_pdf()), strict=True):
        placed = list(places(leaf, paper))
        for x, y, wide, high, _ in placed:
            assert is_white(page, x - 0.5, y, x + 1.5, y + high)
            assert is_white(page, x, y - 0.5, x + wide, y + 1.5)
        left, top = min(place[0] for place in placed), min(place[1] for place in placed)
        assert not is_white(page, left - 0.5, top - 3.5, left + 0.5, top - 1.5)
        assert not is_white(page, left - 3.5, top - 0.5, left - 1.5, top + 0.5)

"""Army sheets with the longest names and the most honors there can be, read back and looked at."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from campaign.battles.models import Battle, Side
from campaign.battles.pages.army_sheet import army_pages
from campaign.battles.report_data import army_data
from campaign.models import Campaign
from core.pdf import laid_out
from registers.models import Register
from registers.print.paper_sizes import A4, EDGE, LETTER, Paper
from registers.print.typesetting import TypesetBlock
from rules.battle.army import Army, Lent
from rules.register.state import Dossier, RegisterState
from tests.registers.print.crowds import BOOK, crowds
from tests.registers.print.drawn import cards_of, html_of, ink_of, is_white, readable, texts_of
from tests.thoroughness import examples

LENT = (
    Lent("request-assistance", "L1", BOOK.units["at-st"], (BOOK.upgrades["recon-intel"],)),
    Lent("requisition-special-equipment", "", None, (BOOK.upgrades["targeting-scopes"],), "1"),
    Lent("authorized-extraordinary-use", bearer="1"),
)


def pages(state: RegisterState, paper: Paper, *, agenda: str = "", lent: tuple[Lent, ...] = ()) -> list[Any]:
    fielded = {key: dossier.upgrades for key, dossier in state.dossiers.items()}
    army = Army(fielded=fielded, agenda=agenda, assets=tuple(state.assets), lent=lent)
    battle = Battle(
        campaign=Campaign(name="W" * 80), number=7, size=1600, date=date(2026, 11, 21), place="W" * 120,
        status=Battle.Status.IN_PLAY,
    )  # fmt: skip
    register = Register(name=state.name, faction=state.faction)
    side = Side(battle=battle, colour="blue", register=register, army_chosen=True, army=army_data(army))
    return army_pages(BOOK, battle, side, state, 1650, paper)


@pytest.mark.nightly
@settings(deadline=None, max_examples=examples(1, 4), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(
    crowds(least=1, most=14),
    st.sampled_from((A4, LETTER)),
    st.sampled_from(["", *BOOK.agendas]),
    st.sampled_from([(), LENT]),
)
def test_all_of_it_inside_of_its_boxes(state: RegisterState, paper: Paper, agenda: str, lent: tuple[Lent, ...]):
    leaves = pages(state, paper, agenda=agenda, lent=lent)
    document = laid_out(html_of(leaves, paper, "Battle 7"))
    pdf = document.write_pdf()
    words, ink = texts_of(pdf), ink_of(pdf)
    assert (len(words), len(ink)) == (len(leaves), len(leaves))
    assert [box for card in cards_of(document) for box in card.overflows] == []
    for leaf, page, page_words in zip(leaves, ink, words, strict=True):
        parts = [*leaf.banners, *(part for column in leaf.columns for part in column)]
        assert [text for part in parts for text in readable(part) if text not in page_words] == []
        assert is_white(page, 0, 0, EDGE - 0.5, paper.height)
        assert is_white(page, paper.width - EDGE + 0.5, 0, paper.width, paper.height)
        assert is_white(page, 0, paper.height - 6.5, paper.width, paper.height)


@pytest.mark.parametrize(
    ("card", "upgrades", "commendations", "expected"),
    [
        ("stormtroopers", (), (), "    "),
        ("stormtroopers", ("hh-12-stormtrooper",), (), "    +"),
        ("at-st", (), ("field-modifications",), " " * (BOOK.units["at-st"].wounds + 1)),
    ],
)
def test_wounds_have_a_box_each(card: str, upgrades: tuple[str, ...], commendations: tuple[str, ...], expected: str):
    dossier = Dossier(key="1", card=card, upgrades=upgrades, commendations=commendations)
    [leaf] = pages(RegisterState(dossiers={"1": dossier}), A4)
    [wounds] = [block for block in leaf.columns[0][0].body if texts_of_block(block) == "Wounds"]
    assert "".join(text or " " for text, _kind in wounds.boxes) == expected


def texts_of_block(block: TypesetBlock) -> str:
    return "".join(run.text for line in block.lines for run in line)


def test_what_assets_lend():
    state = RegisterState(dossiers={}, assets=())
    [leaf] = pages(state, A4, lent=LENT)
    titles = [part.head[0].lines[0][0].text for column in leaf.columns for part in column]
    assert titles == [BOOK.units["at-st"].full_name, BOOK.upgrades["targeting-scopes"].full_name]

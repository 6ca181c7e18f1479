"""A Register on paper: nothing runs through its words, and what folds stands open."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from rules.core.rulebook import Rulebook
from rules.register.effects import SetbackGained
from tests.campaign.factories import happen, make_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def paper(phone, book: Rulebook) -> Page:
    table = make_table()
    happen(table.alpha, SetbackGained(unit="2", setback="battle-shaken", rule="R36"))
    page = phone(table.ada)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(reverse("registers:detail", args=[table.alpha.pk]))
    page.emulate_media(media="print")
    return page


@pytest.mark.nightly
def test_no_margin_lines(paper: Page):
    lines = paper.eval_on_selector_all(".sheet", "sheets => sheets.map(s => getComputedStyle(s).backgroundImage)")
    assert set(lines) == {"none"}


@pytest.mark.nightly
def test_what_folds_stands_open(paper: Page, book: Rulebook):
    arc = book.story_arcs["bring-peace-to-the-galaxy"]
    expect(paper.get_by_text(arc.briefing)).to_be_visible()


@pytest.mark.nightly
def test_the_foot_is_never_alone_on_a_page(paper: Page):
    """It stands above everything, so that it cannot follow what fills the page."""
    foot, title = (paper.locator(name).bounding_box() for name in (".foot", "h1"))
    assert foot["y"] + foot["height"] <= title["y"]

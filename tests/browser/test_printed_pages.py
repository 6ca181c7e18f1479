"""Pages in a browser that prints: every card in its place, nothing higher or wider than what it stands on."""

from io import BytesIO
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from registers.models import Register
from rules.register.effects import (
    CommendationAwarded,
    CommendationOwed,
    ExperienceGained,
    RegisterNamed,
    SetbackGained,
    UnitNamed,
)
from tests.campaign.factories import happen
from tests.registers.factories import make_player, make_register
from tests.registers.print.drawn import places

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = ("W" * 80, "The Longest Name That There Is in All of the Outer Rim and Far Beyond it, As Is", "語" * 80)
PX = 25.4 / 96

OVERFLOWING = """elements => elements.filter(e =>
    e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1
).map(e => e.className + ": " + e.textContent)"""
ON_THE_FOOT = """cards => cards.filter(card => {
    const foot = card.querySelector(".card__foot"), body = card.querySelectorAll(":scope > :not(.card__foot, .corner)");
    const top = foot ? foot.getBoundingClientRect().top : card.getBoundingClientRect().bottom;
    return body.length && body[body.length - 1].getBoundingClientRect().bottom > top + 1;
}).map(card => card.textContent)"""
BOXES = """cards => cards.map(card => {
    const leaf = card.closest(".leaf").getBoundingClientRect(), box = card.getBoundingClientRect();
    return [box.left - leaf.left, box.top - leaf.top, box.width, box.height];
})"""


@pytest.fixture
def veterans(book) -> Register:
    """A Register of six units with long names, and all that one can have on the second."""
    register = make_register(make_player("ada"), units=5)
    names = [UnitNamed(unit=str(unit), name=LONGEST[unit % 3], rule="R9") for unit in range(1, 5)]
    honors = [
        effect
        for slug in sorted(book.commendations)[:9]
        for effect in (
            CommendationOwed(unit="2", rule="R15"),
            CommendationAwarded(unit="2", commendation=slug, rule="R15"),
        )
    ]
    setbacks = [SetbackGained(unit="2", setback=slug, rule="R36") for slug in sorted(book.setbacks)[:9]]
    gained = ExperienceGained(unit="2", amount=50, rule="R39")
    happen(register, RegisterNamed(name=LONGEST[0], rule="R10"), *names, *honors, *setbacks, gained)
    register.refresh_from_db()
    return register


@pytest.fixture
def page(phone, veterans) -> Page:
    return phone(veterans.owner)


@pytest.mark.nightly
def test_nothing_is_cut(page: Page, veterans: Register, client):
    """Looked at one after the other in one browser: its start takes longer than all of them."""
    client.force_login(veterans.owner)
    for query in ("", "paper=letter", "what=cards", "what=cards&size=large&paper=letter", "what=arc", "only=2"):
        url = f"{reverse('registers:print', args=[veterans.pk])}?{query}"
        printed = client.get(url).context["printed"]
        page.goto(url)
        page.emulate_media(media="print")
        page.evaluate("document.fonts.ready")
        assert (
            query,
            page.eval_on_selector_all(".card__inside, .block, .plate, .track, .leaf__foot", OVERFLOWING),
        ) == (query, [])
        assert (query, page.eval_on_selector_all(".card__inside", ON_THE_FOOT)) == (query, [])

        drawn = [[length * PX for length in box] for box in page.eval_on_selector_all(".card", BOXES)]
        counted = [place[:4] for leaf in printed.pages for place in places(leaf, printed.paper)]
        assert drawn == [pytest.approx(place, abs=0.2) for place in counted], query

        sizes = [
            [float(length) * 25.4 / 72 for length in (sheet.mediabox.width, sheet.mediabox.height)]
            for sheet in PdfReader(BytesIO(page.pdf(prefer_css_page_size=True))).pages
        ]
        size = pytest.approx([printed.paper.width, printed.paper.height], abs=0.4)
        assert sizes == [size for _leaf in printed.pages], query


@pytest.mark.nightly
def test_a_phone_shows_the_page_in_its_width(page: Page, veterans: Register):
    page.goto(reverse("registers:print", args=[veterans.pk]))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.locator(".leaf").first.bounding_box()["width"] > 280


@pytest.mark.nightly
def test_pages_and_pdf_are_those_that_are_chosen(page: Page, veterans: Register):
    page.goto(reverse("registers:print", args=[veterans.pk]))
    sizes = page.get_by_role("group", name="Card size")
    expect(page.get_by_role("button", name="Show")).to_be_hidden()
    expect(sizes).to_be_hidden()
    page.get_by_role("radio", name="Cards").check()
    expect(page.locator(".leaf--a4.leaf--small")).not_to_have_count(0)
    sizes.get_by_role("radio", name="70").check()
    expect(page.locator(".leaf--a4.leaf--large")).not_to_have_count(0)
    page.get_by_role("radio", name="Letter").check()
    page.locator("summary", has_text="Choose sheets").click()
    page.get_by_role("checkbox").nth(1).check()
    expect(page.locator(".leaf--letter.leaf--large")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="1 page")).to_be_visible()
    with page.expect_request(lambda request: "as=pdf" in request.url) as asked:
        page.get_by_role("button", name="PDF").click()
    chosen = [("what", "cards"), ("paper", "letter"), ("size", "large"), ("only", "1"), ("as", "pdf")]
    assert parse_qsl(urlsplit(asked.value.url).query) == chosen


@pytest.mark.nightly
def test_without_scripts_a_button_shows_what_is_chosen(phone, veterans: Register):
    page = phone(veterans.owner, java_script_enabled=False)
    page.goto(reverse("registers:print", args=[veterans.pk]))
    page.get_by_role("radio", name="Cards").check()
    page.get_by_role("button", name="Update preview").click()
    expect(page.locator(".leaf--small")).not_to_have_count(0)

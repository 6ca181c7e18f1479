"""Dice that the app has rolled: they roll in, a touch ends it, and the Casualty Checks are shown one by one."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, expect

from campaign.battles.services import sequence
from tests.campaign.battles.closing import to_step_4
from tests.campaign.first_blood import Fought, Stacked, begin, fall

pytestmark = pytest.mark.django_db(transaction=True)

#: Milliseconds within which dice that roll lie still.
SHORT = 600
#: Time stands still for whatever rolls or waits: what a slow machine does in between proves nothing.
STOPPED = """
document.addEventListener("animationstart", () => {
  for (const each of document.getAnimations()) if (each.playState === "running") each.pause();
}, true);
const inTime = setTimeout;
window.setTimeout = (call, pause, ...rest) => (pause < 3000 ? inTime(call, pause, ...rest) : 0);
"""
THROWN = "document.getAnimations().filter(({ animationName }) => animationName === 'throw')"
STATES = (
    """document.querySelector("dialog.reveal").getAnimations({ subtree: true }).map(({ playState }) => playState)"""
)
ENDS = f"{THROWN}.map(({{ effect }}) => effect.getComputedTiming().endTime)"
BOXES = """[...document.querySelectorAll(".outcome--now > *")].map(
  (each) => [each.offsetLeft, each.offsetTop, each.offsetWidth])"""
QUESTION = "5 Award Experience"
UNITS = ("Stormtroopers (no. 2)", "Scout Troopers")


@pytest.fixture
def fought(book, monkeypatch) -> Fought:
    fall(monkeypatch, Stacked("corps", "heavy"))
    fought = begin()
    to_step_4(fought)
    return fought


def opened(phone, fought: Fought, colour: str = "blue", **words: object) -> Page:
    page = phone(fought.ada if colour == "blue" else fought.ben, **words)
    page.goto(reverse("battles:sequence_side", args=[fought.battle.pk, colour]))
    return page


def rolled(phone, fought: Fought, monkeypatch, *faces: str, **words: object) -> Page:
    """A phone on which the checks of step 4 were just rolled."""
    fall(monkeypatch, Stacked(*faces))
    page = opened(phone, fought, **words)
    page.evaluate(STOPPED)
    page.get_by_role("button", name="Roll all").tap()
    expect(page.locator("#question")).to_contain_text("Award Experience")
    return page


@pytest.mark.nightly
def test_they_roll_in_and_lie_soon(book, phone, monkeypatch):
    fall(monkeypatch, Stacked("surge"))
    page = opened(phone, begin(red={"defeated": []}), "red")
    page.evaluate(STOPPED)
    page.get_by_role("button", name="Roll die").tap()
    expect(page.locator("#question")).to_contain_text("Award Experience")
    ends = page.evaluate(ENDS)
    assert len(ends) == page.locator(".dice--thrown .die").count() > 0
    assert 0 < max(ends) <= SHORT


def test_the_checks_are_shown_one_by_one(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch, "surge", "hit", "blank")
    shown, reveal = page.locator(".outcome--now"), page.locator("dialog.reveal")
    for unit, verdict, further in ((UNITS[0], "Casualty", ""), (UNITS[1], "Setback", "Battle-Shaken")):
        expect(shown).to_contain_text(unit)
        boxes = page.evaluate(BOXES)
        page.touchscreen.tap(180, 300)  # ends what moves
        assert set(page.evaluate(STATES)) == {"finished"}
        assert page.evaluate(BOXES) == boxes
        expect(shown.locator(".stamp")).to_have_text(verdict)
        expect(shown).to_contain_text(further)
        page.touchscreen.tap(180, 300)  # leads on
    expect(reveal).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "question"
    expect(page.locator(".lately .outcome")).to_have_count(2)


@pytest.mark.nightly
def test_the_checks_are_legible_to_everyone(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch, "surge", "hit", "blank", color_scheme="dark")
    page.touchscreen.tap(180, 300)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.nightly
def test_they_are_a_list_for_who_asked_for_less_motion(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch, "blank", "blank", reduced_motion="reduce")
    expect(page.locator("dialog.reveal")).to_have_count(0)
    expect(page.locator(".lately .outcome .stamp")).to_have_text(["Escaped", "Escaped"])
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.nightly
def test_what_they_show_is_read_with_the_next_question(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch, "blank", "blank", reduced_motion="reduce")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    read = {
        node["name"]["value"].casefold(): node.get("description", {}).get("value", "")
        for node in tree["nodes"]
        if node["role"]["value"] == "heading"
    }
    [description] = [value for name, value in read.items() if name.startswith(QUESTION.casefold())]
    assert "blank" in description
    assert page.evaluate("document.activeElement.id") == "question"


def test_chosen_faces_are_used_by_the_button_that_would_roll(fought, phone):
    """The app would have rolled over the dice that were entered."""
    ada = opened(phone, fought)
    bar = ada.locator(".action-bar").get_by_role("button")
    expect(bar).to_have_text("Roll all")
    fold = ada.get_by_text("Enter my own dice")
    fold.tap()
    expect(bar).to_have_text("Roll all")
    groups = [ada.get_by_role("group", name=f"{unit}, die 1") for unit in UNITS]
    groups[0].get_by_role("radio", name="blank").tap()
    expect(bar).to_have_text("Use these results")
    fold.tap()  # nobody sees the faces any more
    expect(bar).to_have_text("Roll all")
    fold.tap()
    bar.tap()  # a die is missing: the browser asks for it, and nothing is sent
    expect(ada.get_by_role("heading", name="4 Determine Casualties")).to_be_visible()
    groups[1].get_by_role("radio", name="blank").tap()
    bar.tap()
    expect(ada.locator("#question")).to_contain_text("Award Experience")
    assert sequence.finished_steps(fought.blue)[-1].rolled_by_hand == [0]


@pytest.mark.nightly
def test_chosen_tokens_are_used_by_the_button_that_would_draw(book, phone):
    fought = begin()
    ada = opened(phone, fought)
    bar = ada.locator(".action-bar").get_by_role("button")
    expect(bar).to_have_text("Draw 2 tokens")
    ada.get_by_text("Enter my own tokens").tap()
    for number, rank in ((1, "corps"), (2, "heavy")):
        ada.get_by_label(f"Token {number}").select_option(rank)
        expect(bar).to_have_text("Use these tokens")
    bar.tap()
    expect(ada.get_by_text("which unit?")).to_be_visible()
    fought.blue.refresh_from_db()
    assert fought.blue.answers[0]["source"] == "table"

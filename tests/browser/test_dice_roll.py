"""Dice that the app has rolled: they lie before the eye soon, at once for who taps, and were told from the start."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from campaign.battles.services import sequence
from tests.campaign.battles.closing import to_step_4
from tests.campaign.first_blood import Fought, Stacked, begin, fall

pytestmark = pytest.mark.django_db(transaction=True)

#: Milliseconds within which dice that roll lie still.
SHORT = 600
#: Time stands still for whatever rolls: what a slow machine does meanwhile proves nothing.
STOPPED = """
document.addEventListener("animationstart", () => {
  for (const each of document.getAnimations()) if (each.animationName === "throw") each.pause();
}, true);
"""
THROWN = "document.getAnimations().filter(({ animationName }) => animationName === 'throw')"
STATES = f"{THROWN}.map(({{ playState }}) => playState)"
PAUSED = f"""async () => {{
  while (!{STATES}.every((state) => state === "paused")) await new Promise(requestAnimationFrame);
}}"""
ENDS = f"{THROWN}.map(({{ effect }}) => effect.getComputedTiming().endTime)"
BOXES = """[...document.querySelectorAll(".happened__line > *")].map(
  (each) => [each.offsetLeft, each.offsetTop, each.offsetWidth])"""
QUESTION = "5 Award Experience"
UNITS = ("Stormtroopers (no. 2)", "Scout Troopers")


@pytest.fixture
def fought(book, monkeypatch) -> Fought:
    fall(monkeypatch, Stacked("corps", "heavy"))
    fought = begin()
    to_step_4(fought)
    return fought


def rolled(phone, fought: Fought, monkeypatch, **words: object) -> Page:
    """A phone on which the checks of step 4 were just rolled; all dice are blank."""
    fall(monkeypatch, Stacked(*["blank"] * 9))
    page = phone(fought.ada, **words)
    page.add_init_script(STOPPED)
    page.goto(reverse("battles:sequence_side", args=[fought.battle.pk, "blue"]))
    page.get_by_role("button", name="Roll them all").tap()
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    return page


@pytest.mark.nightly
def test_they_roll_in_and_lie_soon(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch)
    ends = page.evaluate(ENDS)
    assert len(ends) == page.locator(".dice--thrown .die").count() > 1
    assert 0 < max(ends) <= SHORT


@pytest.mark.nightly
@pytest.mark.parametrize("touch", ["key", "tap"])
def test_a_touch_ends_it_and_moves_nothing(fought, phone, monkeypatch, touch):
    page = rolled(phone, fought, monkeypatch)
    page.evaluate(PAUSED)
    boxes = page.evaluate(BOXES)
    if touch == "key":
        page.keyboard.press("Shift")
    else:
        page.touchscreen.tap(180, 400)
    assert set(page.evaluate(STATES)) == {"finished"}
    assert page.evaluate(BOXES) == boxes


@pytest.mark.nightly
def test_they_lie_still_for_who_asked_for_less_motion(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch, reduced_motion="reduce")
    assert page.locator(".dice--thrown .die").count() > 1
    assert page.evaluate(STATES) == []


@pytest.mark.nightly
def test_what_they_show_is_read_with_the_next_question(fought, phone, monkeypatch):
    page = rolled(phone, fought, monkeypatch)
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
    ada = phone(fought.ada)
    ada.goto(reverse("battles:sequence_side", args=[fought.battle.pk, "blue"]))
    bar = ada.locator(".action-bar").get_by_role("button")
    expect(bar).to_have_text("Roll them all")
    fold = ada.get_by_text("I rolled at the table")
    fold.tap()
    expect(bar).to_have_text("Roll them all")
    groups = [ada.get_by_role("group", name=f"{unit}, die 1") for unit in UNITS]
    groups[0].get_by_role("radio", name="blank").tap()
    expect(bar).to_have_text("Use my dice")
    fold.tap()  # nobody sees the faces any more
    expect(bar).to_have_text("Roll them all")
    fold.tap()
    bar.tap()  # a die is missing: the browser asks for it, and nothing is sent
    expect(ada.get_by_role("heading", name="4 Determine Casualties")).to_be_visible()
    groups[1].get_by_role("radio", name="blank").tap()
    bar.tap()
    expect(ada.get_by_role("heading", name=QUESTION)).to_be_visible()
    assert sequence.finished_steps(fought.blue)[-1].rolled_by_hand == [0]


def test_chosen_tokens_are_used_by_the_button_that_would_draw(book, phone):
    fought = begin()
    ada = phone(fought.ada)
    ada.goto(reverse("battles:sequence_side", args=[fought.battle.pk, "blue"]))
    bar = ada.locator(".action-bar").get_by_role("button")
    expect(bar).to_have_text("Draw 2 tokens")
    ada.get_by_text("I drew at the table").tap()
    for number, rank in ((1, "corps"), (2, "heavy")):
        ada.get_by_label(f"Token {number}").select_option(rank)
        expect(bar).to_have_text("Use my tokens")
    bar.tap()
    expect(ada.get_by_text("which unit?")).to_be_visible()
    fought.blue.refresh_from_db()
    assert fought.blue.answers[0]["source"] == "table"

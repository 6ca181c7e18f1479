"""The page of the sequence in a real browser: it moves on by itself, loses nothing, and everybody can read it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from campaign.battles.services import sequence
from rules.post_battle.casualties import AddDice, Reroll, Rolled
from rules.post_battle.dialogue import Choose, ChooseSeveral, Confirm, Option, Pool, Roll
from rules.post_battle.rewards import JoinUnit
from tests.browser.legible import open_folds
from tests.campaign.battles.closing import ALL_OF_BRAVO, blue_to_step_5, red_to_step_5, to_step_4
from tests.campaign.first_blood import Fought, Stacked, begin, fall

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fought(book, monkeypatch) -> Fought:
    """First Blood; its two order tokens are those of a corps and a heavy unit, so that a unit is chosen."""
    fall(monkeypatch, Stacked("corps", "heavy"))
    return begin()


def opened(phone: Callable[..., Page], fought: Fought, colour: str, **words: object) -> Page:
    page = phone(fought.ada if colour == "blue" else fought.ben, **words)
    page.goto(f"/battles/{fought.battle.pk}/sequence/{colour}/")
    return page


# --- It moves on by itself, and loses nothing -------------------------------------------------------------------


@pytest.mark.nightly
def test_waiting_ends_by_itself(fought, phone):
    red_to_step_5(fought)
    ben = opened(phone, fought, "red")
    expect(ben.get_by_text("Waiting for Ashen Patrol")).to_be_visible()
    blue_to_step_5(fought)
    theirs = ben.get_by_role("dialog", name="Casualty Checks of Ashen Patrol")
    expect(theirs.get_by_text("Escaped").first).to_be_visible()  # their dice, as they fall
    ben.keyboard.press("Escape")
    ben.get_by_role("button", name="Captain Sorne").tap()
    expect(ben.get_by_text("Ashen Patrol has not named a rival among your units yet.")).to_be_visible()
    fought.answer("blue", "7")
    expect(ben.get_by_role("heading", name="7 Make Aid Requests")).to_be_visible()


@pytest.mark.nightly
def test_another_tab_follows(fought, phone):
    first = opened(phone, fought, "blue")
    second = first.context.new_page()
    second.goto(first.url)
    first.get_by_role("button", name="Draw 2 tokens").tap()
    expect(first.get_by_text("which unit?")).to_be_visible()
    expect(second.get_by_text("which unit?")).to_be_visible()


@pytest.mark.nightly
def test_the_other_sides_moves_leave_alone_what_is_typed(fought, phone):
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    ada = opened(phone, fought, "blue")
    ada.get_by_label("Name").fill("Grim Hou")
    fought.answer("red", None)
    expect(ada.locator("#other-side")).to_contain_text("step 8, Edit Register")
    expect(ada.get_by_label("Name")).to_have_value("Grim Hou")


def test_a_double_tap_counts_once(fought, phone):
    ada = opened(phone, fought, "blue")
    ada.get_by_role("button", name="Draw 2 tokens").dblclick()
    expect(ada.get_by_text("which unit?")).to_be_visible()
    assert fought.blue.turn == 1


@pytest.mark.nightly
def test_a_closed_phone_finds_the_same_question(fought, phone):
    to_step_4(fought)
    ada = opened(phone, fought, "blue")
    asked = ada.locator(".question").inner_text()
    ada.context.close()
    again = opened(phone, fought, "blue")
    assert again.locator(".question").inner_text() == asked


def test_a_refusal_stands_beside_its_field(fought, phone):
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    ada = opened(phone, fought, "blue")
    ada.get_by_label("Name").fill("   ")
    open_folds(ada)
    ada.get_by_role("button", name="Resilient").tap()
    expect(ada.get_by_role("alert").get_by_text("A unit with a Veteran Rank needs a name. Enter one.")).to_be_visible()


@pytest.mark.nightly
def test_enter_in_the_name_awards_nothing(fought, phone):
    awarding(fought)
    ada = opened(phone, fought, "blue")
    before = fought.blue.turn
    ada.get_by_label("Name").fill("Grim Hounds")
    ada.get_by_label("Name").press("Enter")
    open_folds(ada)
    ada.get_by_role("button", name="Resilient").tap()
    expect(ada.get_by_role("heading", name="7 Make Aid Requests")).to_be_visible()
    assert fought.blue.turn == before + 1


@pytest.mark.nightly
def test_dice_of_the_table_are_entered_face_by_face(fought, phone):
    to_step_4(fought)
    ada = opened(phone, fought, "blue")
    ada.get_by_text("Enter my own dice").tap()
    for unit in ("Stormtroopers (no. 2)", "Scout Troopers"):
        ada.get_by_role("group", name=f"{unit}, die 1").get_by_role("radio", name="blank").tap()
    ada.get_by_role("button", name="Use these results").tap()
    expect(ada.get_by_role("heading", name="5 Award Experience")).to_be_visible()
    assert sequence.finished_steps(fought.blue)[-1].rolled_by_hand == [0]


@pytest.mark.nightly
def test_taking_back_by_hand(fought, phone):
    ada = opened(phone, fought, "blue")
    ada.get_by_role("button", name="Draw 2 tokens").tap()
    ada.get_by_role("button", name="Undo my last answer").tap()
    expect(ada.get_by_text("Undone. Answer again.")).to_be_visible()
    expect(ada.get_by_role("button", name="Draw 2 tokens")).to_be_visible()
    assert ada.evaluate("document.activeElement.id") == "question"


@pytest.mark.nightly
def test_a_phone_on_its_side_has_room_for_the_question(fought, phone):
    before_the_setbacks(fought)
    ben = opened(phone, fought, "red")
    ben.set_viewport_size({"width": 800, "height": 360})
    bottom = ben.evaluate("document.querySelector('.question__text').getBoundingClientRect().bottom")
    assert bottom < ben.evaluate("document.querySelector('.action-bar').getBoundingClientRect().top")


@pytest.mark.nightly
def test_two_keys_lead_to_the_question(fought, phone):
    ada = opened(phone, fought, "blue")
    for key in ("Tab", "Tab", "Enter"):
        ada.keyboard.press(key)
    expect(ada.locator("#question")).to_be_focused()


# --- Everybody can read it ---------------------------------------------------------------------------------------


def beginning(fought: Fought) -> None:
    """The first question."""


def before_the_checks(fought: Fought) -> None:
    to_step_4(fought)


def before_the_setbacks(fought: Fought) -> None:
    fought.answer("red", {"supply": ["surge"]})
    fought.answer("red", ALL_OF_BRAVO)


def awarding(fought: Fought) -> None:
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")


def requesting(fought: Fought) -> None:
    awarding(fought)
    fought.answer("blue", {"3": {"commendation": "resilient", "name": "Grim Hounds"}})


def editing(fought: Fought) -> None:
    requesting(fought)
    fought.answer("blue", None)


def over(fought: Fought) -> None:
    editing(fought)
    for colour in ("blue", "red", "red"):
        fought.answer(colour, None)


def naming(fought: Fought) -> None:
    blue_to_step_5(fought)
    red_to_step_5(fought)
    assert isinstance(fought.question("blue"), Choose)


STATES = [
    (beginning, "blue"), (before_the_checks, "blue"), (before_the_setbacks, "red"), (red_to_step_5, "red"),
    (naming, "blue"), (awarding, "blue"), (requesting, "blue"), (editing, "blue"), (over, "blue"),
]  # fmt: skip


#: Where the heading of the question and its first option, or the sum at the end, start; and the sticky line's height.
TOPS = """[...document.querySelectorAll("#question, .question__text + *, #sum, #poster")].map(
  (each) => each.getBoundingClientRect().top)"""
LINE = "document.querySelector('.sequence-bar').getBoundingClientRect().height"


@pytest.mark.nightly
@pytest.mark.parametrize(("state", "colour"), STATES, ids=[state.__name__ for state, _ in STATES])
def test_the_question_starts_within_300_px(fought, phone, state, colour):
    state(fought)
    page = opened(phone, fought, colour)
    tops = page.evaluate(TOPS)
    assert tops
    assert max(tops) <= 300, tops
    assert page.evaluate(LINE) <= 46  # two lines of text between hairlines


@pytest.mark.nightly
def test_adding_a_unit_stays_in_place(fought, phone):
    editing(fought)
    ada = opened(phone, fought, "blue")
    ada.set_viewport_size({"width": 360, "height": 500})
    add = ada.get_by_role("button", name="Add Snowtroopers", exact=True)
    add.scroll_into_view_if_needed()
    before = ada.evaluate("window.scrollY")
    add.tap()
    expect(ada.locator("#happened")).to_contain_text("Snowtroopers")
    assert before > 0
    assert abs(ada.evaluate("window.scrollY") - before) < 100  # the list may have become shorter
    assert ada.evaluate("document.activeElement.id") == "question"


@pytest.mark.nightly
@pytest.mark.parametrize(("state", "colour"), STATES, ids=[state.__name__ for state, _ in STATES])
def test_legible_to_everyone_in_light_and_dark(fought, phone, state, colour):
    state(fought)
    for scheme in ("light", "dark"):
        page = opened(phone, fought, colour, color_scheme=scheme, reduced_motion="reduce")
        open_folds(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, f"{wide} px wide"


@pytest.mark.nightly
def test_the_after_action_report_is_legible_too(fought, phone):
    over(fought)
    for scheme in ("light", "dark"):
        page = opened(phone, fought, "blue", color_scheme=scheme, reduced_motion="reduce")
        page.get_by_role("link", name="Show after-action report").tap()
        expect(page.get_by_role("heading", name="After-action report")).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


RARE = [
    AddDice(rule="R32", text="War Weary: who adds a die?", units=(Option("2", "Storm", "War Weary"),)),
    Reroll(rule="R33", text="Which dice?", checks=(Rolled("2", "Hounds", ("hit", "surge", "blank"), 1),)),
    Confirm(rule="R26", text="Hounds: +2 Experience?", kind="may"),
    Choose(rule="R49", text="Choose the next Story Arc.", kind="story_arc", options=(Option("a", "Arc", "Briefing"),)),
    ChooseSeveral(
        rule="R42", text="Which Setback goes?", kind="setbacks", bag={"downtrodden": 2, "battle-shaken": 1},
        labels={"downtrodden": "Downtrodden 1", "battle-shaken": "Battle-Shaken"}, count=1,
    ),
    JoinUnit(rule="R29", text="Which unit joins?", cards=(Option("stormtroopers", "Storm", "39 points"),)),
    Roll(rule="R37", text="Roll the Trait", pools=(Pool("trait:1", "black_attack", 1, "Sorne", "Defining Trait"),)),
]  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("question", RARE, ids=lambda question: type(question).__name__)
def test_rare_questions_are_legible_too(fought, phone, question, monkeypatch):
    real = sequence.running_step

    def asked(*args: Any) -> sequence.RunningStep:
        standing = real(*args)
        weary = replace(standing.progress.state.dossiers["2"], setbacks=("war-weary", "downtrodden"))
        state = replace(standing.progress.state, dossiers={**standing.progress.state.dossiers, "2": weary})
        return replace(standing, progress=replace(standing.progress, question=question, state=state))

    monkeypatch.setattr(sequence, "running_step", asked)
    for scheme in ("light", "dark"):
        page = opened(phone, fought, "blue", color_scheme=scheme, reduced_motion="reduce")
        expect(page.get_by_text(question.text)).to_be_visible()
        assert max(page.evaluate(TOPS)) <= 300
        open_folds(page)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

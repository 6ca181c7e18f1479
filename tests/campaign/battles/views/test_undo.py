"""Undo on the page of the sequence, over HTTP."""

import pytest

from rules.post_battle.dialogue import Roll
from tests.campaign.battles.closing import blue_to_step_5, red_to_step_5, to_step_4
from tests.campaign.battles.stepping import HTMX, ada, post, url, words

__all__ = ["ada"]


def test_taking_back_asks_again(fought, ada):
    assert "Undo my last answer" not in words(ada.get(url(fought)))
    post(ada, fought, "blue", take=["corps", "heavy"])
    assert "Undo my last answer" in words(ada.get(url(fought)))
    response = ada.post(url(fought, part="undo/"), {"turn": 1}, **HTMX)
    assert "Undone. Answer again." in words(response)
    assert "draw 2 order tokens" in words(response)


def test_taking_back_goes_through_steps_that_passed_by_themselves(fought, ada):
    post(ada, fought, "blue", take=["commander", "heavy"])  # nobody to choose: steps 1 and 2 are over
    assert fought.blue.step == 3
    response = ada.post(url(fought, part="undo/"), {"turn": 1}, **HTMX)
    assert "draw 2 order tokens" in words(response)
    assert fought.blue.step == 1


def test_taking_back_twice_takes_back_once(fought, ada):
    to_step_4(fought)
    turn = fought.blue.turn
    for _ in range(2):
        response = ada.post(url(fought, part="undo/"), {"turn": turn}, follow=True)
    assert "This was already saved." in words(response)
    assert isinstance(fought.question("blue"), Roll)


def test_what_takes_back_more_lies_folded_and_says_how_much(fought, ada):
    for answer in (["corps", "heavy"], "3", {"supply": ["block"]}):
        fought.answer("blue", answer)
    before, folded = words(ada.get(url(fought))).split("<summary>Undo more</summary>")
    assert "Undo my last answer" in before
    assert "Undo my whole sequence: 3 answers" in folded.partition("</details>")[0]


def test_a_button_for_each_way_back_that_leads_further_than_the_one_before(fought, ada):
    ways = []
    for answer in (["corps", "heavy"], "3", {"supply": ["block"]}):
        fought.answer("blue", answer)
        page = words(ada.get(url(fought)))
        ways.append([way for way in ("answer", "step", "sequence") if f'name="what" value="{way}"' in page])
    assert ways == [["answer"], ["answer", "step"], ["answer", "sequence"]]
    ada.post(url(fought, part="undo/"), {"turn": fought.blue.turn, "what": "sequence"})
    assert (fought.blue.step, fought.blue.answers) == (1, [])
    fought.answer("blue", ["corps", "heavy"])
    ada.post(url(fought, part="undo/"), {"turn": fought.blue.turn, "what": "everything"})
    assert fought.blue.answers == []


def test_why_it_stands(fought, ada):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("red", "3")
    sentence = "Steps 1–4 are locked because Dune Wardens have continued. Ask an organizer to undo them."
    assert sentence in words(ada.get(url(fought)))
    response = ada.post(url(fought, part="undo/"), {"turn": fought.blue.turn}, follow=True)
    assert words(response).count(sentence) == 2  # said as an answer, and beside the steps


@pytest.mark.parametrize("part", ["", "undo/"])
def test_letters_that_no_text_has_are_no_error(fought, ada, part):
    """A NUL in a hidden field: the turn is old, so nothing happens."""
    garbled = {"turn": "x", "asked": "\0", "what": "\0"}
    assert ada.post(url(fought, part=part), garbled).status_code == 302

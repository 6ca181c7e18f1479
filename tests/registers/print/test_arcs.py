"""Cards of Story Arcs in words."""

from __future__ import annotations

import pytest

from registers.print.dossiers import agenda_card, arc_cards, mission_card
from registers.print.paper_sizes import LARGE, SMALL
from registers.print.typesetting import Boxes, Caption, Text
from tests.registers.print.crowds import BOOK

PEACE = BOOK.story_arcs["bring-peace-to-the-galaxy"]


def agenda(slug: str):
    found = BOOK.agendas[slug]
    return agenda_card(BOOK, BOOK.story_arcs[found.story_arc], found)


@pytest.mark.parametrize("slug", sorted(BOOK.story_arcs))
def test_an_arc_has_a_card_for_itself_each_agenda_and_its_mission(slug):
    arc = BOOK.story_arcs[slug]
    names = [arc.name, *(each.name for each in arc.agendas), arc.turning_point.name]
    assert [card.head[0].title for card in arc_cards(BOOK, arc)] == names


@pytest.mark.parametrize("slug", sorted(BOOK.story_arcs))
def test_an_agenda_takes_one_card_and_a_mission_at_most_two(slug):
    *others, mission = arc_cards(BOOK, BOOK.story_arcs[slug])
    assert {len(SMALL.set(card)) for card in others} == {1}
    assert len(SMALL.set(mission)) <= 2


def test_an_agenda_says_when_it_progresses_and_what_that_brings():
    card = agenda("keep-them-in-line")
    assert card.body == (
        Text("1 token each time one of your units makes an enemy unit panic."),
        Caption("Progresses once for each that is so"),
        Text("There are 2 or more tokens.", "1."),
        Text("There are 3 or more tokens.", "2."),
        Caption("When it progresses"),
        Text("Draw one order token for each progression; for each, a unit of that rank: +2 Experience."),
    )
    assert card.foot == (Boxes("Progression", 0, 3, "0 of 3 progressions", is_round=True),)


def test_who_is_marked_and_what_shields_them_are_told():
    marked = [each for each in BOOK.agendas.values() if each.marks]
    told = [
        block.text
        for each in marked
        for block in agenda(each.slug).body
        if getattr(block, "lead", "") == "Marked."
    ]
    assert told == [
        "1 of the units that take part (you).",
        "3 of the units other than the Paragon (you 1, opponent 2).",
        "Any number of the units that were not defeated (you).",
    ]
    [shielding] = [each for each in marked if each.casualty_shield]
    assert Caption("A marked unit, instead of being a casualty") in agenda(shielding.slug).body


def test_rewards_are_set_in_as_deep_as_they_are_inside_each_other():
    mission = mission_card(BOOK, PEACE.turning_point, PEACE)
    start = mission.body.index(Caption("The owner gains when it wins"))
    assert mission.body[start + 1 : start + 5] == (
        Text("Choose 3 units of the Register, or nobody:"),
        Text("Choose one of these:", depth=1),
        Text("+1 Experience.", "Option 1:", depth=2),
        Text("Remove all Setbacks.", "Option 2:", depth=2),
    )


@pytest.mark.parametrize("stock", [SMALL, LARGE])
def test_no_card_ends_with_a_head(stock):
    parts = [
        part for arc in BOOK.story_arcs.values() for card in arc_cards(BOOK, arc) for part in stock.set(card)
    ]
    last = ["".join(run.text for run in part.body[-1].lines[-1]) for part in parts]
    assert len(parts) > len(BOOK.story_arcs)
    assert [words for words in last if words.endswith(":")] == []


def test_both_sides_have_their_advantages_blue_first():
    body = mission_card(BOOK, PEACE.turning_point, PEACE).body
    start = body.index(Caption("Advantages")) + 1
    leads = [block.lead for block in body[start : start + 2]]
    assert leads == ["Blue player.", "Red player."]

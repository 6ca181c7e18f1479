"""Cards of Story Arcs in words."""

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
        Caption("Progression"),
        Text("If you have 2 or more tokens, this Agenda progresses."),
        Text("Then, if you have 3 or more tokens, it progresses again."),
        Caption("Reward"),
        Text(
            "Draw 1 order token at random for each progression. For each token, choose a different unit of its rank. "
            "It gains 2 XP."
        ),
    )
    assert card.foot == (Boxes("Progression", 0, 3, "0 of 3 progressions", is_round=True),)


def test_a_card_says_which_units_are_marked_and_what_shields_them():
    body = agenda("daring-defense").body
    assert body[0] == Text("Mark 1 unit from your army.")
    assert body[-3:] == (
        Caption("Reward"),
        Text("The marked unit may gain 2 XP or lose all its Setbacks."),
        Text("Instead of becoming a casualty, a marked unit gains 2 XP and 1 Setback."),
    )


def test_options_are_items_of_a_list():
    assert agenda("small-victories").body[-4:] == (
        Caption("Reward"),
        Text("For each progression, you may choose one:"),
        Text("Gain 1 SP.", "•", depth=1),
        Text("Choose a different unit. It gains 1 XP.", "•", depth=1),
    )


def test_a_mission_has_a_victory_and_a_loss_reward():
    mission = mission_card(BOOK, PEACE.turning_point, PEACE)
    start = mission.body.index(Caption("At the end of the game, for each player"))
    assert mission.body[start:] == (
        Caption("At the end of the game, for each player"),
        Text("If you scored 3 or more VP from secondary objectives, gain 2 SP."),
        Caption("Victory Reward"),
        Text("You may choose up to 3 units. Each gains 1 XP or loses all its Setbacks."),
        Text("Your Paragon may gain Compel or Strategize 1."),
        Text("Your Paragon loses Disgraced if it has it."),
        Caption("Loss Reward (also for a draw)"),
        Text("Roll 5 red defense dice. For each block, choose 1 unit. It may gain 2 XP or lose 1 Setback."),
        Text("Your Paragon gains Disgraced."),
    )


@pytest.mark.parametrize("stock", [SMALL, LARGE])
def test_no_card_ends_with_a_head(stock):
    parts = [part for arc in BOOK.story_arcs.values() for card in arc_cards(BOOK, arc) for part in stock.set(card)]
    last = ["".join(run.text for run in part.body[-1].lines[-1]) for part in parts]
    assert len(parts) > len(BOOK.story_arcs)
    assert [words for words in last if words.endswith(":")] == []


def test_both_sides_have_their_advantages_blue_first():
    body = mission_card(BOOK, PEACE.turning_point, PEACE).body
    start = body.index(Caption("Advantages")) + 1
    leads = [block.lead for block in body[start : start + 2]]
    assert leads == ["Blue player.", "Red player."]


def test_an_advantage_of_both_sides():
    legend = BOOK.story_arcs["birth-of-a-legend"]
    body = mission_card(BOOK, legend.turning_point, legend).body
    start = body.index(Caption("Advantages")) + 1
    assert body[start : start + 2] == (
        Text(legend.turning_point.advantages["both"], "Both players."),
        Caption("Victory Reward"),
    )

"""The words with which polls ask whether there is anything new."""

from __future__ import annotations

import pytest

from accounts.models import User
from campaign import seen
from campaign.services.table import mark_unit
from campaign.table import seen as seen_at_table
from campaign.table import table_sides
from tests.campaign.factories import in_play, planned, side_of

WORDS = (seen.of_page_now, seen.of_table_now)


def test_a_planned_battle(table, django_assert_num_queries):
    battle = planned(table)
    with django_assert_num_queries(1):
        assert seen.of_page_now(table.ada, battle.pk) == seen.of_page(battle) == "planned-0-0-00"


def test_the_page_changes_with_each_state(table):
    battle = in_play(planned(table))
    assert seen.of_page_now(table.ada, battle.pk) == seen.of_page(battle) == "in_play-0-0-11"


def test_the_table_changes_with_either_side(table, django_assert_num_queries):
    battle = in_play(planned(table))
    words = []
    for colour, player in ((None, None), ("blue", table.ada), ("red", table.ben)):
        if colour:
            mark_unit(actor=player, side_id=side_of(battle, colour).pk, word="defeated", unit="2", yes=True)
        with django_assert_num_queries(1):
            words.append(seen.of_table_now(table.ada, battle.pk))
        assert words[-1] == seen_at_table(battle, table_sides(table.ada, battle))
    assert words == ["in_play-0-0", "in_play-1-0", "in_play-1-1"]


@pytest.mark.parametrize("word", WORDS)
def test_a_stranger_learns_nothing(table, word):
    assert word(User.objects.create_user("stranger"), planned(table).pk) == ""

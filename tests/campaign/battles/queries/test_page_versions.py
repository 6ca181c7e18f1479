"""Version tokens, by which polls tell whether a page has changed."""

import pytest

from accounts.models import User
from campaign.battles.pages.table import table_sides
from campaign.battles.queries.page_versions import page_version, page_version_now, table_version, table_version_now
from campaign.battles.services.table import mark_unit
from tests.campaign.factories import in_play, planned, side_of

VERSIONS = (page_version_now, table_version_now)


def test_a_planned_battle(table, django_assert_num_queries):
    battle = planned(table)
    with django_assert_num_queries(1):
        now = page_version_now(table.ada, battle.pk)
    assert now == page_version(battle) == "planned-0-0-0-0"


def test_the_page_changes_with_each_state(table):
    battle = in_play(planned(table))
    assert page_version_now(table.ada, battle.pk) == page_version(battle) == "in_play-0-0-2-2"


def test_the_table_changes_with_either_side(table, django_assert_num_queries):
    battle = in_play(planned(table))
    versions = []
    for colour, player in ((None, None), ("blue", table.ada), ("red", table.ben)):
        if colour:
            mark_unit(actor=player, side_id=side_of(battle, colour).pk, word="defeated", unit="2", yes=True)
        with django_assert_num_queries(1):
            versions.append(table_version_now(table.ada, battle.pk))
        assert versions[-1] == table_version(battle, [view.version for view in table_sides(table.ada, battle)])
    assert versions == ["in_play-1-0-0", "in_play-1-1-0", "in_play-1-1-1"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_stranger_learns_nothing(table, version):
    assert version(User.objects.create_user("stranger"), planned(table).pk) == ""

"""What the page of a campaign reads besides its standings."""

from datetime import date

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages import activity
from campaign.battles.pages.battle_lines import battle_lines
from campaign.models import Enlistment
from campaign.pages.campaign import LATELY, overview_of
from campaign.queries.registers import registers_of
from registers.services import building
from tests.campaign.factories import against_guest, enlisted, in_play, planned
from tests.campaign.fights import over


class TestBattles:
    def test_to_come_by_date_under_way_and_over_newest_first(self, table):
        first = planned(table)
        Battle.objects.filter(pk=first.pk).update(status="cancelled")
        first.sides.update(open=False)
        second = in_play(planned(table))
        second.sides.update(open=False)
        third = planned(table, date=date(2026, 5, 9), place="Ben’s attic")
        third.sides.update(open=False)
        fourth = planned(table, date=date(2026, 5, 2))
        found = overview_of(table.campaign, table.mia)
        assert [(line.battle, line.note) for line in found["open"]] == [
            (fourth, "Battle 4, 600 points, 2 May: both are choosing armies"),
            (third, "Battle 3, 600 points, 9 May, Ben’s attic: both are choosing armies"),
            (second, "Battle 2, 600 points: in play"),
        ]
        assert [(line.battle, line.note) for line in found["over"]] == [(first, "Battle 1, 600 points: canceled")]

    def test_of_those_that_are_over_the_last_few(self, table):
        battles = [over(table, "blue") for _ in range(5)]
        assert [line.battle for line in overview_of(table.campaign, table.mia)["over"]] == battles[:1:-1]
        assert [line.battle for line in battle_lines(table.campaign.battles.prefetch_related(SIDES))] == battles[::-1]

    def test_ones_own_first_of_those_that_are_not_over(self, table):
        second = enlisted(table.campaign, table.mia, "Second")
        own = planned(table, date=date(2026, 5, 9))
        table.alpha, table.bravo = second, enlisted(table.campaign, table.mia, "Third")
        others = planned(table, date=date(2026, 5, 2))
        assert [line.battle for line in overview_of(table.campaign, table.ben)["open"]] == [own, others]
        assert [line.battle for line in overview_of(table.campaign, table.cora)["open"]] == [others, own]

    def test_one_side_still_musters(self, table):
        against_guest(table, date=date(2026, 5, 2))
        [line] = overview_of(table.campaign, table.mia)["open"]
        assert line.note == "Battle 1, 600 points, 2 May: Ashen Patrol is choosing its army"
        assert (line.title, line.end) == ("Ashen Patrol against Sal", "")


def test_registers_with_their_players_and_people_with_their_roles(table):
    strays = building.open_register(actor=table.ben, owner=table.ben, faction="rebel")
    Enlistment.objects.filter(register=table.bravo).update(awaits_consent=True)
    found = overview_of(table.campaign, table.ben)
    assert list(found["registers"]) == list(registers_of(table.campaign))
    assert [str(register.owner) for register in found["registers"]] == ["ada", "ben"]
    assert [enlistment.register for enlistment in found["awaiting"]] == [table.bravo]
    members = table.campaign.memberships.select_related("user")
    assert [(each["name"], each["role"]) for each in found["members"]] == [
        (str(each.user), "" if each.role == "player" else each.get_role_display()) for each in members
    ]
    assert (list(found["unenlisted"]), list(overview_of(table.campaign, table.ada)["unenlisted"])) == ([strays], [])


def test_the_last_events_with_their_battles(table):
    over(table, "blue")
    planned(table)
    found = overview_of(table.campaign, table.mia)["events"]
    events = list(activity.of_campaign(table.campaign)[:LATELY])
    assert [vars(each)["facts"] for each in found] == [each.facts for each in events]
    assert activity.activity_lines(found) == activity.activity_lines(events)


def test_as_many_queries_however_much_there_is(table):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            overview_of(table.campaign, table.ben)
        return len(queries)

    over(table, "red")
    building.open_register(actor=table.ben, owner=table.ben)
    one = count()
    for _ in range(3):
        over(table, "red")
        building.open_register(actor=table.ben, owner=table.ben)
        enlisted(table.campaign, table.ben, "Another")
    assert (one, count()) == (7, 7)

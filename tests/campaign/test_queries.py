"""What the pages of the campaign read."""

from __future__ import annotations

from datetime import date

import pytest

from campaign import queries
from campaign.models import Battle
from registers.battles import BattleName
from rules.effects import ReputationGained
from tests.campaign.factories import (
    against_guest,
    complete,
    enlisted,
    happen,
    in_play,
    planned,
    reported,
)
from tests.campaign.pictures.fights import over


class TestRegisterLines:
    def test_points_arc_and_results(self, table):
        for number, winner in enumerate(("blue", "blue", "red", ""), start=1):
            battle = planned(table)
            Battle.objects.filter(pk=battle.pk).update(status="closed", winner=winner)
            battle.sides.update(open=False)
            assert battle.number == number
        [line] = queries.register_lines([table.alpha])
        assert (line.spent, line.won, line.drawn, line.lost) == (139, 2, 1, 1)
        assert line.arc["name"] == "Bring Peace to the Galaxy"
        assert line.url == f"/registers/{table.alpha.pk}/"

    def test_battles_that_are_not_over_do_not_count(self, table):
        reported(in_play(planned(table)), table.ada)
        [line] = queries.register_lines([table.alpha])
        assert (line.won, line.drawn, line.lost) == (0, 0, 0)

    def test_one_that_is_being_founded(self, table):
        register = enlisted(table.campaign, table.mia, "Half Done", commissioned=False)
        [line] = queries.register_lines([register])
        assert line.url == f"/registers/{register.pk}/founding/"


def test_the_registers_of_a_campaign_by_reputation_the_unfinished_last(table):
    half = enlisted(table.campaign, table.mia, "Aspirants", commissioned=False)
    happen(table.bravo, ReputationGained(amount=1, rule="R48"))
    assert list(queries.registers_of(table.campaign)) == [table.bravo, table.alpha, half]


class TestCandidates:
    def said(self, user, table, *, organises=False):
        return {
            item.register.name: (item.mine, item.why, item.note, item.may, item.must)
            for item in queries.candidates(user, table.campaign, organises=organises)
        }

    @pytest.mark.parametrize(
        ("done", "note", "may", "must"),
        [
            (0, "ada · 139 points", False, False),
            (1, "ada · 139 points · 1 Agenda completed", False, False),
            (2, "ada · 139 points · 2 Agendas completed", True, False),
            (3, "ada · 139 points · 3 Agendas completed", True, True),
        ],
    )
    def test_whose_turning_point(self, table, done, note, may, must):  # R22
        complete(table.alpha, done)
        assert self.said(table.ada, table) == {
            "Ashen Patrol": (True, "", note, may, must),
            "Dune Wardens": (False, "", "ben · 139 points", False, False),
        }

    def test_an_organiser_leads_any(self, table):
        assert all(mine for mine, *_ in self.said(table.cora, table, organises=True).values())

    def test_what_keeps_them_away(self, table):
        enlisted(table.campaign, table.mia, "Half Done", commissioned=False)
        complete(table.alpha, 2)
        against_guest(table)
        found = self.said(table.ada, table)
        assert found["Ashen Patrol"] == (
            True, "in another battle that is not over yet (R11)", "ada · 139 points · 2 Agendas completed", False,
            False,
        )  # fmt: skip
        assert found["Half Done"][1] == "not commissioned yet (R4)"


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
        found = queries.battle_lines(table.campaign)
        assert [(line.battle, line.note) for line in found.to_come] == [
            (fourth, "Battle 4, 600 points, 2 May: both still muster"),
            (third, "Battle 3, 600 points, 9 May, Ben’s attic: both still muster"),
        ]
        assert [(line.battle, line.note) for line in found.under_way] == [
            (second, "Battle 2, 600 points: in play")
        ]
        assert [(line.battle, line.note) for line in found.over] == [
            (first, "Battle 1, 600 points: called off")
        ]

    def test_of_those_that_are_over_the_last_few(self, table):
        battles = [over(table, "blue") for _ in range(5)]
        assert [line.battle for line in queries.battle_lines(table.campaign).over] == battles[:1:-1]
        assert [line.battle for line in queries.lines_of(queries.battles_of(table.campaign))] == battles[::-1]

    def test_ones_own_first_of_those_that_are_not_over(self, table):
        second = enlisted(table.campaign, table.mia, "Second")
        own = planned(table, date=date(2026, 5, 9))
        table.alpha, table.bravo = second, enlisted(table.campaign, table.mia, "Third")
        others = planned(table, date=date(2026, 5, 2))
        found = queries.battle_lines(table.campaign)
        assert [line.battle for line in found.open_to(table.ben)] == [own, others]
        assert [line.battle for line in found.open_to(table.cora)] == [others, own]

    def test_one_side_still_musters(self, table):
        against_guest(table, date=date(2026, 5, 2))
        [line] = queries.battle_lines(table.campaign).to_come
        assert line.note == "Battle 1, 600 points, 2 May: Ashen Patrol still musters"
        assert (line.title, line.end) == ("Ashen Patrol against Sal", "")

    def test_names_for_the_registers(self, table):
        battle = planned(table)
        assert queries.battle_names([str(battle.pk), "7"]) == {
            str(battle.pk): BattleName("Battle 1", f"/battles/{battle.pk}/", "1")
        }

    def test_the_registers_pages_learn_them(self, client, table):
        battle = in_play(planned(table))
        client.force_login(table.mia)
        page = client.get(f"/registers/{table.alpha.pk}/ledger/").content.decode()
        assert f'href="/battles/{battle.pk}/"' in page

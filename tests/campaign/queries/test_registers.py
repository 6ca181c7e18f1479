"""What the pages of the campaign read."""

from datetime import UTC, datetime

import pytest

from campaign.access import campaign_role
from campaign.battles.models import Battle
from campaign.battles.pages import candidates as candidate_queries
from campaign.battles.pages.register_lines import register_lines
from campaign.battles.queries import battles
from campaign.pages.register_links import next_steps_of_register
from campaign.queries.registers import by_standing, registers_of
from registers.campaign_side import BattleName
from registers.models import Register
from rules.register.effects import ReputationGained
from tests.campaign.factories import against_guest, complete, enlisted, happen, in_play, planned, reported
from tests.html import html_of
from tests.registers.factories import make_register


class TestRegisterLines:
    def test_points_arc_and_results(self, table):
        for number, winner in enumerate(("blue", "blue", "red", ""), start=1):
            battle = planned(table)
            Battle.objects.filter(pk=battle.pk).update(status="closed", winner=winner)
            battle.sides.update(open=False)
            assert battle.number == number
        [line] = register_lines([table.alpha])
        assert (line.spent, line.won, line.drawn, line.lost) == (139, 2, 1, 1)
        assert line.arc["name"] == "Bring Peace to the Galaxy"
        assert line.url == f"/registers/{table.alpha.pk}/"

    def test_battles_that_are_not_over_do_not_count(self, table):
        reported(in_play(planned(table)), table.ada)
        [line] = register_lines([table.alpha])
        assert (line.won, line.drawn, line.lost) == (0, 0, 0)

    def test_one_that_is_being_founded(self, table):
        register = enlisted(table.campaign, table.mia, "Half Done", commissioned=False)
        [line] = register_lines([register])
        assert line.url == f"/registers/{register.pk}/building/"


def test_the_registers_of_a_campaign_by_reputation_without_drafts(table):
    enlisted(table.campaign, table.mia, "Aspirants", commissioned=False)
    happen(table.bravo, ReputationGained(amount=1, rule="R48"))
    assert by_standing(registers_of(table.campaign)) == [table.bravo, table.alpha]


def test_by_reputation_then_by_name_as_people_sort_and_drafts_last():
    at = datetime(2026, 11, 28, tzinfo=UTC)
    rows = [
        Register(name=name, reputation=reputation, commissioned=bool(reputation), created_at=at)
        for name, reputation in (("Aces", 0), ("Zoë", 1), ("Élite", 1), ("Fist 10", 1), ("Fist 9", 1), ("last", 2))
    ]
    assert [each.name for each in by_standing(rows)] == ["last", "Élite", "Fist 9", "Fist 10", "Zoë", "Aces"]


class TestCandidates:
    def candidates(self, user, table):
        role = campaign_role(user, table.campaign)
        return {
            item.register.name: (item.mine, item.why, item.note, item.may, item.must)
            for item in candidate_queries.candidates(role, table.campaign)
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
        assert self.candidates(table.ada, table) == {
            "Ashen Patrol": (True, "", note, may, must),
            "Dune Wardens": (False, "", "ben · 139 points", False, False),
        }

    def test_an_organizer_leads_any(self, table):
        assert all(mine for mine, *_ in self.candidates(table.cora, table).values())

    def test_what_keeps_them_away(self, table):
        complete(table.alpha, 2)
        against_guest(table)
        found = self.candidates(table.ada, table)
        note = "ada · 139 points · 2 Agendas completed · 1 battle planned"
        assert found["Ashen Patrol"] == (True, "", note, True, False)


class TestNextSteps:
    """What the page of a new Register offers (next_steps_of_register)."""

    def steps(self, user, register):
        return [(step.title, step.href, step.posts) for step in next_steps_of_register(user, register)]

    def test_a_register_without_a_campaign(self, table):
        alone = make_register(table.mia, name="Iron Patrol")
        add = f"/campaigns/{table.campaign.pk}/registers/{alone.pk}/"
        new = [
            ("Play a battle", f"/registers/{alone.pk}/battles/", False),
            ("Create campaign", "/campaigns/new/", False),
        ]
        assert self.steps(table.mia, alone) == [(str(table.campaign), add, True), *new]
        table.campaign.memberships.filter(user=table.mia).update(role="viewer")
        assert self.steps(table.mia, alone) == new

    def test_a_register_in_a_campaign(self, table):
        there = f"/campaigns/{table.campaign.pk}/"
        player = [("Plan a battle", f"{there}battles/new/", False), ("Open campaign", there, False)]
        assert self.steps(table.ada, table.alpha) == player
        assert self.steps(table.cora, table.alpha) == [("Invite an opponent", f"{there}invitations/", False), *player]


class TestBattleNames:
    def test_names_for_the_registers(self, table):
        battle = planned(table)
        assert battles.battle_names([str(battle.pk), "7"]) == {
            str(battle.pk): BattleName("Battle 1", f"/battles/{battle.pk}/", "1", battle.date)
        }

    def test_the_registers_pages_learn_them(self, client, table):
        battle = in_play(planned(table))
        client.force_login(table.mia)
        page = html_of(client.get(f"/registers/{table.alpha.pk}/ledger/"))
        assert f'href="/battles/{battle.pk}/"' in page

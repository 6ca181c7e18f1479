"""The star map: systems, holders that follow battles, and bonuses."""

from uuid import uuid4

import pytest

from campaign.battles.models import Battle
from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.battles.services.sequence import UndoScope
from campaign.enlistments.services.awards import undo_awards
from campaign.models import ActivityKind, Campaign, Membership
from campaign.star_map.holders import Holder
from campaign.star_map.models import System
from campaign.star_map.queries import lines_of_battles, star_map_of
from campaign.star_map.services.star_map import (
    award_bonus,
    delete_system,
    fight_for,
    give_system,
    save_system,
    set_winner_takes,
    start_map,
    start_turn,
)
from campaign.teams.services.teams import assign_registers, save_team
from registers.models import LedgerEntry, Register
from rules.core.violations import RuleViolation
from tests.campaign.battles.amending import annulled, applied, corrected
from tests.campaign.battles.closing import closed, last, undo
from tests.campaign.factories import Table, planned
from tests.campaign.fights import over

EMPIRE, REBELS = Holder(faction="empire"), Holder(faction="rebel")


def system_of(actor, campaign: Campaign, name: str = "Talvos", **words) -> System:
    return save_system(
        actor=actor, campaign=campaign, **{"system_id": uuid4(), "name": name, "x": 30, "y": 40, **words}
    )


def holder(campaign: Campaign) -> Holder | None:
    """Who holds the only system."""
    [system] = star_map_of(campaign).systems
    return system.holder


def events(campaign: Campaign) -> list[str]:
    found = activity_lines(of_campaign(campaign).filter(kind=ActivityKind.MAP))
    return [line.text for line in reversed(found)]


class TestSystems:
    def test_a_set_of_systems_is_there_at_once_and_only_once(self, table):
        for _ in range(2):
            start_map(actor=table.cora, campaign=table.campaign, layout="6")
        found = star_map_of(table.campaign)
        assert [each.name for each in found.systems] == [f"System {number}" for number in range(1, 7)]
        assert {frozenset((a.number, b.number)) for a, b in found.lanes} == {
            frozenset((number, number % 6 + 1)) for number in range(1, 7)
        }
        assert events(table.campaign) == ["A star map with 6 systems was created."]

    def test_a_system_is_placed_renamed_connected_and_removed(self, table):
        one = system_of(table.cora, table.campaign)
        two = system_of(table.cora, table.campaign, "Verge", lanes=[one.pk])
        system_of(table.cora, table.campaign, "Talvos Prime", system_id=one.pk, x=0, y=100, lanes=[two.pk])
        [shown, other] = star_map_of(table.campaign).systems
        assert (shown.name, shown.row.x, shown.row.y, shown.spot.anchor) == ("Talvos Prime", 0, 100, "start")
        assert len(star_map_of(table.campaign).lanes) == 1
        delete_system(actor=table.cora, campaign=table.campaign, system_id=other.row.pk)
        assert star_map_of(table.campaign).lanes == []
        assert events(table.campaign) == [
            "The star map has a new system: Talvos.",
            "The star map has a new system: Verge.",
            "Talvos on the star map is now called Talvos Prime.",
            "Verge was removed from the star map.",
        ]

    def test_everything_that_is_wrong_at_once(self, table):
        system_of(table.cora, table.campaign)
        with pytest.raises(RuleViolation) as caught:
            system_of(table.cora, table.campaign, "talvos", x=101, bonus_supply=-1, lanes=[uuid4()])
        assert [each.about for each in caught.value.violations] == ["name", "x", "bonus_supply", "lanes"]

    def test_only_organizers(self, table):
        for actor in (table.ada, table.eve):
            with pytest.raises(RuleViolation):
                system_of(actor, table.campaign)


class TestByHand:
    def test_a_team_a_faction_and_nobody(self, table):
        system = system_of(table.cora, table.campaign)
        dawn = save_team(
            actor=table.cora, campaign=table.campaign, team_id=uuid4(), name="Dawn League", colour="rose", emblem="disc"
        )
        for value in (f"team:{dawn.pk}", f"team:{dawn.pk}", "faction:empire", ""):
            give_system(actor=table.cora, campaign=table.campaign, system_id=system.pk, holder=value)
        [shown] = star_map_of(table.campaign).systems
        team = Holder(team=dawn.pk, team_name="Dawn League", colour="rose", emblem="disc")
        assert [(change.holder, change.by) for change in shown.changes] == [
            (team, "cora"), (EMPIRE, "cora"), (None, "cora"),
        ]  # fmt: skip
        assert events(table.campaign)[1:] == [
            "Dawn League now holds Talvos.", "Empire now holds Talvos.", "Nobody holds Talvos now.",
        ]  # fmt: skip

    def test_not_to_a_faction_that_does_not_play(self, table):
        system = system_of(table.cora, table.campaign)
        with pytest.raises(RuleViolation):
            give_system(actor=table.cora, campaign=table.campaign, system_id=system.pk, holder="faction:rebel")


class TestBattles:
    def test_the_winner_holds_the_system_while_the_battle_is_closed(self, fought):
        """Reopened, closed again, with a corrected report, and voided."""
        organizer, campaign = fought.ada_organizes(), fought.battle.campaign
        system = system_of(organizer, campaign)
        fight_for(actor=organizer, battle=fought.battle, system_id=system.pk)
        assert holder(campaign) is None
        battle = closed(fought)
        assert holder(campaign) == EMPIRE
        assert lines_of_battles([battle]) == {battle.pk: "The Empire took Talvos."}
        undo(fought, "blue", UndoScope.ANSWER)
        assert (holder(campaign), lines_of_battles([battle])) == (None, {})
        last(fought)
        assert holder(campaign) == EMPIRE
        applied(fought, corrected(fought, winner="red"))
        assert holder(campaign) == REBELS
        annulled(fought)
        assert holder(campaign) is None

    def test_a_battle_that_is_closed_again_stays_at_its_place_in_the_history(self, fought):
        organizer, campaign = fought.ada_organizes(), fought.battle.campaign
        system = system_of(organizer, campaign)
        fight_for(actor=organizer, battle=fought.battle, system_id=system.pk)
        closed(fought)
        give_system(actor=organizer, campaign=campaign, system_id=system.pk, holder="faction:rebel")
        undo(fought, "blue", UndoScope.ANSWER)
        last(fought)
        [shown] = star_map_of(campaign).systems
        assert [change.holder for change in shown.changes] == [EMPIRE, REBELS]

    def test_the_side_is_the_team_of_the_winner(self, table):
        system = system_of(table.cora, table.campaign)
        dawn = save_team(
            actor=table.cora, campaign=table.campaign, team_id=uuid4(), name="Dawn League", colour="rose", emblem="disc"
        )
        battle = over(table, "red")
        fight_for(actor=table.cora, battle=battle, system_id=system.pk)
        assert holder(table.campaign) == EMPIRE
        assign_registers(actor=table.cora, campaign=table.campaign, teams={table.bravo.pk: dawn.pk})
        assert holder(table.campaign).name == "Dawn League"
        Battle.objects.filter(pk=battle.pk).update(winner="")
        assert holder(table.campaign) is None

    def test_an_organizer_decides_if_the_winner_does_not_take_it(self, table):
        system = system_of(table.cora, table.campaign)
        set_winner_takes(actor=table.cora, campaign=table.campaign, automatic=False)
        battle = over(table, "blue")
        fight_for(actor=table.cora, battle=battle, system_id=system.pk)
        set_winner_takes(actor=table.cora, campaign=table.campaign, automatic=True)
        [shown] = star_map_of(table.campaign).systems
        assert (shown.holder, [(each.number, each.winner) for each in shown.battles]) == (None, [(1, EMPIRE)])

    def test_who_may_choose_the_system_and_when(self, table):
        system = system_of(table.cora, table.campaign)
        battle = planned(table)
        fight_for(actor=table.ada, battle=battle, system_id=system.pk)
        fight_for(actor=table.ben, battle=battle, system_id=None)
        assert events(table.campaign)[1:] == ["This battle is for Talvos.", "This battle is no longer for a system."]
        with pytest.raises(RuleViolation):
            fight_for(actor=table.mia, battle=battle, system_id=system.pk)
        Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.REPORTED)
        with pytest.raises(RuleViolation) as caught:
            fight_for(actor=table.ada, battle=battle, system_id=system.pk)
        assert str(caught.value) == "The battle is reported. Ask an organizer to change its system."
        fight_for(actor=table.cora, battle=battle, system_id=system.pk)


class TestBonus:
    def points(self, table: Table) -> list[int]:
        return [Register.objects.get(pk=each.pk).supply_points for each in (table.alpha, table.bravo)]

    def held(self, table: Table) -> System:
        """A system with a bonus, held by a team that only alpha is in."""
        system = system_of(table.cora, table.campaign, bonus_supply=2)
        dawn = save_team(
            actor=table.cora, campaign=table.campaign, team_id=uuid4(), name="Dawn League", colour="rose", emblem="disc"
        )
        assign_registers(actor=table.cora, campaign=table.campaign, teams={table.alpha.pk: dawn.pk})
        give_system(actor=table.cora, campaign=table.campaign, system_id=system.pk, holder=f"team:{dawn.pk}")
        return system

    def test_once_a_turn_for_each_register_of_the_holder(self, table):
        act = {"actor": table.cora, "campaign": table.campaign, "system_id": self.held(table).pk}
        before = self.points(table)
        assert [award_bonus(**act, turn=1), award_bonus(**act, turn=1)] == [1, 0]
        assert self.points(table) == [before[0] + 2, before[1]]
        entry = LedgerEntry.objects.filter(register=table.alpha).last()
        assert (entry.act, entry.reason) == ("correct", "Bonus of Talvos, turn 1")
        for _ in range(2):
            start_turn(actor=table.cora, campaign=table.campaign, after=1)
        with pytest.raises(RuleViolation) as caught:
            award_bonus(**act, turn=1)
        assert str(caught.value) == "A new turn has started. Reload the page, then award the bonus."
        assert award_bonus(**act, turn=2) == 1
        assert self.points(table) == [before[0] + 4, before[1]]

    def test_an_award_that_was_undone_can_be_given_again(self, table):
        act = {"actor": table.cora, "campaign": table.campaign, "system_id": self.held(table).pk, "turn": 1}
        award_bonus(**act)
        entry = LedgerEntry.objects.filter(register=table.alpha).last()
        undo_awards(actor=table.cora, campaign=table.campaign, entries=[entry.pk], reason="Too early.")
        assert award_bonus(**act) == 1

    def test_only_for_somebody_and_of_something(self, table):
        act = {"actor": table.cora, "campaign": table.campaign, "turn": 1}
        empty = system_of(table.cora, table.campaign, bonus_supply=1)
        with pytest.raises(RuleViolation) as caught:
            award_bonus(**act, system_id=empty.pk)
        assert str(caught.value) == "Nobody holds this system, so nobody gets its bonus."
        system_of(table.cora, table.campaign, system_id=empty.pk)
        give_system(actor=table.cora, campaign=table.campaign, system_id=empty.pk, holder="faction:empire")
        with pytest.raises(RuleViolation) as caught:
            award_bonus(**act, system_id=empty.pk)
        assert str(caught.value) == "This system has no bonus. Enter one first."
        Membership.objects.filter(user=table.cora).update(role="player")
        with pytest.raises(RuleViolation):
            award_bonus(**act, system_id=empty.pk)

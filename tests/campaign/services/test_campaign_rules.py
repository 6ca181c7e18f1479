"""Changing the rules of a campaign, and when a change begins to count."""

import threading

import pytest
from django.db import connection, transaction

from campaign.battles.report_data import book_of
from campaign.battles.services import planning
from campaign.enlistments.services import enlistments
from campaign.models import ActivityKind, Campaign
from campaign.services import campaigns
from campaign.services.campaigns import change_campaign_rules
from campaign.services.locks import lock_campaign
from catalogue.snapshot import rulebook
from registers.ledger.session import rulebook_for
from registers.projection import state_of
from registers.services import building, editing
from rules.core.campaign_rules import CampaignRules, HouseRules
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import SagaCompleted
from tests.campaign.factories import against_guest, happen, in_play, make_table, planned, refused, side_of

OWN = CampaignRules(combat_potential=800, length=3, house=HouseRules(draw="neither"))


def change(table, campaign_rules, actor=None, version=None):
    return change_campaign_rules(
        actor=actor or table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=version
    )


def violations(caught) -> tuple[Violation, ...]:
    return caught.value.violations


def events(table) -> list[tuple]:
    rows = table.campaign.activity.filter(kind=ActivityKind.CAMPAIGN_RULES).order_by("pk")
    return [(event.actor, event.facts) for event in rows]


class TestChange:
    def test_reaches_every_register_and_the_chronicle(self, table):
        changed = change(table, OWN, version=0)
        table.campaign.refresh_from_db()
        assert (changed.campaign_rules, changed.campaign_rules_version) == (OWN, 1)
        assert (table.campaign.campaign_rules, table.campaign.campaign_rules_version) == (OWN, 1)
        for register in (table.alpha, table.bravo):
            register.refresh_from_db()
            assert (register.campaign_rules, register.combat_potential) == (OWN, 600)
            assert rulebook_for(register) is rulebook().under(OWN)
        assert events(table) == [
            (table.cora, {"name": "combat_potential", "before": 600, "after": 800}),
            (table.cora, {"name": "length", "before": None, "after": 3}),
            (table.cora, {"name": "draw", "before": "defeat", "after": "neither"}),
        ]

    def test_twice_changes_once(self, table):
        for _ in range(2):
            assert change(table, OWN, version=0).campaign_rules_version == 1
        assert len(events(table)) == 3

    def test_not_from_an_older_version(self, table):
        change(table, OWN, version=0)
        with pytest.raises(RuleViolation) as caught:
            change(table, CampaignRules(length=4), version=0)
        text = "The campaign rules have changed since you opened this page. Check them, then make your changes again."
        assert violations(caught) == (Violation("", text),)
        table.campaign.refresh_from_db()
        assert table.campaign.campaign_rules == OWN

    @pytest.mark.parametrize("who", ["ada", "mia", "eve"])
    def test_by_organizers_alone(self, table, who):
        with pytest.raises(RuleViolation) as caught:
            change(table, OWN, actor=getattr(table, who))
        assert violations(caught) == (Violation("", "Only an organizer can change the campaign rules."),)

    def test_everything_that_cannot_be_is_said_at_once(self, table):
        wrong = CampaignRules(
            combat_potential=199, supply_points=51, length=0, factions=("hutts",), story_arcs=("x",),
            battle_forces=("y",),
        )  # fmt: skip
        with pytest.raises(RuleViolation) as caught:
            change(table, wrong)
        listed = "Choose only listed values."
        assert violations(caught) == (
            Violation("", "Combat Potential: enter a number from 200 to 5000.", "combat_potential"),
            Violation("", "SP: enter a number from 0 to 50.", "supply_points"),
            Violation("", "Story Arcs: enter a number from 1 to 20.", "length"),
            Violation("", listed, "factions"),
            Violation("", listed, "story_arcs"),
            Violation("", listed, "battle_forces"),
        )

    def test_a_new_campaign_has_terms_that_can_be(self, table):
        with pytest.raises(RuleViolation) as caught:
            campaigns.create_campaign(actor=table.cora, name="Short", campaign_rules=CampaignRules(length=21))
        assert violations(caught) == (Violation("", "Story Arcs: enter a number from 1 to 20.", "length"),)


class TestWhenItCounts:
    def test_a_battle_plays_by_the_terms_that_held_when_it_began(self, table):
        battle = planned(table)
        side = side_of(battle, "blue")
        assert battle.campaign_rules is None
        assert book_of(side).campaign_rules == CampaignRules()
        change(table, OWN)
        battle = in_play(battle)
        change(table, CampaignRules(length=1))
        assert battle.campaign_rules == OWN
        assert book_of(side_of(battle, "blue")).campaign_rules == OWN
        assert rulebook_for(side_of(battle, "blue").register).campaign_rules == CampaignRules(length=1)

    def test_a_register_keeps_what_it_has(self, table):
        change(table, CampaignRules(factions=("rebel",), story_arcs=("a-pirates-life",)))
        added = {"add": {"unit": "stormtroopers"}}
        register = editing.edit(actor=table.ada, register_id=table.alpha.pk, position=None, change=added)
        assert (register.faction, register.story_arc_id) == ("empire", "bring-peace-to-the-galaxy")
        assert in_play(against_guest(table)).status == "in_play"

    def test_a_new_one_starts_with_what_the_terms_say_then(self, table):
        change(table, CampaignRules(combat_potential=800, supply_points=2, factions=("rebel",)))
        table.campaign.refresh_from_db()
        register = enlistments.create_register(actor=table.mia, campaign=table.campaign, faction="rebel")
        assert (register.combat_potential, register.supply_points) == (800, 2)
        with pytest.raises(RuleViolation) as caught:
            enlistments.create_register(actor=table.mia, campaign=table.campaign, faction="empire")
        assert violations(caught) == (Violation("R3", "Choose a Faction: rebel.", "faction"),)
        with pytest.raises(RuleViolation) as caught:
            building.add_unit(actor=table.mia, register_id=register.pk, position=None, card="stormtroopers")
        assert refused(caught) == {"R3"}


class TestSaga:
    def test_a_complete_one_fights_no_more(self, table):
        change(table, CampaignRules(length=1))
        happen(table.alpha, SagaCompleted(arcs=1, rule="R49"))
        with pytest.raises(RuleViolation) as caught:
            planned(table)
        text = "Ashen Patrol has played its last Story Arc and can no longer fight."
        assert violations(caught) == (Violation("R49", text, "blue"),)

    def test_it_goes_on_when_the_campaign_is_longer(self, table):
        change(table, CampaignRules(length=1))
        happen(table.alpha, SagaCompleted(arcs=1, rule="R49"))
        going_on = {
            "actor": table.ada, "register_id": table.alpha.pk, "position": None, "story_arc": "a-pirates-life",
        }  # fmt: skip
        with pytest.raises(RuleViolation) as caught:
            editing.choose_next_arc(**going_on)
        assert violations(caught) == (
            Violation("R49", "This Register has played its last Story Arc: 1 Story Arc.", "story_arc"),
        )
        change(table, CampaignRules(length=2))
        register = editing.choose_next_arc(**going_on)
        assert (register.story_arc_id, register.arcs_ended, register.saga_complete) == ("a-pirates-life", 1, False)
        assert state_of(register).saga_complete is False
        assert planned(table).status == "planned"

    def test_one_that_completes_while_the_army_is_mustered_takes_no_field(self, table):
        battle = planned(table)
        happen(table.alpha, SagaCompleted(arcs=1, rule="R49"))
        with pytest.raises(RuleViolation) as caught:
            in_play(battle)
        assert refused(caught) == {"R49"}


@pytest.mark.django_db(transaction=True)
def test_a_register_that_comes_in_meanwhile_gets_the_new_terms(book):
    """It waits for whoever changes them, and nobody waits for ever."""
    table = make_table()
    own = building.open_register(actor=table.mia, owner=table.mia)

    def come_in() -> None:
        enlistments.add_register(
            actor=table.mia, campaign=Campaign.objects.get(pk=table.campaign.pk), register_id=own.pk
        )
        connection.close()

    thread = threading.Thread(target=come_in)
    with transaction.atomic():
        lock_campaign(table.campaign)
        thread.start()
        change(table, OWN)
    thread.join(timeout=20)
    own.refresh_from_db()
    assert own.campaign_rules == OWN


def test_calling_off_keeps_the_terms_of_the_battle(table):
    battle = in_play(planned(table))
    planning.cancel(actor=table.ada, battle_id=battle.pk)
    battle.refresh_from_db()
    assert battle.campaign_rules == CampaignRules()

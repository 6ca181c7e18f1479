"""Founding a campaign, and its Registers."""

from uuid import uuid4

import pytest

from campaign.enlistments.services import enlistments
from campaign.models import Campaign, Enlistment, Membership
from campaign.services import campaigns
from catalogue.snapshot import forget
from registers.services import building
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import StoryArcBegun
from tests.campaign.factories import activity_rows, happen
from tests.campaign.story_arcs.factories import published
from tests.registers.factories import make_player, make_register


@pytest.fixture
def player(db):
    return make_player("ada")


def violations(caught) -> tuple[Violation, ...]:
    return caught.value.violations


class TestFoundCampaign:
    def test_the_founder_organizes_it(self, player):
        campaign = campaigns.create_campaign(actor=player, name="  Outer Rim ", about=" Cold. ")
        assert (campaign.name, campaign.about, campaign.campaign_rules) == ("Outer Rim", "Cold.", CampaignRules())
        assert [(m.user, m.role) for m in campaign.memberships.all()] == [(player, "organizer")]
        assert activity_rows(campaign) == [("founded", player, {"name": "Outer Rim"})]

    def test_a_form_that_comes_twice_founds_it_once(self, player):
        pk = uuid4()
        first = campaigns.create_campaign(actor=player, name="Outer Rim", campaign_id=pk)
        assert campaigns.create_campaign(actor=player, name="Outer Rim", campaign_id=pk) == first
        assert Campaign.objects.count() == Membership.objects.count() == first.activity.count() == 1

    def test_somebody_elses_is_not_taken_over(self, player):
        campaign = campaigns.create_campaign(actor=player, name="Outer Rim")
        with pytest.raises(RuleViolation) as caught:
            campaigns.create_campaign(actor=make_player("ben"), name="Mine", campaign_id=campaign.pk)
        assert violations(caught) == (Violation("", "You are not an organizer of this campaign."),)

    @pytest.mark.parametrize(
        ("name", "text"),
        [("  ", "Give the campaign a name."), ("x" * 81, "This name is too long. Use up to 80 characters.")],
    )
    def test_its_name(self, player, name, text):
        with pytest.raises(RuleViolation) as caught:
            campaigns.create_campaign(actor=player, name=name)
        assert violations(caught) == (Violation("", text, "name"),)


class TestFoundRegister:
    def test_serves_in_the_campaign_by_its_terms(self, table):
        table.campaign.campaign_rules = CampaignRules(unreleased=True, combat_potential=800, supply_points=3)
        table.campaign.save()
        pk = uuid4()
        for _ in range(2):  # the form comes twice
            register = enlistments.create_register(
                actor=table.mia, campaign=table.campaign, faction="rebel", register_id=pk
            )
        assert (register.pk, register.owner, register.campaign_rules) == (pk, table.mia, table.campaign.campaign_rules)
        assert (register.combat_potential, register.supply_points) == (800, 3)
        assert Enlistment.objects.get(register=register).campaign == table.campaign

    def test_not_by_a_reader(self, table):
        table.campaign.memberships.filter(user=table.mia).update(role="viewer")
        with pytest.raises(RuleViolation) as caught:
            enlistments.create_register(actor=table.mia, campaign=table.campaign, faction="rebel")
        assert violations(caught) == (Violation("", "Only players of the campaign can add Registers."),)

    def test_not_by_a_stranger(self, table):
        with pytest.raises(RuleViolation) as caught:
            enlistments.create_register(actor=table.eve, campaign=table.campaign, faction="rebel")
        assert violations(caught) == (Violation("", "Only players of the campaign can add Registers."),)
        assert not table.eve.registers.exists()


class TestEnlist:
    def test_twice_changes_nothing(self, table):
        enlistments.add_register(actor=table.ada, campaign=table.campaign, register_id=table.alpha.pk)
        assert table.campaign.registers.count() == 2
        assert activity_rows(table.campaign, "enlisted") == [
            ("enlisted", table.ada, {"register": str(table.alpha.pk)}),
            ("enlisted", table.ben, {"register": str(table.bravo.pk)}),
        ]

    def test_takes_over_the_terms_of_the_campaign(self, table):
        table.campaign.campaign_rules = CampaignRules(unreleased=True, combat_potential=800)
        table.campaign.save()
        own = building.open_register(actor=table.mia, owner=table.mia)
        enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=own.pk)
        own.refresh_from_db()
        assert (own.campaign_rules, own.combat_potential) == (table.campaign.campaign_rules, 600)

    def test_not_somebody_elses(self, table):
        with pytest.raises(RuleViolation) as caught:
            enlistments.add_register(actor=table.ben, campaign=table.campaign, register_id=table.alpha.pk)
        assert violations(caught) == (Violation("", "This Register belongs to somebody else."),)

    def test_not_one_of_another_campaign(self, table):
        other = campaigns.create_campaign(actor=table.ada, name="Another")
        with pytest.raises(RuleViolation) as caught:
            enlistments.add_register(actor=table.ada, campaign=other, register_id=table.alpha.pk)
        assert violations(caught) == (Violation("", "Ashen Patrol is in another campaign."),)

    def test_not_one_that_may_hold_more_than_the_campaign_allows(self, table):
        own = building.open_register(actor=table.mia, owner=table.mia, campaign_rules=CampaignRules(unreleased=True))
        with pytest.raises(RuleViolation) as caught:
            enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=own.pk)
        text = "Unnamed Register allows unreleased cards, but this campaign does not."
        assert violations(caught) == (Violation("R5", text),)

    def test_not_one_of_another_faction_or_in_another_arc(self, table):
        own = make_register(table.mia, name="Grey Ghosts")
        table.campaign.campaign_rules = CampaignRules(factions=("rebel",), story_arcs=("a-pirates-life",))
        table.campaign.save()
        with pytest.raises(RuleViolation) as caught:
            enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=own.pk)
        assert violations(caught) == (
            Violation("R3", "The campaign rules do not allow the Faction Empire."),
            Violation("R49", "Grey Ghosts plays a Story Arc that the campaign rules do not allow."),
        )
        # Who serves already is not asked again.
        enlistments.add_register(actor=table.ada, campaign=table.campaign, register_id=table.alpha.pk)

    def test_one_in_an_arc_that_is_not_printed_where_that_was_taken_in(self, table):
        """The limit is one of printed arcs; the others are there because somebody took them in."""
        version = published(table)
        forget()
        own = make_register(table.mia, name="Grey Ghosts")
        happen(own, StoryArcBegun(story_arc=version.story_arc_id, rule="R49"))
        table.campaign.campaign_rules = CampaignRules(story_arcs=("a-pirates-life",))
        table.campaign.save()
        there = enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=own.pk)
        assert (there.story_arc_id, there.adopted_arcs) == (version.story_arc_id, [version.story_arc_id])

    def test_and_nowhere_else(self, table):
        version = published(table)
        forget()
        own = make_register(table.mia, name="Grey Ghosts")
        happen(own, StoryArcBegun(story_arc=version.story_arc_id, rule="R49"))
        other = campaigns.create_campaign(actor=table.mia, name="Elsewhere")
        with pytest.raises(RuleViolation) as caught:
            enlistments.add_register(actor=table.mia, campaign=other, register_id=own.pk)
        text = "Grey Ghosts plays a Story Arc that the campaign rules do not allow."
        assert violations(caught) == (Violation("R49", text),)

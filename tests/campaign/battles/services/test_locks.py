"""The lock of a campaign: whoever waited for it is asked again who they are, and sees what has changed meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest

from campaign.enlistments.services import enlistments
from campaign.models import Campaign, Invitation, Membership
from campaign.services.campaigns import change_campaign_rules
from campaign.services.locks import lock_campaign
from campaign.services.webhooks import remove_webhook
from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.story_arcs.services import story_arcs
from members.services import invitations, membership
from registers.models import Register
from rules.arcs.custom_arcs import blank_arc
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation
from tests.at_once import behind
from tests.campaign.factories import Table, make_table
from tests.campaign.story_arcs.factories import published

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


def after_waiting(table: Table, act: Callable[[], Any], meanwhile: Callable[[], Any]) -> str:
    """What becomes of an act that waits for the lock while `meanwhile` happens to the campaign."""
    found = behind(lambda: lock_campaign(table.campaign), act, meanwhile)
    return str(found) if isinstance(found, RuleViolation) else "done"


def test_of_organizers_who_waited_only_those_who_still_are_go_on(table):
    campaign, cora, register = table.campaign, table.cora, table.alpha.pk
    version = published(table)
    made = invitations.invite(actor=cora, group=campaign)
    acts: dict[str, Callable[[], Any]] = {
        "campaign_rules": lambda: change_campaign_rules(
            actor=cora, campaign=campaign, campaign_rules=CampaignRules(length=3), version=None
        ),
        "consent": lambda: enlistments.consent(actor=cora, campaign=campaign, register_id=register),
        "invite": lambda: invitations.invite(actor=cora, group=campaign),
        "revoke": lambda: invitations.revoke(actor=cora, invitation=made),
        "add": lambda: membership.add_member(actor=cora, group=campaign, username="eve"),
        "webhook": lambda: remove_webhook(actor=cora, campaign=campaign),
        "begin": lambda: story_arcs.begin(actor=cora, campaign=campaign, name="Late"),
        "change": lambda: story_arcs.change(actor=cora, arc_id=version.arc_id, revision=None, draft=blank_arc()),
        "discard": lambda: story_arcs.discard(actor=cora, campaign=campaign, arc_id=version.arc_id),
        "publish": lambda: story_arcs.publish(actor=cora, arc_id=version.arc_id, revision=2),
        "share": lambda: story_arcs.share(actor=cora, arc_id=version.arc_id),
        "stop": lambda: story_arcs.stop_sharing(actor=cora, arc_id=version.arc_id),
        "take in": lambda: story_arcs.adopt(actor=cora, campaign=campaign, version_id=version.pk),
        "withdrawn": lambda: story_arcs.drop(actor=cora, campaign=campaign, arc_id=version.arc_id),
    }
    own = Membership.objects.filter(campaign=campaign, user=cora)
    found = {}
    for name, act in acts.items():
        found[name] = after_waiting(table, act, lambda: own.update(role="player"))
        own.update(role="organizer")
    arc = "Only an organizer of the campaign can do this."
    assert found == {
        "campaign_rules": "Only an organizer can change the campaign rules.",
        "consent": "Only an organizer can approve imported values.",
        "invite": "Only an organizer can create invitations.",
        "revoke": "Only an organizer can revoke an invitation.",
        "add": "Only an organizer can add members.",
        "webhook": "Only an organizer can change Discord notifications.",
        **dict.fromkeys(("begin", "change", "discard", "publish", "share", "stop", "take in", "withdrawn"), arc),
    }
    assert (CustomArc.objects.count(), ArcVersion.objects.count(), Invitation.objects.count()) == (1, 1, 1)


def test_who_became_a_viewer_meanwhile_brings_no_register(table):
    own = Membership.objects.filter(campaign=table.campaign, user=table.mia)
    found = after_waiting(
        table,
        lambda: enlistments.create_register(actor=table.mia, campaign=table.campaign, faction="rebel"),
        lambda: own.update(role="viewer"),
    )
    assert found == "Only players of the campaign can add Registers."
    assert not table.mia.registers.exists()


@pytest.mark.parametrize("found", [enlistments.create_register, enlistments.import_register])
def test_a_register_begins_by_the_terms_that_were_changed_meanwhile(table, found):
    new = CampaignRules(combat_potential=800, supply_points=2)
    words = {"units": []} if found is enlistments.import_register else {}
    seen = Campaign.objects.get(pk=table.campaign.pk)
    text = after_waiting(
        table,
        lambda: found(actor=table.mia, campaign=seen, faction="rebel", **words),
        lambda: change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=new, version=None),
    )
    register = Register.objects.get(owner=table.mia)
    assert (text, register.campaign_rules, register.combat_potential, register.supply_points) == ("done", new, 800, 2)


def test_of_two_last_arcs_one_is_begun(table, monkeypatch):
    monkeypatch.setattr(story_arcs, "MOST_ARCS", 1)
    begin = lambda: story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Second")  # noqa: E731
    text = after_waiting(
        table, begin, lambda: CustomArc.objects.create(campaign=table.campaign, draft=blank_arc("First"))
    )
    assert text == "A campaign can have up to 1 custom Story Arcs. Delete a draft first."

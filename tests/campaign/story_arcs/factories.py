"""Custom Story Arcs at each stage."""

from campaign.services import campaigns
from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.story_arcs.services import story_arcs
from tests.campaign.factories import Table
from tests.registers.factories import make_player
from tests.rules.arcs.arcs import printed


def written(table: Table, name: str = "Our Arc") -> CustomArc:
    """A draft that lacks nothing."""
    arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name=name)
    draft = {**printed("a-pirates-life"), "name": name}
    return story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=draft)


def published(table: Table, name: str = "Our Arc") -> ArcVersion:
    arc = written(table, name)
    return story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=arc.revision)


def elsewhere():
    """Another campaign, and who organizes it."""
    olga = make_player("olga")
    return olga, campaigns.create_campaign(actor=olga, name="Elsewhere")

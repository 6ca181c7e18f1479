"""The campaign itself."""

from typing import Any

from campaign.achievements.models import PaintingRules
from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.models import Campaign
from campaign.star_map.models import MapSettings
from campaign.teams.models import TeamSettings

FIELDS = (
    "id", "name", "about", "house_rules", "campaign_rules_version", "time_zone", "campaign_rules", "created_at",
    "picture",
)  # fmt: skip


def written(scope: Scope) -> dict[str, Any]:
    """Return the campaign's own values."""
    campaign = scope.campaign
    painting = PaintingRules.objects.filter(campaign=campaign).first()
    return {
        **scope.values(campaign, *FIELDS),
        "players_choose_teams": TeamSettings.objects.filter(campaign=campaign, players_choose=True).exists(),
        "star_map": MapSettings.objects.filter(campaign=campaign).values("winner_takes", "turn").first(),
        "painted_bonus": painting.supply_points if painting else 0,
    }


def bring(arrival: Arrival) -> None:
    """Create the campaign with its settings. Its pictures have been created before."""
    row = arrival.data["campaign"]
    arrival.campaign = Campaign.objects.create(**arrival.values(Campaign, row, *FIELDS))
    if row.get("players_choose_teams"):
        TeamSettings.objects.create(campaign=arrival.campaign, players_choose=True)
    if row.get("star_map"):
        MapSettings.objects.create(campaign=arrival.campaign, **row["star_map"])
    if row.get("painted_bonus"):
        PaintingRules.objects.create(campaign=arrival.campaign, supply_points=row["painted_bonus"])

"""The campaign itself."""

from typing import Any
from uuid import UUID

from campaign.achievements.models import PaintingRules
from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.scope import Scope, moment, plain
from campaign.models import Campaign
from campaign.star_map.models import MapSettings
from campaign.teams.models import TeamSettings
from core.time_zones import site_zone
from rules.core.campaign_rules import from_data

FIELDS = ("name", "about", "house_rules", "campaign_rules_version")


def written(scope: Scope) -> dict[str, Any]:
    """Return the campaign's own values."""
    campaign = scope.campaign
    painting = PaintingRules.objects.filter(campaign=campaign).first()
    return {
        "id": str(campaign.pk),
        **plain(campaign, *FIELDS),
        "time_zone": campaign.time_zone,
        "campaign_rules": campaign.campaign_rules.as_data(),
        "created_at": moment(campaign.created_at),
        "picture": scope.picture(campaign.picture),
        "players_choose_teams": TeamSettings.objects.filter(campaign=campaign, players_choose=True).exists(),
        "star_map": MapSettings.objects.filter(campaign=campaign).values("winner_takes", "turn").first(),
        "painted_bonus": painting.supply_points if painting else 0,
    }


def bring(arrival: Arrival) -> None:
    """Create the campaign with its settings. Its pictures have been created before."""
    row = arrival.data["campaign"]
    arrival.campaign = Campaign.objects.create(
        pk=UUID(row["id"]),
        **{name: row[name] for name in FIELDS},
        time_zone=row.get("time_zone", site_zone()),
        campaign_rules=from_data(row["campaign_rules"]),
        created_at=when(row["created_at"]),
        picture=arrival.pictures.get(row["picture"]),
    )
    if row.get("players_choose_teams"):
        TeamSettings.objects.create(campaign=arrival.campaign, players_choose=True)
    if row.get("star_map"):
        MapSettings.objects.create(campaign=arrival.campaign, **row["star_map"])
    if row.get("painted_bonus"):
        PaintingRules.objects.create(campaign=arrival.campaign, supply_points=row["painted_bonus"])

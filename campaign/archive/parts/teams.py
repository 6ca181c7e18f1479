"""The teams of a campaign, and the Registers in them."""

from typing import Any

from django.db.models import Prefetch

from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.teams.models import Team, TeamPlace

TEAM = ("id", "name", "colour", "emblem")


def written(scope: Scope) -> list[dict[str, Any]]:
    """Return each team with the Registers of the campaign that are in it."""
    places = TeamPlace.objects.filter(register__enlistment__campaign=scope.campaign).order_by("register")
    return [
        {**scope.values(team, *TEAM), "registers": [str(place.register_id) for place in team.places.all()]}
        for team in scope.campaign.teams.prefetch_related(Prefetch("places", places))
    ]


def bring(arrival: Arrival) -> None:
    """Create the teams, and put the Registers into them."""
    rows = arrival.data.get("teams", [])
    arrival.teams = {row["id"]: Team(campaign=arrival.campaign, **arrival.values(Team, row, *TEAM)) for row in rows}
    Team.objects.bulk_create(arrival.teams.values())
    TeamPlace.objects.bulk_create(
        TeamPlace(register=arrival.registers[key], team=arrival.teams[row["id"]])
        for row in rows
        for key in row["registers"]
    )

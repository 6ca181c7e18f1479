"""The phases of a campaign, and its rounds with their pairings. A draft of a round is left out."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.db.models import Prefetch, Q

from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.registers import carried
from campaign.archive.parts.scope import Scope
from campaign.schedule.models import Pairing, Phase, Round

PHASE = ("id", "name", "size", "note", "version", "first_day", "last_day")
ROUND = (
    "number", "size", "place", "nearness", "mates", "stakes", "only_available", "seed", "version", "phase", "due",
    "created_at",
)  # fmt: skip
PAIRING = ("place", "blue", "red", "battle")


def written(scope: Scope) -> dict[str, list[dict[str, Any]]]:
    """Return the phases and the rounds. Pairings with Registers that are not in the file are left out."""
    there = carried(scope.campaign)
    pairings = Pairing.objects.filter(Q(red=None) | Q(red__in=there), blue__in=there).order_by("place")
    rounds = scope.campaign.rounds.filter(state=Round.State.CREATED).prefetch_related(Prefetch("pairings", pairings))
    return {
        "phases": [scope.values(phase, *PHASE) for phase in scope.campaign.phases.all()],
        "rounds": [
            {
                **scope.values(each, *ROUND),
                "pairings": [scope.values(pairing, *PAIRING) for pairing in each.pairings.all()],
            }
            for each in rounds.order_by("number")
        ],
    }


def bring(arrival: Arrival) -> None:
    """Create the phases, and the rounds with their pairings."""
    arrival.phases = {
        row["id"]: Phase(campaign=arrival.campaign, **arrival.values(Phase, row, *PHASE))
        for row in arrival.data.get("phases", [])
    }
    Phase.objects.bulk_create(arrival.phases.values())
    rows = arrival.data.get("rounds", [])
    rounds = [
        Round(campaign=arrival.campaign, state=Round.State.CREATED, **arrival.values(Round, row, *ROUND))
        for row in rows
    ]
    Round.objects.bulk_create(rounds)
    Pairing.objects.bulk_create(
        _pairing(arrival, of, each) for of, row in zip(rounds, rows, strict=True) for each in row["pairings"]
    )


def _pairing(arrival: Arrival, of: Round, row: Mapping[str, Any]) -> Pairing:
    values = arrival.values(Pairing, row, *PAIRING)
    battle = values["battle"]
    return Pairing(pk=battle.pk if battle else uuid4(), round=of, **values)

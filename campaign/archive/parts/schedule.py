"""The phases of a campaign, and its rounds with their pairings. A draft of a round is left out."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Prefetch, Q

from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.registers import carried
from campaign.archive.parts.scope import Scope, moment, plain
from campaign.schedule.models import Pairing, Phase, Round

PHASE = ("name", "size", "note", "version")
ROUND = ("number", "size", "place", "nearness", "only_available", "seed", "version")


def written(scope: Scope) -> dict[str, list[dict[str, Any]]]:
    """Return the phases and the rounds. Pairings with Registers that are not in the file are left out."""
    there = carried(scope.campaign)
    pairings = Pairing.objects.filter(Q(red=None) | Q(red__in=there), blue__in=there).order_by("place")
    rounds = scope.campaign.rounds.filter(state=Round.State.CREATED).prefetch_related(Prefetch("pairings", pairings))
    return {
        "phases": [
            {
                "id": str(phase.pk),
                **plain(phase, *PHASE),
                "first_day": phase.first_day.isoformat(),
                "last_day": phase.last_day.isoformat(),
            }
            for phase in scope.campaign.phases.all()
        ],
        "rounds": [
            {
                **plain(each, *ROUND),
                "phase": str(each.phase_id) if each.phase_id else None,
                "due": each.due.isoformat(),
                "created_at": moment(each.created_at),
                "pairings": [
                    {
                        "place": pairing.place,
                        "blue": str(pairing.blue_id),
                        "red": str(pairing.red_id) if pairing.red_id else None,
                        "battle": str(pairing.battle_id) if pairing.battle_id else None,
                    }
                    for pairing in each.pairings.all()
                ],
            }
            for each in rounds.order_by("number")
        ],
    }


def bring(arrival: Arrival) -> None:
    """Create the phases, and the rounds with their pairings."""
    phases = {row["id"]: _phase(arrival, row) for row in arrival.data.get("phases", [])}
    Phase.objects.bulk_create(phases.values())
    rows = arrival.data.get("rounds", [])
    rounds = [_round(arrival, row, phases[row["phase"]] if row["phase"] else None) for row in rows]
    Round.objects.bulk_create(rounds)
    Pairing.objects.bulk_create(
        _pairing(arrival, of, each) for of, row in zip(rounds, rows, strict=True) for each in row["pairings"]
    )


def _phase(arrival: Arrival, row: Mapping[str, Any]) -> Phase:
    return Phase(
        pk=UUID(row["id"]),
        campaign=arrival.campaign,
        **{name: row[name] for name in PHASE},
        first_day=date.fromisoformat(row["first_day"]),
        last_day=date.fromisoformat(row["last_day"]),
    )


def _round(arrival: Arrival, row: Mapping[str, Any], phase: Phase | None) -> Round:
    return Round(
        campaign=arrival.campaign,
        **{name: row[name] for name in ROUND},
        state=Round.State.CREATED,
        phase=phase,
        due=date.fromisoformat(row["due"]),
        created_at=when(row["created_at"]),
    )


def _pairing(arrival: Arrival, of: Round, row: Mapping[str, Any]) -> Pairing:
    battle = arrival.battles[row["battle"]] if row["battle"] else None
    return Pairing(
        pk=battle.pk if battle else uuid4(),
        round=of,
        place=row["place"],
        blue=arrival.registers[row["blue"]],
        red=arrival.registers[row["red"]] if row["red"] else None,
        battle=battle,
    )

"""Battles and their sides. What is still secret stays where it is: whoever holds the file may be the opponent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaign.models import Battle, CommandHand, Side, Tally
from campaign.models.battle import BEFORE_PLAY

from .scope import Scope, moment, plain

BATTLE = (
    "number", "status", "size", "rank_table", "rank_reason", "owner", "place", "arrangements", "plan_version",
    "mission", "notes", "winner", "version",
)  # fmt: skip
SIDE = (
    "colour", "guest_name", "guest_faction", "guest_points", "mustered", "army", "version", "report",
    "victory_points", "step", "answers", "turn", "rival", "open",
)  # fmt: skip
TALLY = ("defeated", "contesting", "marked", "tokens", "version")
HAND = ("cards", "discarded")
#: A side before it has mustered: an army is its player's secret until the battle begins.
HIDDEN: dict[str, Any] = {"mustered": False, "army": {}, "version": 0}


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with both sides."""
    battles = scope.campaign.battles.order_by("number")
    for battle in battles.prefetch_related("sides__hand", "sides__tally", "pictures__picture"):
        hidden = battle.status in BEFORE_PLAY
        pictures = sorted(battle.pictures.all(), key=lambda each: each.pk)
        yield {
            "id": str(battle.pk),
            **plain(battle, *BATTLE),
            **({"status": Battle.Status.PLANNED.value} if hidden else {}),
            "turning_point": battle.turning_point_id,
            "date": battle.date.isoformat(),
            "terms": None if battle.terms is None else battle.terms.as_data(),
            "reported_by": scope.person(battle.reported_by_id),
            "created_at": moment(battle.created_at),
            "closed_at": moment(battle.closed_at),
            "pictures": [scope.picture(each.picture) for each in pictures],
            "sides": [_side(scope, battle, side, hidden=hidden) for side in battle.sides.all()],
        }


def _side(scope: Scope, battle: Battle, side: Side, *, hidden: bool) -> dict[str, Any]:
    scope.answerers(side.answers)
    hand: CommandHand | None = getattr(side, "hand", None)
    tally: Tally | None = getattr(side, "tally", None)
    return {
        **plain(side, *SIDE),
        **(HIDDEN if hidden else {}),
        "register": str(side.register_id) if side.register_id else None,
        "stand_in": scope.person(side.stand_in_id),
        "tally": tally and plain(tally, *TALLY),
        "hand": hand and plain(hand, *HAND) if battle.status == Battle.Status.CLOSED else None,
    }

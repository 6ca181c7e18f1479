"""Battles and their sides. What is still secret stays where it is: whoever holds the file may be the opponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from campaign.models import Battle, BattlePicture, CommandHand, Side, Tally
from campaign.models.battle import BEFORE_PLAY
from registers.models import Register
from rules.terms import from_data

from . import dice
from .arrival import Arrival, dated, when
from .scope import Scope, moment, plain

BATTLE = (
    "number", "status", "size", "rank_table", "owner", "place", "arrangements", "plan_version",
    "mission", "notes", "winner", "version",
)  # fmt: skip
SIDE = (
    "colour", "guest_name", "guest_faction", "guest_points", "mustered", "army", "version", "report",
    "victory_points", "step", "answers", "turn", "rival", "open",
)  # fmt: skip
TALLY = ("defeated", "contesting", "marked", "tokens", "version")
HAND = ("cards", "discarded")
#: So many battles are read at once, with all that hangs on them: answers, reports and dice are the most of a campaign.
AT_ONCE = 50
#: A side before it has mustered: an army that is its player's secret (`Battle.armies_hidden`).
HIDDEN: dict[str, Any] = {"mustered": False, "army": {}, "version": 0}


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with both sides."""
    battles = scope.campaign.battles.order_by("number")
    whole = battles.prefetch_related("sides__hand", "sides__tally", "pictures__picture", "dice_seeds__draws")
    for battle in whole.iterator(chunk_size=AT_ONCE):
        hidden = battle.armies_hidden
        pictures = sorted(battle.pictures.all(), key=lambda each: each.pk)
        yield {
            "id": str(battle.pk),
            **plain(battle, *BATTLE),
            **({"status": Battle.Status.PLANNED.value} if battle.status in BEFORE_PLAY else {}),
            "turning_point": battle.turning_point_id,
            "date": battle.date.isoformat(),
            "terms": None if battle.terms is None else battle.terms.as_data(),
            "reported_by": scope.person(battle.reported_by_id),
            "created_at": moment(battle.created_at),
            "closed_at": moment(battle.closed_at),
            "pictures": [key for each in pictures if (key := scope.picture(each.picture))],
            "dice": dice.written(scope, battle),
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


def bring(arrival: Arrival) -> None:
    """Make the battles and their sides."""
    registers = Register.objects.in_bulk([each["id"] for each in arrival.data["registers"]])
    by_id = {str(pk): register for pk, register in registers.items()}
    for said in arrival.data["battles"]:
        battle = Battle.objects.create(
            pk=UUID(said["id"]),
            campaign=arrival.campaign,
            **{name: said[name] for name in BATTLE},
            turning_point_id=said["turning_point"],
            date=said["date"],
            terms=None if said["terms"] is None else from_data(said["terms"]),
            reported_by=arrival.person(said["reported_by"]),
            closed_at=when(said["closed_at"]),
        )
        dated(battle, created_at=said["created_at"])
        arrival.battles[said["id"]] = battle
        for key in said["pictures"]:
            BattlePicture.objects.create(battle=battle, picture=arrival.pictures[key])
        dice.bring(arrival, battle, said["dice"])
        for each in said["sides"]:
            _bring_side(arrival, battle, by_id.get(each["register"]), each)


def _bring_side(arrival: Arrival, battle: Battle, register: Register | None, said: Mapping[str, Any]) -> None:
    own = {name: said[name] for name in SIDE} | {"answers": arrival.answers(said["answers"], str(battle.pk))}
    side = Side.objects.create(
        battle=battle, register=register, stand_in=arrival.person(said["stand_in"]), **own
    )
    if said["tally"]:
        Tally.objects.create(side=side, **said["tally"])
    if said["hand"]:
        CommandHand.objects.create(side=side, **said["hand"])

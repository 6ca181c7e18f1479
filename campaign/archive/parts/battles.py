"""Battles and their sides. Secrets are left out, because the opponent may have the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Prefetch

from campaign.achievements.models import PaintedBonus
from campaign.archive.parts import dice
from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.battles.models import Battle, CommandHand, Side, Tally
from campaign.battles.models.battle import BEFORE_PLAY
from campaign.chronicle.models import BattlePhoto

BATTLE = (
    "id", "number", "status", "size", "rank_table", "owner", "place", "arrangements", "plan_version",
    "mission", "notes", "winner", "version", "round", "date", "time", "time_zone", "campaign_rules", "reported_by",
    "created_at", "closed_at",
)  # fmt: skip
SIDE = (
    "colour", "guest_name", "guest_faction", "guest_points", "army_chosen", "army", "version", "report",
    "victory_points", "step", "answers", "turn", "rival", "open", "register",
    "acting_user",
)  # fmt: skip
TALLY = ("defeated", "contesting", "marked", "tokens", "victory_points", "activated", "scores", "version")
HAND = ("cards", "discarded")
#: How many battles are read at a time, with their answers, reports and dice: most of a campaign's data.
AT_ONCE = 50
#: The related rows that are read with a battle.
PARTS = (
    Prefetch("sides", Side.objects.select_related("tally", "hand", "painted_bonus__entry").order_by("colour")),
    Prefetch("pictures", BattlePhoto.objects.select_related("picture").order_by("pk")),
    dice.SEEDS,
)
#: What replaces an army that is still secret (`Battle.armies_hidden`): a side that has not chosen one.
HIDDEN: dict[str, Any] = {"army_chosen": False, "army": {}, "version": 0}


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Yield each battle with both sides."""
    battles = scope.campaign.battles.order_by("number").prefetch_related(*PARTS)
    for battle in battles.iterator(chunk_size=AT_ONCE):
        pictures = [scope.picture(each.picture) for each in battle.pictures.all()]
        yield {
            **scope.values(battle, *BATTLE),
            **({"status": Battle.Status.PLANNED.value} if battle.status in BEFORE_PLAY else {}),
            "turning_point": battle.turning_point_id,
            "pictures": [key for key in pictures if key],
            "dice": dice.written(scope, battle),
            "sides": [_side(scope, battle, side) for side in battle.sides.all()],
        }


def _side(scope: Scope, battle: Battle, side: Side) -> dict[str, Any]:
    tally, hand = getattr(side, "tally", None), getattr(side, "hand", None)
    bonus = getattr(side, "painted_bonus", None)
    scope.answerers(side.answers)
    return {
        **scope.values(side, *SIDE),
        **(HIDDEN if battle.armies_hidden else {}),
        "tally": tally and scope.values(tally, *TALLY),
        "hand": hand and scope.values(hand, *HAND) if battle.status == Battle.Status.CLOSED else None,
        "painted_award": bonus and bonus.entry.position,
    }


def bring(arrival: Arrival) -> None:
    """Create the battles and their sides."""
    arrival.battles = {row["id"]: _battle(arrival, row) for row in arrival.data["battles"]}
    fought = [(arrival.battles[row["id"]], row) for row in arrival.data["battles"]]
    sides = [(_side_from(arrival, battle, each), each) for battle, row in fought for each in row["sides"]]
    pictures = [(battle, arrival.pictures[key]) for battle, row in fought for key in row["pictures"]]
    Battle.objects.bulk_create(arrival.battles.values())
    BattlePhoto.objects.bulk_create(BattlePhoto(battle=battle, picture=picture) for battle, picture in pictures)
    Side.objects.bulk_create(side for side, _ in sides)
    Tally.objects.bulk_create(Tally(side=side, **row["tally"]) for side, row in sides if row["tally"])
    CommandHand.objects.bulk_create(CommandHand(side=side, **row["hand"]) for side, row in sides if row["hand"])
    dice.bring(arrival)


def bring_painted_bonuses(arrival: Arrival) -> None:
    """Create the bonuses for painted armies. Their entries are in the ledgers already."""
    rows = [
        (row["id"], side)
        for row in arrival.data["battles"]
        for side in row["sides"]
        if side["register"] and side.get("painted_award")
    ]
    entries = arrival.entries((side["register"], side["painted_award"]) for _, side in rows)
    sides = Side.objects.filter(battle__in={battle for battle, _ in rows}).only("battle_id", "colour")
    of = {(str(side.battle_id), side.colour): side for side in sides}
    PaintedBonus.objects.bulk_create(
        PaintedBonus(side=of[battle, row["colour"]], entry=entries[row["register"], row["painted_award"]])
        for battle, row in rows
    )


def _battle(arrival: Arrival, row: Mapping[str, Any]) -> Battle:
    values = arrival.values(Battle, row, *BATTLE)
    return Battle(campaign=arrival.campaign, turning_point_id=row["turning_point"], **values)


def _side_from(arrival: Arrival, battle: Battle, row: Mapping[str, Any]) -> Side:
    values = arrival.values(Side, row, *SIDE) | {"answers": arrival.answers(row["answers"], str(battle.pk))}
    return Side(battle=battle, begun=battle.campaign_rules is not None, **values)

"""Revealed seeds and all dice drawn from them: anyone who doubts the dice can compute them again on another site."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from django.db.models import Prefetch

from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.battles.models import Battle, DiceSeed, Draw
from rules.core import dice as fair_dice

SEED = ("number", "commitment", "blue_word", "red_word", "made_at", "revealed_at")
DRAW = ("number", "colour", "step", "ordinal", "pool", "die", "bag", "faces", "by", "at")


#: The seeds of a battle with their draws, for `written`.
SEEDS = Prefetch(
    "dice_seeds",
    DiceSeed.objects.order_by("number").prefetch_related(Prefetch("draws", Draw.objects.order_by("number"))),
)


def written(scope: Scope, battle: Battle) -> list[dict[str, Any]]:
    """Return the revealed seeds of a battle with their draws. Secret seeds are left out, and so are all draws from the
    first draw of a secret seed on, so that the draws in the file have no gaps.
    """
    seeds = battle.dice_seeds.all()
    secret = [draw.number for seed in seeds if not seed.revealed_at for draw in seed.draws.all()]
    end = min(secret, default=inf)
    return [
        {
            **scope.values(seed, *SEED),
            "secret": seed.shown,
            "draws": [scope.values(draw, *DRAW) for draw in seed.draws.all() if draw.number < end],
        }
        for seed in seeds
        if seed.revealed_at
    ]


def holds(battle_id: str, seeds: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether each seed matches its commitment, and all draws follow from it."""
    return all(
        fair_dice.commitment(secret := bytes.fromhex(seed["secret"])) == seed["commitment"]
        and all(_drawn(secret, battle_id, seed, draw) == draw["faces"] for draw in seed["draws"])
        for seed in seeds
    )


def _drawn(secret: bytes, battle_id: str, seed: Mapping[str, Any], row: Mapping[str, Any]) -> list[str]:
    label = Draw(**{name: row[name] for name in ("colour", "step", "ordinal", "pool")}).label
    text = fair_dice.text_of(battle_id, (seed["blue_word"], seed["red_word"]), label)
    if row["die"]:
        return fair_dice.roll(secret, text, row["die"], len(row["faces"]))
    return fair_dice.take(secret, text, row["bag"], len(row["faces"]))


def come(battle: Mapping[str, Any]) -> frozenset[int]:
    """Return the numbers of the draws that are kept for a battle. Answers lose references to other draws."""
    if not holds(battle["id"], battle["dice"]):
        return frozenset()
    return frozenset(draw["number"] for seed in battle["dice"] for draw in seed["draws"])


def bring(arrival: Arrival) -> None:
    """Create the seeds and draws of each battle, if they prove anything on this site. Draws follow from the id of the
    battle as well, and a copy has another id.
    """
    battles = [each for each in arrival.data["battles"] if holds(each["id"], each["dice"])]
    seeds, draws = [], []
    for battle, row in ((arrival.battles[each["id"]], seed) for each in battles for seed in each["dice"]):
        secret = bytes.fromhex(row["secret"])
        seeds.append(DiceSeed(battle=battle, secret=secret, **arrival.values(DiceSeed, row, *SEED)))
        draws += [Draw(battle=battle, seed=seeds[-1], **arrival.values(Draw, each, *DRAW)) for each in row["draws"]]
    DiceSeed.objects.bulk_create(seeds)
    Draw.objects.bulk_create(draws)

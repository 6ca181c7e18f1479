"""Dice statistics of battles: how often each face fell, next to what fair dice would show.

A roll by the app counts once, however often it was undone and repeated, because it always falls the same. Typed dice
count if their ledger entry counts. Three queries, however many battles there are.
"""

from collections import Counter
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaign.battles.models import Battle, Draw
from registers.charts.geometry import Scale, per_cent
from registers.ledger.typed_dice import typed_rolls
from registers.models import LedgerEntry
from rules.core.dice import DICE, chance_of, expected, says_anything, spread
from rules.core.values import KeywordValue
from rules.register.upgrade_slots import spoken

#: How many entries with typed dice are in memory at a time.
AT_ONCE = 200


class DiceSample(KeywordValue):
    """All dice of one kind and one source. `spread` is chi-squared; `chance` (0 to 1) is the probability of a spread at
    least as large with fair dice, None if there are too few dice to tell.
    """

    die: str
    typed: bool
    count: int
    faces: list[dict[str, Any]]
    spread: float
    chance: float | None

    @property
    def name(self) -> str:
        """The kind of the die in words."""
        return spoken(self.die)

    @property
    def verdict(self) -> str:
        """The result of the test in a sentence."""
        if self.chance is None:
            return _("Too few rolls to tell.")
        often = round(100 * self.chance)
        if often < 1:
            return _("With fair dice, fewer than 1 of 100 campaigns differ this much.")
        return _("With fair dice, %(often)s of 100 campaigns differ this much.") % {"often": often}


def fallen(battles: QuerySet[Battle]) -> list[DiceSample]:
    """Return the dice of battles by kind, those rolled by the app before those typed."""
    counts = {False: _by_the_app(battles), True: _typed(battles)}
    return [
        _fallen(die, typed, {face: found[die, face] for face in DICE[die]})
        for typed, found in counts.items()
        for die in DICE
        if any(found[die, face] for face in DICE[die])
    ]


def _fallen(die: str, typed: bool, counts: dict[str, int]) -> DiceSample:
    count = sum(counts.values())
    shares = expected(die, count)
    across = Scale(0, max(*counts.values(), *shares.values()), 0, 100)
    far = spread(die, counts)
    return DiceSample(
        die=die,
        typed=typed,
        count=count,
        faces=[
            {
                "face": face,
                "count": counts[face],
                "expected": shares[face],
                "width": per_cent(across(counts[face])),
                "mark": per_cent(across(shares[face])),
            }
            for face in DICE[die]
        ],
        spread=far,
        chance=chance_of(far, len(DICE[die]) - 1) if says_anything(die, count) else None,
    )


def _by_the_app(battles: QuerySet[Battle]) -> Counter[tuple[str, str]]:
    rolls = Draw.objects.filter(battle__in=battles.order_by().values("pk")).exclude(die="")
    label = ("seed_id", "colour", "step", "ordinal", "pool")
    latest = rolls.order_by(*label, "-number").distinct(*label)
    return Counter((die, face) for die, faces in latest.values_list("die", "faces") for face in faces)


def _typed(battles: QuerySet[Battle]) -> Counter[tuple[str, str]]:
    keys = [str(pk) for pk in battles.values_list("pk", flat=True)]
    entries = LedgerEntry.objects.filter(battle__in=keys, undone_by__isnull=True).exclude(rolled_by_hand=[])
    dice = entries.only("answers", "rolled_by_hand", "effects")
    rolls = (typed for entry in dice.iterator(chunk_size=AT_ONCE) for typed in typed_rolls(entry))
    return Counter((typed.die, face) for typed in rolls for face in typed.faces if typed.die)

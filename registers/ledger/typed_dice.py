"""Dice that players typed in, found in the answers and effects of ledger entries."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from registers.ledger.session import effects_of_entry
from registers.models import LedgerEntry
from rules.core.dice import BLACK_ATTACK, RED_DEFENSE
from rules.core.values import KeywordValue
from rules.register import effects as e

#: Rolls of a Casualty Check and their dice pools (R31). All their dice are recorded together after the last roll.
_STAGES = {"Casualty Check": "check", "blanks rerolled": "blanks", "rerolled": "reroll"}
#: Pools that always use the same die; the die of others is in the effect that follows the answer.
_DICE = {
    **dict.fromkeys((*_STAGES.values(), "setback", "trait"), BLACK_ATTACK),
    **dict.fromkeys(("supply", "aid"), RED_DEFENSE),
}


class Typed(KeywordValue):
    """Dice of one pool, or order tokens (without a `die`), that were typed in. `ordinal` counts the rolls of a step."""

    ordinal: int
    pool: str
    die: str
    faces: tuple[str, ...]


def typed_in(
    answers: Sequence[Mapping[str, Any]], by_hand: Collection[int], effects: Sequence[e.Effect]
) -> frozenset[int]:
    """Return the indexes in `effects` of dice typed in. `by_hand` are indexes in `answers`.

    Dice belong to the last roll before them; those of a Casualty Check to the roll that has their pool.
    """
    if not by_hand:
        return frozenset()
    rolls = [place for place, item in enumerate(answers) if place in by_hand or item.get("source") == "app"]
    found = set()
    for at, effect in enumerate(effects):
        if not isinstance(effect, e.DiceRolled):
            continue
        stage = _STAGES.get(str(effect.why))
        for place in reversed(rolls):
            item = answers[place]
            if item.get("at", 0) <= at and (not stage or f"{stage}:{effect.unit}" in item["answer"]):
                found |= {at} if place in by_hand else set()
                break
    return frozenset(found)


def typed_rolls(entry: LedgerEntry) -> Iterator[Typed]:
    """Yield the dice typed in for an entry, pool by pool."""
    effects: list[e.Effect] | None = None
    ordinal = 0
    for place, item in enumerate(entry.answers):
        typed = place in entry.rolled_by_hand
        ordinal += typed or item.get("source") == "app"
        if not typed:
            continue
        if not isinstance(item["answer"], dict):
            yield Typed(ordinal=ordinal, pool="tokens", die="", faces=tuple(item["answer"]))
            continue
        for pool, faces in item["answer"].items():
            if (die := _DICE.get(pool.partition(":")[0])) is None:
                effects = effects_of_entry(entry) if effects is None else effects
                # This roll is recorded as soon as it is answered.
                die = next(each.die for each in effects[item["at"] :] if isinstance(each, e.DiceRolled))
            yield Typed(ordinal=ordinal, pool=pool, die=die, faces=tuple(faces))

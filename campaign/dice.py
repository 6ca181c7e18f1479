"""The dice of the app: a cryptographic source, so that nobody can say they were loaded."""

from __future__ import annotations

import random
import secrets

from rules.dice import sides
from rules.script import ChooseSeveral, Roll

#: Where chance comes from. Tests and simulations put a seeded one in its place.
source: random.Random = secrets.SystemRandom()


def roll(question: Roll) -> dict[str, list[str]]:
    """Faces for every die that is asked for, by pool: the answer to `question`."""
    return {pool.key: source.choices(sides(pool.die), k=pool.count) for pool in question.pools}


def draw(question: ChooseSeveral) -> list[str]:
    """Tokens drawn from the bag one after the other, none put back: the answer to `question`."""
    bag = [value for value, times in question.bag.items() for _ in range(times)]
    return source.sample(bag, question.count)

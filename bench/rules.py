"""How many whole Post-Battle Sequences the rules play in a second on one core, beside the 2,000 that are promised.

    .venv/bin/python bench/rules.py

A sequence is what one side does after one battle: the gains of the game and all ten steps. Both sides of a battle walk,
since they wait for each other (R39), and both are counted. The Registers are those that random players have after 0 to
11 battles, and the answers are such players' own, thought up beforehand. In the second line they think meanwhile, so
that whatever they try and the rules refuse is in the time, too. Founding, mustering and the battle are in neither.
It counts the time of the processor, five times; the exit status is 1 when the median is below what is promised.
"""

import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest.mock import patch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import simulation as simulate
from bench.simulation import Supply
from rules.catalogue.loader import read_rulebook
from rules.post_battle.dialogue import Context

PROMISED, CAMPAIGNS, BATTLES, ROUNDS = 2_000, 60, 12, 5


@dataclass
class Walk:
    """Both sequences of one battle: who took the field, and what they answered."""

    sides: Sequence[simulate.SimulatedSide]
    seed: str
    answers: list[Any] = field(default_factory=list)

    def again(self, supply: Supply) -> list[simulate.SimulatedSide]:
        """Walk them from the beginning; whoever is asked answers."""
        sides = [
            simulate.SimulatedSide(Context(supply.book, side.context.state), side.army, side.report)
            for side in self.sides
        ]
        simulate.walk(sides, supply, Random(self.seed))  # noqa: S311 - the dice of a simulation guard no secret
        return sides


def walks(supply: Supply, *, campaigns: int, battles: int) -> Iterator[Walk]:
    """The sequences of random campaigns, with the answers of random players."""
    think = simulate.answer
    for campaign in range(campaigns):
        random = Random(f"bench:{campaign}")  # noqa: S311
        states = {name: simulate.found(supply, random, name).state for name in ("First", "Second")}
        for number in range(battles):
            walk = Walk(simulate.meet(*states.values(), f"b{number}", supply, random), f"{campaign}:{number}")

            def kept(*asked: Any, walk: Walk = walk) -> Any:
                walk.answers.append(think(*asked))
                return walk.answers[-1]

            with patch.object(simulate, "answer", kept):
                after = walk.again(supply)
            states |= {side.context.state.name: side.context.state for side in after}
            yield walk


def ready(walk: Walk, supply: Supply) -> list[simulate.SimulatedSide]:
    """Walk with the answers that are there."""
    answers = iter(walk.answers)
    with patch.object(simulate, "answer", lambda *_: next(answers)):
        return walk.again(supply)


def a_second(walk: Callable[[Walk, Supply], object], prepared: Sequence[Walk], supply: Supply) -> float:
    """How many sequences one core walks in a second."""
    start = time.process_time()
    for one in prepared:
        walk(one, supply)
    return 2 * len(prepared) / (time.process_time() - start)


def line(name: str, promised: str, taken: Sequence[float]) -> str:
    """A line of the table."""
    low, *_, high = sorted(taken)
    return f"| {name} | {promised} | {median(taken):,.0f} | {low:,.0f} | {high:,.0f} |"


def main() -> int:
    """Measure, and print the table."""
    supply = Supply(read_rulebook(simulate.CATALOGUE))
    prepared = list(walks(supply, campaigns=CAMPAIGNS, battles=BATTLES))
    sides = [side for walk in prepared for side in ready(walk, supply)]
    effects = sum(len(side.context.effects) for side in sides) / len(sides)
    answers = sum(len(walk.answers) for walk in prepared) / len(sides)
    gc.freeze()  # none of this is garbage that a round should look for
    rounds = [[a_second(walk, prepared, supply) for walk in (ready, Walk.again)] for _ in range(ROUNDS)]
    given, thought = zip(*rounds, strict=True)
    print("| whole sequences a second on one core | promised | median of 5 | lowest | highest |")
    print("|---|---:|---:|---:|---:|")
    print(line(f"pure rules: {answers:.0f} answers, {effects:.0f} effects each", f"≥ {PROMISED:,}", given))
    print(line("… with the players' thinking", "", thought))
    return int(median(given) < PROMISED)


if __name__ == "__main__":
    sys.exit(main())

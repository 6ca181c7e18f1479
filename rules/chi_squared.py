"""Whether dice fell as fair ones do: Pearson's chi-squared test, for the faces of one kind of die."""

from __future__ import annotations

from collections.abc import Mapping
from math import erfc, exp, gamma, sqrt

from .dice import DICE, chance

#: How often each face must be expected before the test says anything.
LEAST_EXPECTED = 5


def expected(die: str, count: int) -> dict[str, float]:
    """How often each face of `die` is expected among so many dice."""
    return {face: float(chance(die, face) * count) for face in DICE[die]}


def says_anything(die: str, count: int) -> bool:
    """Whether so many dice are enough for the test: few prove nothing, however they fell."""
    return min(expected(die, count).values()) >= LEAST_EXPECTED


def spread(die: str, counts: Mapping[str, int]) -> float:
    """How far dice fell from what is expected (chi-squared, from 0 on); `counts` are times by face, at least one."""
    shares = expected(die, sum(counts.values()))
    return sum((counts.get(face, 0) - share) ** 2 / share for face, share in shares.items())


def chance_of(statistic: float, freedom: int) -> float:
    """The probability (0 to 1) of such a spread or a wider one by chance, with so many degrees of freedom (1 or more).

    The regularised upper gamma function of `freedom` / 2, which is a finite sum for whole numbers of them.
    """
    half = statistic / 2
    done, found = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while done < freedom / 2:
        found += half**done * exp(-half) / gamma(done + 1)
        done += 1
    return found

"""Dice, their faces and exact odds."""

from __future__ import annotations

from fractions import Fraction

#: The order in which the faces of a rewarded roll are resolved (section 8).
FACES: tuple[str, ...] = ("hit", "critical", "block", "surge", "blank")

#: How many sides of each die show a face.
DICE: dict[str, dict[str, int]] = {
    "red_attack": {"hit": 5, "critical": 1, "surge": 1, "blank": 1},
    "black_attack": {"hit": 3, "critical": 1, "surge": 1, "blank": 3},
    "white_attack": {"hit": 1, "critical": 1, "surge": 1, "blank": 5},
    "red_defense": {"block": 3, "surge": 1, "blank": 2},
    "white_defense": {"block": 1, "surge": 1, "blank": 4},
}

BLACK_ATTACK = "black_attack"
RED_DEFENSE = "red_defense"


def sides(die: str) -> list[str]:
    """All sides of `die`, one face name per side, for a fair draw."""
    return [face for face, count in DICE[die].items() for _ in range(count)]


def chance(die: str, face: str) -> Fraction:
    """The exact probability that one `die` shows `face`."""
    return Fraction(DICE[die].get(face, 0), sum(DICE[die].values()))

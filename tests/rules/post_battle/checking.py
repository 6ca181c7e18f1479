"""Step 4 with its rolls and effects, for its tests."""

from collections.abc import Iterable
from typing import Any

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.post_battle.casualties import determine_casualties
from rules.post_battle.dialogue import Progress
from rules.register.effects import DiceRolled, UnitFell
from rules.register.state import RegisterState

from ..build import OTHERS, PARAGON, SCOUT, TROOPERS, fell, play, report, state

ARMY = (PARAGON, TROOPERS, OTHERS, SCOUT)


def side(*defeated: str, **facts: Any) -> Report:
    return report(*ARMY, defeated=defeated, **facts)


def step(book: Rulebook, side: Report, *answers: Any, start: RegisterState | None = None) -> Progress:
    return play(book, start or state(), lambda context: determine_casualties(context, side), answers)


def roll(**faces: Iterable[str]) -> dict[str, list[str]]:
    """Checks as an answer: t2="hit blank" is the roll of unit 2."""
    return {f"check:{unit[1:]}": str(words).split() for unit, words in faces.items()}


def again(unit: str, *faces: str) -> dict[str, list[str]]:
    return {f"reroll:{unit}": list(faces)}


def check(unit: str, *faces: str) -> DiceRolled:
    return fell(unit, "R31", "Casualty Check", *faces)


def down(unit: str) -> UnitFell:
    return UnitFell(unit=unit, rule="R35", why="casualty")

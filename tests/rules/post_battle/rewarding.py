"""Rewards as plain data, for the tests of what they do."""

from typing import Any

from rules.battle.report import Report
from rules.core.reward_effects import read_reward
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Choose, Progress, Question
from rules.post_battle.rewards import Occasion, resolve
from rules.register.effects import Effect, SetbackRemoved
from rules.register.state import RegisterState
from tests.rules.build import PARAGON, play, report, state, xp

GAIN: dict[str, Any] = {"do": "gain_experience", "amount": 1}
HEAL: dict[str, Any] = {"do": "remove_setbacks", "count": 1}


def give(
    book: Rulebook,
    clauses: list[dict[str, Any]],
    *answers: Any,
    start: RegisterState | None = None,
    side: Report | None = None,
    progressions: int = 0,
    withheld: bool = False,
) -> Progress:
    """Resolve a reward called "Prize", asking every question."""
    occasion = Occasion(side or report(PARAGON), "R26", "Prize", progressions, withheld)
    reward = read_reward(clauses, "")
    return play(book, start or state(), lambda context: resolve(context, occasion, reward), answers, ask_all=True)


def to_paragon(*clauses: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"do": "paragon", "then": list(clauses)}]


def gains(*units: str, amount: int = 1) -> list[Effect]:
    return [xp(unit, amount, "R26", "Prize") for unit in units]


def heals(unit: str, *slugs: str) -> list[Effect]:
    return [SetbackRemoved(unit=unit, setback=slug, rule="R26", why="Prize") for slug in slugs]


def offered(question: Question | None) -> list[str]:
    assert isinstance(question, Choose)
    return [option.value for option in question.options]

"""Step 6 with its answers and effects, for its tests."""

from typing import Any

from rules.core.rulebook import Rulebook
from rules.post_battle.commendations import award_commendations
from rules.post_battle.dialogue import Progress
from rules.register.effects import CommendationAwarded, CommendationWaived, Effect
from rules.register.state import RegisterState

from ..build import PARAGON, TROOPERS, change, play, report, state


def step(book: Rulebook, start: RegisterState, *answers: Any) -> Progress:
    return play(book, start, lambda context: award_commendations(context, report(PARAGON)), answers)


def owing(
    unit: str = TROOPERS, owed: int = 1, rank: int = 1, start: RegisterState | None = None, **changes: Any
) -> RegisterState:
    return change(start or state(), unit, owed=owed, veteran_rank=rank, **changes)


def awarded(unit: str, slug: str, keyword: str = "") -> Effect:
    return CommendationAwarded(unit=unit, commendation=slug, keyword=keyword, rule="R15")


def waived(unit: str, why: str = "skipped") -> Effect:
    return CommendationWaived(unit=unit, rule="R15", why=why)


def choice(unit: str, slug: str | None, **more: str) -> dict[str, dict[str, Any]]:
    return {unit: {"commendation": slug, **more}}

"""Steps that run again with the answers of an earlier run."""

from collections.abc import Sequence
from typing import Any

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Context
from rules.post_battle.rematch_answers import AnswerPart, Fit, Gap, Lines, answer_parts, in_lines, refit
from rules.register.state import RegisterState
from tests.rules.build import state


def lines_of(
    book: Rulebook, step: Any, answers: Sequence[Any], facts: Report, start: RegisterState | None = None
) -> dict[str, list[AnswerPart | Gap]]:
    context = Context(book, start or state())
    return in_lines(answer_parts(context, step(context, facts), answers))


def again(
    book: Rulebook, step: Any, lines: Lines, facts: Report, start: RegisterState | None = None, **more: Any
) -> Fit:
    context = Context(book, start or state())
    return refit(context, step(context, facts), lines, **more)


def answers_of(fit: Fit) -> list[Any]:
    return [fitted.answer for fitted in fit.answers]

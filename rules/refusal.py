"""How the rules say no: every broken rule at once, each with its number and a sentence for the player."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .language import gettext


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule by its number (or empty), what is wrong and what to do.

    `about` names the unit, card or field it speaks of, so that a page can show it there.
    """

    rule: str
    text: str
    about: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text


class Refusal(Exception):
    """An act that the rules do not allow. It carries all problems; nothing has changed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(map(str, self.problems)))

    @property
    def rules(self) -> frozenset[str]:
        """The numbers of all broken rules."""
        return frozenset(problem.rule for problem in self.problems)


def refuse(rule: str, text: str, about: str = "") -> Refusal:
    """A refusal for a single broken rule, ready to be raised."""
    return Refusal([Problem(rule, text, about)])


def retired(rule: str, card: str, about: str = "") -> Problem:
    """A card of this name has left the catalogue: who has it keeps it, and nobody gets it any more."""
    return Problem(rule, gettext("{card} is no longer in the catalogue.", card=card), about)


def problems_of(act: Callable[[], object]) -> tuple[Problem, ...]:
    """All that the rules say against an act that changes nothing by itself."""
    try:
        act()
    except Refusal as refusal:
        return refusal.problems
    return ()


def refuse_any(problems: Iterable[Problem]) -> None:
    """Raise one Refusal with all `problems`; do nothing when there are none."""
    found = tuple(problems)
    if found:
        raise Refusal(found)

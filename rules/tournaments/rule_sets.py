"""The two rule sets of an event and the options that the printed text leaves open."""

from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from typing import Any, Self

from rules.core.values import KeywordValue


class RuleSet(StrEnum):
    """The printed rules that an event is played by."""

    GALACTIC_CONQUEST = "GC"
    TOURNAMENT_REGULATIONS = "TR"


#: Army points of each rule set (E7).
ARMY_SIZE = {RuleSet.GALACTIC_CONQUEST: 1000, RuleSet.TOURNAMENT_REGULATIONS: 800}
#: Points defeated that a Galactic Conquest bye, no-show or concession is worth (E20, E30).
AWARDED_POINTS = 900


class EventRules(KeywordValue):
    """The rules of one event with its options.

    `army_size` is in army points (E7). `awarded_points` is the points defeated of a bye, a no-show and the least of a
    concession (E20, E30), `bye_tokens` the victory tokens of a Galactic Conquest bye (E20). In the strength of schedule
    a bye counts as an opponent with 0 if `bye_is_opponent`, and unpaired losses do not count as rounds if
    `skips_unpaired_losses` (E35). `bracket_minutes` of a Galactic Conquest event are the visible minutes of a bracket
    round, 0 for no clock, None for the hidden clock of the Swiss rounds (E26).
    """

    rule_set: RuleSet
    army_size: int
    awarded_points: int = AWARDED_POINTS
    bye_tokens: int = 0
    bye_is_opponent: bool = False
    skips_unpaired_losses: bool = False
    bracket_minutes: int | None = None

    @classmethod
    def of(cls, values: Callable[[str], Any]) -> Self:
        """Return the rules whose `values` are those of an event or its file, by name."""
        found = {field.name: values(field.name) for field in fields(cls)}
        return cls(**found | {"rule_set": RuleSet(found["rule_set"])})

    @property
    def has_draws(self) -> bool:
        """Whether a game can end without a winner (E27)."""
        return self.rule_set == RuleSet.GALACTIC_CONQUEST

    def is_clock_hidden(self, *, in_bracket: bool) -> bool:
        """Return whether players must not know the end of a round (E26)."""
        return self.has_draws and not (in_bracket and self.bracket_minutes is not None)

    @property
    def win(self) -> int:
        """Event points of a win (E29)."""
        return 3 if self.rule_set == RuleSet.GALACTIC_CONQUEST else 1


#: Event points of a draw (E29).
DRAW = 1

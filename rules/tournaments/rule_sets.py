"""The two rule sets of an event and the options that the printed text leaves open."""

from dataclasses import dataclass
from enum import StrEnum


class RuleSet(StrEnum):
    """The printed rules that an event is played by."""

    GALACTIC_CONQUEST = "GC"
    TOURNAMENT_REGULATIONS = "TR"


#: Army points of each rule set (E7).
ARMY_SIZE = {RuleSet.GALACTIC_CONQUEST: 1000, RuleSet.TOURNAMENT_REGULATIONS: 800}
#: Points defeated that a Galactic Conquest bye, no-show or concession is worth (E20, E30).
AWARDED_POINTS = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRules:
    """The rules of one event. `army_size` is in army points (E7). `awarded_points` is the points defeated of a bye, a
    no-show and the least of a concession (E20, E30, an option for other army sizes). With `bye_is_opponent` a bye
    counts as an opponent with 0 in the strength of schedule (E35, option).
    """

    rule_set: RuleSet
    army_size: int
    awarded_points: int = AWARDED_POINTS
    bye_is_opponent: bool = False

    @property
    def has_draws(self) -> bool:
        """Whether a game can end without a winner (E27)."""
        return self.rule_set == RuleSet.GALACTIC_CONQUEST

    @property
    def win(self) -> int:
        """Event points of a win (E29)."""
        return 3 if self.rule_set == RuleSet.GALACTIC_CONQUEST else 1


def standard_rules(rule_set: RuleSet) -> EventRules:
    """Return the rules of an event whose organizer changes nothing."""
    return EventRules(rule_set=rule_set, army_size=ARMY_SIZE[rule_set])


#: Event points of a draw (E29).
DRAW = 1

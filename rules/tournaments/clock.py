"""The clock of a round: how long it is, and what players may know of it (E26)."""

from datetime import datetime, timedelta
from enum import StrEnum

from rules.core.dice import RED_DEFENSE, sides
from rules.core.values import KeywordValue
from rules.tournaments.draws import Act, Draw
from rules.tournaments.rule_sets import EventRules, RuleSet

#: Minutes of a round, and of the final of the Tournament Regulations.
ROUND_MINUTES, FINAL_MINUTES = 150, 210
#: Minutes in which players finish the game round of Galactic Conquest, visible to everyone.
LAST_MINUTES = 15
#: Red defense dice that lengthen a Galactic Conquest round by one minute for each block and surge.
DICE = 5


class Phase(StrEnum):
    """Where a clock stands. `LAST` are the visible minutes after "time" in Galactic Conquest."""

    WAITING = "waiting"
    RUNNING = "running"
    LAST = "last"
    OVER = "over"


def round_dice(draw: Draw, round_number: int) -> tuple[str, ...]:
    """Return the faces of the five red defense dice of a round, secret until the event ends (E23, E26)."""
    faces = sides(RED_DEFENSE)
    return tuple(faces[draw.number(Act.ROUND_TIME, round_number, str(die)) % len(faces)] for die in range(1, DICE + 1))


def round_minutes(rules: EventRules, draw: Draw, round_number: int, *, in_bracket: bool, games: int) -> int:
    """Return the minutes of a round with so many games: in Galactic Conquest one more for each block or surge on its
    dice, or the event's own minutes for a bracket round, 0 for no clock (E26, option).
    """
    if rules.rule_set == RuleSet.TOURNAMENT_REGULATIONS:
        return FINAL_MINUTES if in_bracket and games == 1 else ROUND_MINUTES
    if in_bracket and rules.bracket_minutes is not None:
        return rules.bracket_minutes
    return ROUND_MINUTES + sum(face in ("block", "surge") for face in round_dice(draw, round_number))


class Clock(KeywordValue):
    """A round's clock. `started` is when its own button was pressed, None before; `minutes` are secret if it
    `is_hidden`; `extension` are the minutes that one table was given.
    """

    rule_set: RuleSet
    minutes: int
    is_hidden: bool
    started: datetime | None = None
    extension: int = 0

    @property
    def time_is_called(self) -> datetime | None:
        """When "time" is called; None before the clock was started."""
        return self.started and self.started + timedelta(minutes=self.minutes + self.extension)

    @property
    def ends(self) -> datetime | None:
        """When every game ends: in Galactic Conquest fifteen minutes after "time"; None before the start."""
        last = LAST_MINUTES if self.rule_set == RuleSet.GALACTIC_CONQUEST else 0
        return self.time_is_called and self.time_is_called + timedelta(minutes=last)

    def phase(self, now: datetime) -> Phase:
        """Return where the clock stands."""
        called, ends = self.time_is_called, self.ends
        if called is None or ends is None:
            return Phase.WAITING
        if now < called:
            return Phase.RUNNING
        return Phase.LAST if now < ends else Phase.OVER

    def next_end(self, now: datetime) -> datetime | None:
        """Return what a countdown runs to: "time", then the end of the games. Players see `visible_end` instead."""
        return self.time_is_called if self.phase(now) == Phase.RUNNING else self.ends

    def visible_end(self, now: datetime) -> datetime | None:
        """Return the end that players and projectors may know at this moment: of a hidden clock none before "time"."""
        return None if self.is_hidden and self.phase(now) == Phase.RUNNING else self.next_end(now)

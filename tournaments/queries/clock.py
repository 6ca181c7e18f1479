"""The clock of a round as pages show it (E26)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rules.tournaments.clock import Clock, Phase
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Event, Game, Round


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What a page may show of a clock. `ends_at` is None where the reader must not know it."""

    phase: Phase
    ends_at: datetime | None = None

    @property
    def time_is_called(self) -> bool:
        """Whether "time" was called."""
        return self.phase in (Phase.LAST, Phase.OVER)


def clock_of(event: Event, current: Round, game: Game | None = None) -> Clock:
    """Return the clock of a round, or of a table with its extension. Players must not see it: see `player_clock`."""
    rule_set, extension = RuleSet(event.rule_set), game.extension if game else 0
    return Clock(rule_set=rule_set, minutes=current.minutes or 0, started=current.started_at, extension=extension)


def player_clock(event: Event, current: Round, now: datetime, game: Game | None = None) -> ClockFace:
    """Return the clock as players, projectors and the public may see it: without any end before "time" in Galactic
    Conquest (E26).
    """
    clock = clock_of(event, current, game)
    return ClockFace(clock.phase(now), clock.visible_end(now))


def leader_clock(event: Event, current: Round, now: datetime, game: Game | None = None) -> ClockFace:
    """Return the clock as leaders see it: with the end of the time before "time", then with the end of the game."""
    clock = clock_of(event, current, game)
    phase = clock.phase(now)
    return ClockFace(phase, clock.time_is_called if phase == Phase.RUNNING else clock.ends)

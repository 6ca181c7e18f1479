"""The clock of a round as pages show it (E26)."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from rules.core.values import Value
from rules.tournaments.clock import Clock, Phase
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Event, Game, Round
from tournaments.queries.rounds import has_clock, round_name

#: Parameters of the address: what the page shows now, and which table's clock it shows.
SEEN, TABLE = "seen", "table"
#: The word for a page without a clock (`_token`).
NO_CLOCK = "none"


class ClockFace(Value):
    """What a page may show of a clock. `ends_at` is None where the reader must not know it."""

    phase: Phase
    ends_at: datetime | None = None

    @property
    def time_is_called(self) -> bool:
        """Whether "time" was called."""
        return self.phase in (Phase.LAST, Phase.OVER)


def clock_of(event: Event, current: Round, game: Game | None = None) -> Clock:
    """Return the clock of a round, or of a table with its extension. Players must not see it: see `clock_face`."""
    return Clock(
        rule_set=RuleSet(event.rule_set), minutes=current.minutes or 0, started=current.started_at,
        is_hidden=event.rules.is_clock_hidden(in_bracket=current.stage == Round.Stage.BRACKET),
        extension=game.extension if game else 0,
    )  # fmt: skip


def clock_face(
    event: Event, current: Round, now: datetime, game: Game | None = None, *, for_leader: bool = False
) -> ClockFace:
    """Return the clock as players and the public may see it: a hidden one has no end before "time" (E26). Leaders see
    the end of the time before "time", then the end of the game.
    """
    clock = clock_of(event, current, game)
    return ClockFace(clock.phase(now), clock.next_end(now) if for_leader else clock.visible_end(now))


def clock_context(
    event: Event, *, at: datetime, game: Game | None = None, current: Round | None = None
) -> dict[str, Any]:
    """Return what `tournaments/clock/_clock.html` takes for the round that is under way at the moment `at`.

    `game` is one of that round whose table was given an extension; `current` saves a query if the page knows the round.
    It is the same for all readers, leaders too: a hall reads their screens. Only the console shows leaders the end of
    a hidden clock (E26).
    """
    current = current or event.round_set.filter(state=Round.State.PUBLISHED).last()
    face = _face(event, at, game, current)
    facts: dict[str, Any] = {SEEN: _token(current, face)}
    if game:
        facts[TABLE] = game.table
    return {
        "event": {"rule_set": event.rule_set, "time_zone": event.time_zone},
        "face": face,
        "label": round_name(current) if current and face else "",
        "poll": f"{reverse('tournaments:clock', args=[event.pk])}?{urlencode(facts)}",
        SEEN: facts[SEEN],
    }


def clock_seen(event: Event, *, at: datetime, game: Game | None, current: Round) -> str:
    """Return what `clock_context` calls "seen"."""
    return _token(current, _face(event, at, game, current))


def _face(event: Event, at: datetime, game: Game | None, current: Round | None) -> ClockFace | None:
    if current is None or current.state != Round.State.PUBLISHED or not has_clock(event, current):
        return None
    return clock_face(event, current, at, game)


def _token(current: Round | None, face: ClockFace | None) -> str:
    """Return a word that changes with what the clock shows, made of nothing that it does not show."""
    if not current or not face:
        return NO_CLOCK
    return f"{current.number}-{face.phase}" + (f"-{face.ends_at:%H%M%S}" if face.ends_at else "")

"""How long an event of 300 players takes to pair, to publish and to rank, for the two seconds that are promised.

    .venv/bin/python bench/event_pairing.py
    .venv/bin/python bench/event_pairing.py --players 64 --rounds 3   # the short form

plays a Galactic Conquest event through the real services in a database of its own. Each round is drawn and published by
an organizer; its results are written at once, because they come one by one on the day. The last round has the most to
read, so its times count. The ratios compare with reading the event once (`history_of`), on the same machine at the same
time. The exit status is 1 when drawing or publishing takes longer than LIMIT.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from accounts.models import User
    from tournaments.models import Event, Round

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

T = TypeVar("T")
#: Players and rounds that are promised, and the seconds that drawing and publishing may take.
PLAYERS, ROUNDS, LIMIT = 300, 7, 2.0
READ, DRAW, PUBLISH, RANK = "read the event", "draw a round", "publish a round", "compute the standings"
LIMITED = (DRAW, PUBLISH)


@dataclass
class Times:
    """Seconds by what was done, round by round."""

    taken: dict[str, list[float]] = field(default_factory=dict)

    def of(self, what: str, act: Callable[[], T]) -> T:
        """Do something and keep how long it took."""
        start = time.perf_counter()
        found = act()
        self.taken.setdefault(what, []).append(time.perf_counter() - start)
        return found

    @property
    def is_well(self) -> bool:
        """Whether the limits were kept in every round."""
        return all(seconds <= LIMIT for what in LIMITED for seconds in self.taken[what])

    def table(self) -> str:
        """Return the times as Markdown."""
        lines = ["| What | Median ms | Last round ms | Beside reading | Limit |", "|---|---:|---:|---:|---:|"]
        for what, seconds in self.taken.items():
            limit = f"{1000 * LIMIT:,.0f}" if what in LIMITED else ""
            ratio = seconds[-1] / self.taken[READ][-1]
            lines.append(
                f"| {what} | {1000 * median(seconds):,.0f} | {1000 * seconds[-1]:,.0f} | {ratio:.1f} × | {limit} |"
            )
        return "\n".join(lines)


def play(organizer: User, *, players: int, rounds: int) -> Times:
    """Play an event and return the times."""
    from rules.tournaments.rule_sets import RuleSet
    from tournaments.queries.history import history_of
    from tournaments.services import entries, events
    from tournaments.services.pairing import draw_round
    from tournaments.services.rounds import close_round, publish_round

    event = events.create_event(
        actor=organizer, name="Convention", rule_set=RuleSet.GALACTIC_CONQUEST, structure="custom", rounds=rounds
    )
    names = [f"Player {number}" for number in range(1, players + 1)]
    added = entries.add_players(actor=organizer, event=event, players=[entries.NewPlayer(name) for name in names])
    entries.check_in(actor=organizer, event=event, entries=added)
    event = events.start(actor=organizer, event=event, reason="Lists are on paper.")
    times = Times()
    for _ in range(rounds):
        drawn = times.of(DRAW, lambda: draw_round(actor=organizer, event=event))
        times.of(PUBLISH, lambda: publish_round(actor=organizer, event=event))
        write_results(event, drawn)
        times.of("close a round", lambda: close_round(actor=organizer, event=event))
        history = times.of(READ, lambda: history_of(event))
        times.of(RANK, history.standings)
    return times


def write_results(event: Event, drawn: Round) -> None:
    """Give every game of a round a result."""
    from tournaments.models import Game

    games = list(drawn.games.exclude(second=None))
    for game, figures in zip(games, figures_of(event.pk.int + drawn.number), strict=False):
        game.first_points, game.second_points, game.first_tokens, game.second_tokens = figures
        game.how, game.state = "victory", Game.State.CONFIRMED
        game.winner_id = game.first_id if figures[2] > figures[3] else game.second_id
    fields = ["first_points", "second_points", "first_tokens", "second_tokens", "how", "state", "winner"]
    Game.objects.bulk_update(games, fields)


def figures_of(seed: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield points defeated and tokens of games without end."""
    random = Random(seed)  # noqa: S311 - the results of a bench guard no secret
    while True:
        yield (10 * random.randrange(100), 10 * random.randrange(100), random.randrange(9), random.randrange(9))


def main() -> int:
    """Measure, and print the table."""
    from bench.own_site import own_site

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    words = parser.parse_args()
    with own_site("pairing"):
        from accounts.models import User

        times = play(User.objects.create_user("organizer"), players=words.players, rounds=words.rounds)
    print(f"{words.players} players, {words.rounds} rounds\n\n{times.table()}")
    return int(not times.is_well)


if __name__ == "__main__":
    sys.exit(main())

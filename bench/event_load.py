"""An event of 300 players in seven rounds, all of it over HTTP: does it stay quick, and is nothing lost?

    .venv/bin/python bench/event_load.py            # about five minutes
    .venv/bin/python bench/event_load.py --short    # 40 players, two rounds
    .venv/bin/python bench/event_load.py --window 120 --against PATH    # also another checkout with its environment

Sets up a site of its own (an embedded PostgreSQL, gunicorn as `ops.serve` runs it, two workers) in a directory that is
removed at the end. Locust is the people (`bench/event_players.py`), on the same machine. Each player's page polls as
often as on the day. Only the games are shorter: the results of a round, which come within two minutes of each other on
the day, come within WINDOW seconds, each reported by one player and confirmed by the other. The organizer draws,
publishes, starts the clock, enters what is missing, and closes. Visitors follow pairings and standings, and the
projector is on.

Prints a table for docs/performance.md. The exit status is 1 when a request fails, when a result is not the one that
was entered, or when a limit is exceeded (those of times not in the short form): P95 for 95 of 100 requests, TABLE for
95 of 100 pages with a new table, STEP for drawing and publishing together, STANDINGS for their median on the server,
SEEN for 95 of 100 phones from the publication to the new table, WIRE for a phone and round after its first page, and
MEGABYTES for a worker. Limits of times are for a machine that answers the bare view in QUIET; on a slower or busier one
they grow in proportion, but for SEEN, which is mostly the pause of a poll. The bare view is asked for before and after
the load, and its median counts. `--against` lets the other build's own bench do the same first, and compares.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import User
    from bench.load import Kind
    from tournaments.models import Event

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

HERE = Path(__file__).parents[1]
PLAYERS, ROUNDS, WINDOW, VISITORS = 300, 7, 14, 10
SHORT_PLAYERS, SHORT_ROUNDS, SHORT_WINDOW, SHORT_VISITORS = 40, 2, 3, 3
#: Seconds allowed for a round in addition to its window. After all rounds' time Locust stops.
ROUND_MARGIN = 120
#: Milliseconds five times, then bytes and megabytes.
P95, TABLE, STEP, STANDINGS, SEEN, WIRE, MEGABYTES = 100, 150, 500, 60, 3_000, 30_000, 140
#: Requests from which on P95 counts: fewer are mostly those that workers answer for the first time.
ENOUGH = 5_000
#: Milliseconds of the bare view on two idle cores (docs/performance.md), and how often it is asked for.
QUIET, ASKED = 2.9, 50
BARE = "/bare/"
#: Players who advance, so that pages tell the chances for it.
CUT = 8
#: Players who come in a second.
COMING = 25
#: Tables at which nobody reports, and at which nobody confirms: those with this remainder by this divisor.
UNREPORTED, UNCONFIRMED = (25, 7), (25, 13)
STEPS = ("draw a round", "publish a round")


def figures(number: int, table: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return points defeated and tokens of both players at a table in round `number`: the first wins on tokens, or the
    second.
    """
    random = Random(1000 * number + table)  # noqa: S311 - the results of a bench guard no secret
    tokens = random.sample(range(9), 2)
    return (10 * random.randrange(100), tokens[0]), (10 * random.randrange(100), tokens[1])


def set_up(players: int, rounds: int) -> tuple[Event, User]:
    """Start an event whose players have checked in; every other one has an account."""
    from bench.simulated_battles import player
    from rules.tournaments.rule_sets import RuleSet
    from tournaments.models import Entry
    from tournaments.services import entries, events

    organizer = player("organizer")
    event = events.create_event(
        actor=organizer, name="Convention", rule_set=RuleSet.GALACTIC_CONQUEST, structure="custom", rounds=rounds,
        cut=CUT,
    )  # fmt: skip
    names = [f"Player {number}" for number in range(1, players + 1)]
    added = entries.add_players(actor=organizer, event=event, players=[entries.NewPlayer(name) for name in names])
    for entry in added[::2]:
        entry.user = player(f"player-{entry.number}")
    Entry.objects.bulk_update(added[::2], ["user"])
    entries.check_in(actor=organizer, event=event, entries=added)
    return events.start(actor=organizer, event=event, reason="Lists are on paper."), organizer


def people(event: Event) -> Iterator[dict[str, str]]:
    """Yield what a player's browser starts with: a session, or the personal link."""
    from django.urls import reverse

    from bench.speed_site import session_of

    for entry in event.entries.select_related("user"):
        if entry.user:
            yield {"session": session_of(entry.user)}
        else:
            yield {"link": reverse("tournaments:personal", args=[entry.token])}


def lost(event: Event, rounds: int) -> list[str]:
    """Return what is not as it was entered."""
    found = []
    played = list(event.round_set.prefetch_related("games"))
    if [each.state for each in played] != ["closed"] * rounds:
        found.append(f"rounds are {[each.state for each in played]}")
    for each in played:
        for game in each.games.all():
            if game.second_id is None:
                continue
            stored = (game.first_points, game.first_tokens), (game.second_points, game.second_tokens)
            if game.state != "confirmed" or stored != figures(each.number, game.table):
                found.append(f"round {each.number}, table {game.table}: {game.state}, {stored}")
    return found


def bare_milliseconds(port: int, session: str) -> float:
    """Return the median of the bare view now."""
    from bench.speed_site import Browser

    browser = Browser(port, session)
    for _ in range(5):
        browser.ask(BARE)
    return 1000 * median(browser.ask(BARE) for _ in range(ASKED))


@dataclass(frozen=True, kw_only=True)
class Run:
    """What was measured: by kind of request, in all (the 95th of 100), the standings on the server, the bare view
    beside it, the workers' megabytes, what was lost, what players noted (`event_players.NOTES`), and the rounds.
    """

    kinds: list[Kind]
    p95: float
    standings: float
    bare: float
    workers: list[float]
    lost: list[str]
    notes: dict[str, list[Any]]
    rounds: int

    @property
    def reasons(self) -> str:
        """Return where the seconds went until the slowest twentieth of the phones, and all of them, saw pairings."""
        phones = sorted(zip(self.notes["seen"], self.notes["why"], strict=True), key=lambda each: each[0])
        lines = ["| Seconds to pairings | Phones | Seen | " + " | ".join(phones[0][1] if phones else ()) + " |"]
        lines.append("|---|" + "---:|" * (lines[0].count("|") - 2))
        for name, some in (("all", phones), ("slowest twentieth", phones[len(phones) * 95 // 100 :])):
            means = [sum(why[key] for _, why in some) / len(some) for key in (some[0][1] if some else ())]
            seen = sum(each for each, _ in some) / (len(some) or 1)
            lines.append(f"| {name} | {len(some)} | {seen:.1f} | " + " | ".join(f"{each:.2f}" for each in means) + " |")
        return "\n".join(lines)

    @property
    def slowness(self) -> float:
        """How many times as long as on two idle cores everything takes."""
        return max(1.0, self.bare / QUIET)

    @property
    def requests(self) -> int:
        """How many requests there were."""
        return sum(kind.requests for kind in self.kinds)

    def longest(self, name: str) -> float:
        """Return the longest request of a kind; without any it is infinite."""
        return next((kind.longest for kind in self.kinds if kind.name == name), float("inf"))

    def demands(self) -> list[tuple[str, float, float, str]]:
        """Return what is demanded: its name, what was measured, the most that it may be, and the unit."""
        more, seen = self.slowness, 1000 * nearly_all(self.notes["seen"])
        times = [
            ("all requests, p95", self.p95, P95 * more, "ms"),
            ("my table after publishing, p95", nearly_all(self.notes["tables"]), TABLE * more, "ms"),
            ("pairings on a phone, p95", seen, SEEN, "ms"),
        ]
        wire = sum(self.notes["bytes"]) / (len(self.notes["bytes"]) * self.rounds or 1)
        return [
            ("failed requests", sum(kind.failures for kind in self.kinds), 0, ""),
            ("results lost", len(self.lost), 0, ""),
            *(times if self.requests >= ENOUGH else []),
            ("draw and publish, longest", sum(map(self.longest, STEPS)), STEP * more, "ms"),
            ("standings on the server, median", self.standings, STANDINGS * more, "ms"),
            ("a phone and round over the wire", wire, WIRE, "bytes"),
            ("largest worker", max(self.workers, default=float("inf")), MEGABYTES, "MB"),
        ]

    @property
    def is_well(self) -> bool:
        """Whether all that is demanded is kept."""
        return all(measured <= most for _, measured, most, _ in self.demands())

    def table(self) -> str:
        """Return the result as Markdown."""
        lines = ["| What | Requests | Failed | p50 ms | p95 ms | Longest ms |", "|---|---:|---:|---:|---:|---:|"]
        lines += [
            f"| {kind.name} | {kind.requests} | {kind.failures} | {kind.median:.0f} | {kind.p95:.0f} "
            f"| {kind.longest:.0f} |"
            for kind in self.kinds
        ]
        lines += ["", f"The bare view: {self.bare:.1f} ms, so limits are {self.slowness:.1f} ×", ""]
        lines += ["| Demand | Measured | Most | Well? |", "|---|---:|---:|---|"]
        lines += [
            f"| {name} | {measured:,.0f} {unit} | {most:,.0f} {unit} | {'yes' if measured <= most else '**no**'} |"
            for name, measured, most, unit in self.demands()
        ]
        return "\n".join([*lines, "", self.reasons, *self.lost[:10]])


def nearly_all(values: list[float]) -> float:
    """Return the 95th of 100 values; infinite without any."""
    return sorted(values)[len(values) * 95 // 100] if values else float("inf")


def compared(ours: str, theirs: str) -> str:
    """Return p50 and p95 of each kind of request in two tables of this bench, with the ratios, as Markdown."""
    row = re.compile(r"^\| ([^|]+) \| [\d,]+ \| \d+ \| (\d+) \| (\d+) \| \d+ \|$", re.MULTILINE)
    other = {name: values for name, *values in row.findall(theirs)}
    lines = [
        "| What | p50 ms | The other | Ratio | p95 ms | The other | Ratio |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, *values in row.findall(ours):
        if name in other:
            pairs = [(int(mine), int(its)) for mine, its in zip(values, other[name], strict=True)]
            lines.append(
                f"| {name} | " + " | ".join(f"{mine} | {its} | {mine / (its or 1):.2f}" for mine, its in pairs) + " |"
            )
    return "\n".join(lines)


def measured_by(build: Path, words: Sequence[str]) -> tuple[str, float]:
    """Let a build's own bench play; return its table, and the seconds of CPU time that it took, people included."""
    program = [build / ".venv/bin/python", build / "bench/event_load.py", *words]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    table = subprocess.run(program, cwd=build, stdout=subprocess.PIPE, text=True, check=False).stdout  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return table, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def standings_milliseconds(log: str) -> float:
    """Return the median time of the standings in the log of the site, which has a line for each request."""
    lines = [json.loads(line) for line in log.splitlines() if "tournaments:standings" in line]
    found = [line["ms"] for line in lines if line.get("view") == "tournaments:standings"]
    return median(found) if found else float("inf")


def play(place: Path, port: int, plan: dict[str, Any]) -> float:
    """Let locust be the people; return the 95th of 100 of all requests, in milliseconds. `noticed` has their notes."""
    (place / "plan.json").write_text(json.dumps(plan))
    players = len(plan["players"])
    longest = int(plan["rounds"] * (plan["window"] + ROUND_MARGIN))
    command = [
        sys.executable, "-m", "locust", "--headless", "--only-summary", "--loglevel", "ERROR",
        "-f", "bench/event_players.py", "-H", f"http://127.0.0.1:{port}", "-u", str(players + plan["visitors"] + 3),
        "-r", str(COMING), "-t", f"{longest}s", "--stop-timeout", "10", "--csv", str(place / "load"), "--reset-stats",
    ]  # fmt: skip
    environment = os.environ | {"EVENT_PLAN": str(place / "plan.json")}
    with (place / "locust").open("w") as said:
        subprocess.run(command, env=environment, cwd=HERE, check=False, stdout=said, stderr=said)  # noqa: S603
    with (place / "load_stats.csv").open() as written:
        return float(next(row["95%"] for row in csv.DictReader(written) if row["Name"] == "Aggregated"))


def measure(place: Path, *, players: int, rounds: int, window: float, visitors: int) -> Run:
    """Play an event on a site of its own, and return what was measured."""
    from django.db import connection

    from bench.load import kinds, memory_of
    from bench.speed_site import session_of, started
    from tournaments.views.player import POLL

    event, organizer = set_up(players, rounds)
    session = session_of(organizer)
    plan = {
        "event": str(event.pk), "rounds": rounds, "window": window, "visitors": visitors, "poll": POLL,
        "noticed": min(POLL + 1, window),
        "organizer": session, "players": list(people(event)),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as PostgreSQL does by itself once what was written lies a while
    connection.close_pool()
    # With a line in the log for each request.
    with started(place, workers=2, LOG_LEVEL="INFO", LOG_FORMAT="json") as (port, master):
        before = bare_milliseconds(port, session)
        p95 = play(place, port, plan)
        workers = [rss for rss, _ in memory_of(master)]
        bare = median([before, bare_milliseconds(port, session)])
    return Run(
        kinds=kinds((place / "load_stats.csv").read_text()), p95=p95, bare=bare, workers=workers,
        standings=standings_milliseconds((place / "log").read_text()), lost=lost(event, rounds),
        notes=json.loads((place / "noticed").read_text()), rounds=rounds,
    )  # fmt: skip


def main() -> int:
    """Set up, play, and print."""
    from bench.own_site import own_site

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--short", action="store_true", help="a small event")
    parser.add_argument("--players", type=int)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--window", type=float, help="seconds in which the results of a round come")
    parser.add_argument("--against", type=Path, help="another checkout with its environment")
    words = parser.parse_args()
    if words.against:
        given = ((name, getattr(words, name)) for name in ("players", "rounds", "window"))
        arguments = ["--short"] * words.short + [f"--{name}={value}" for name, value in given if value]
        (theirs, their_cpu), (ours, our_cpu) = (measured_by(each, arguments) for each in (words.against, HERE))
        print(theirs, ours, compared(ours, theirs), sep="\n")
        print(f"CPU time, people included: {our_cpu:.0f} s, the other {their_cpu:.0f} s")
        return int("**no**" in ours)
    os.environ["SECRET_KEY"] = "only for as long as this runs, and for nobody else"  # noqa: S105
    with own_site("event") as place:
        run = measure(
            place,
            players=words.players or (SHORT_PLAYERS if words.short else PLAYERS),
            rounds=words.rounds or (SHORT_ROUNDS if words.short else ROUNDS),
            window=words.window or (SHORT_WINDOW if words.short else WINDOW),
            visitors=SHORT_VISITORS if words.short else VISITORS,
        )
    print(run.table())
    return int(not run.is_well)


if __name__ == "__main__":
    sys.exit(main())

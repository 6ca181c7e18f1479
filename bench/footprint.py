"""What a battle weighs: queries, bytes of rows and indexes, and of PostgreSQL's log.

    .venv/bin/python bench/footprint.py

plays battles in a database of its own: some whose sequences are played as browsers do, a page before each answer, for
the queries; more by the services, for the bytes. Prints them as tables.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from django.test import Client

    from accounts.models import User

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from psycopg.sql import SQL, Identifier

from bench.cluster import COLOURS, Results, play
from bench.forms import FORM, Sent
from bench.own_site import own_site

SMALL = 0.02  # of all bytes: tables with less stand together


@dataclass
class Queries:
    """How many statements were made for what, without those that only begin and end a transaction."""

    made: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        """Count the statements that are made meanwhile."""
        from django.db import connection

        def counted(execute: Callable[..., Any], *args: Any) -> Any:
            self.made[what] += 1
            return execute(*args)

        self.asked[what] += 1
        with connection.execute_wrapper(counted):
            yield


@dataclass
class Browser:
    """A player as `bench.cluster` knows one, at a site in this process."""

    client: Client
    queries: Queries

    def ask(self, method: str, path: str, sent: Sent | None = None) -> tuple[int, str]:
        """The status of the answer, and its page."""
        with self.queries.of({"GET": "a page of the sequence", "POST": "an answer"}[method]):
            if method == "POST":
                answer = self.client.post(path, urlencode(sent or []), content_type=FORM)
            else:
                answer = self.client.get(path)
        return answer.status_code, answer.content.decode()


def _browser(user: User, queries: Queries) -> Browser:
    from django.test import Client

    client = Client()
    client.force_login(user)
    return Browser(client, queries)


def queries(battles: int, seed: int) -> Iterator[str]:
    """Play so many battles, their sequences as browsers do; the table of queries."""
    from bench import simulated_battles as simulated
    from bench.simulation import Supply
    from catalogue.snapshot import rulebook

    random, supply, made, results = Random(seed), Supply(rulebook()), Queries(), Results()  # noqa: S311
    campaign, registers = simulated.begun(random, supply)
    browsers = {register.owner_id: _browser(register.owner, made) for register in registers}
    for number in range(battles):
        with made.of("all from the plan to the confirmed report"):
            battle = simulated.fought(campaign, registers, random, supply, guests=0)
        sides = {side.colour: side.own_register for side in battle.sides.select_related("register")}
        players = {colour: browsers[sides[colour].owner_id] for colour in COLOURS}
        play(str(battle.pk), players, results, seed + number)
    if results.errors:
        raise RuntimeError(results.errors)
    yield "| for | times a battle | queries each | queries a battle |\n|---|---|---|---|"
    for what, number in made.made.items():
        times = made.asked[what]
        yield f"| {what} | {times / battles:.0f} | {number / times:.1f} | {number / battles:.0f} |"
    yield f"| **all** | | | **{made.made.total() / battles:.0f}** |\n"


def weight(battles: int, seed: int) -> Iterator[str]:
    """Play so many battles by the services; the table of bytes."""
    from bench import simulated_battles as simulated
    from bench.simulation import Supply
    from catalogue.snapshot import rulebook

    random, supply = Random(seed), Supply(rulebook())  # noqa: S311
    campaign, registers = simulated.begun(random, supply)
    bytes_before, rows_before, log_before = *_sizes(), _log()
    for _ in range(battles):
        simulated.play_one(campaign, registers, random, supply)
    log = _log() - log_before
    bytes_after, rows_after = _sizes()
    grown = {table: (size - bytes_before[table]) / battles for table, size in bytes_after.items()}
    all_of_it = sum(grown.values())
    large = {table: size for table, size in grown.items() if size >= SMALL * all_of_it}
    yield "| table | rows a battle | bytes a battle, with indexes |\n|---|---|---|"
    for table, size in sorted(large.items(), key=lambda each: -each[1]):
        rows = (rows_after[table] - rows_before[table]) / battles
        yield f"| `{table}` | {rows:.1f} | {size:,.0f} |"
    yield f"| all others | | {all_of_it - sum(large.values()):,.0f} |"
    yield f"| **all** | | **{all_of_it:,.0f}** |"
    yield f"| PostgreSQL's log (WAL) | | {log / battles:,.0f} |"


def _sizes() -> tuple[dict[str, int], dict[str, int]]:
    """Bytes and rows of each table, once all that is dead has been cleared away."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        sizes = dict(cursor.fetchall())
        rows = {}
        for table in sizes:
            cursor.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table)))
            rows[table] = cursor.fetchone()[0]
    return sizes, rows


def _log() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn() - '0/0'")
        return int(cursor.fetchone()[0])


def main() -> None:
    """Start a server of its own, play, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--played", type=int, default=6, help="battles for the queries")
    parser.add_argument("--battles", type=int, default=60, help="battles for the bytes")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    with own_site("footprint"):
        from django.core.management import call_command

        call_command("load_catalogue", verbosity=0, stdout=sys.stderr)  # the tables alone go out
        for line in chain(queries(words.played, words.seed), weight(words.battles, words.seed)):
            print(line)


if __name__ == "__main__":
    main()

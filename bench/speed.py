"""How long pages take beside a bare view of Django's that reads the session, the user and one number.

    .venv/bin/python bench/speed.py

starts a site of its own (an embedded PostgreSQL, gunicorn with the settings of `ops.serve`, one worker) in a
directory that is removed at the end, fills it, and asks for one thing after the other, again and again, as a browser
does: over HTTP on the loopback, compressed, on a kept connection. What is measured is the time that passes until the
last byte is here, because that is what a reader waits, and the database's part is in it. Everything is asked in turn
with the bare view, so that whatever else the machine does falls on all alike. An uncounted bare view comes before each
request, because a heavy request slows the next one. The median of ROUND requests counts for a round. The table for
docs/performance.md shows the median of five rounds.

Queries are counted in this process by Django's own test client: all statements that read or write, the session's and
the user's among them; not BEGIN, SAVEPOINT and the like, which read nothing. The exit status is 1 when a limit is
exceeded.

`ROOMS` are the modules that say what is measured: each has `things(site)`.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.models import User
    from bench.speed_site import Browser

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

#: What is measured, module by module; each has `things(site: Site) -> Iterable[Thing]`.
ROOMS = ("bench.speed_pages", "bench.speed_sequence")
ROUNDS, ROUND = 5, 20
BARE = "Bare view: session, user, one query"
#: How many statements a page and a post may take.
A_PAGE, A_POST = 15, 40


@dataclass(frozen=True, kw_only=True)
class Thing:
    """Something that is asked of the site.

    `once` asks for it and says how many seconds that took; `queries` says how many statements it takes, of which there
    may be `most`. `limits` says how many times as long as another thing (by its name) it may take.
    """

    name: str
    once: Callable[[], float]
    queries: Callable[[], int] | None = None
    most: int = A_PAGE
    limits: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Site:
    """The site that is measured: `browser(user)` opens somebody's browser."""

    browser: Callable[[User], Browser]

    def page(
        self, name: str, user: User, address: str, *, headers: dict[str, str] | None = None, **limits: Any
    ) -> Thing:
        """A page that somebody reads."""
        browser = self.browser(user)
        return Thing(
            name=name,
            once=lambda: browser.ask(address, headers=headers),
            queries=lambda: queries_of(user, address, headers),
            **limits,
        )


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table: one thing compared to another. `limit` is None if there is none."""

    name: str
    milliseconds: float
    beside: str
    ratio: float
    limit: float | None
    queries: int | None
    most: int

    @property
    def well(self) -> bool:
        """Whether it keeps its limits."""
        return (self.limit is None or self.ratio <= self.limit) and (self.queries or 0) <= self.most


def rows(things: Sequence[Thing], taken: Mapping[str, Sequence[Sequence[float]]]) -> list[Row]:
    """The lines of the table. `taken` are seconds by name: a list for each round.

    A ratio is that of the two medians of a round, and of the rounds the median.
    """
    medians = {name: [median(each) for each in rounds] for name, rounds in taken.items()}
    found = []
    for thing in things:
        queries = thing.queries() if thing.queries else None
        for beside, limit in (thing.limits or {BARE: None}).items():
            ratios = [mine / its for mine, its in zip(medians[thing.name], medians[beside], strict=True)]
            found.append(
                Row(
                    name=thing.name,
                    milliseconds=1000 * median(medians[thing.name]),
                    beside=beside,
                    ratio=median(ratios),
                    limit=limit,
                    queries=queries,
                    most=thing.most,
                )
            )
    return found


def table(found: Iterable[Row]) -> str:
    """The lines as Markdown."""
    lines = ["| What | ms | Ratio | Limit | Queries | Well? |", "|---|---:|---:|---:|---:|---|"]
    for row in found:
        beside = "" if row.beside == BARE else f", beside “{row.beside}”"
        limit = "" if row.limit is None else f"≤ {row.limit:g} ×"
        queries = "" if row.queries is None else f"{row.queries} of {row.most}"
        lines.append(
            f"| {row.name}{beside} | {row.milliseconds:.1f} | {row.ratio:.2f} × | {limit} | {queries} "
            f"| {'yes' if row.well else '**no**'} |"
        )
    return "\n".join(lines)


def queries_of(user: User, address: str, headers: Mapping[str, str] | None = None) -> int:
    """How many statements a page takes that read or write."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    client.get(address, headers=headers)
    with counted() as statements:
        client.get(address, headers=headers)
    return len(statements)


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that this process sends, without those that only frame transactions."""
    from django.db import connection

    from ops.monitoring.request_log import FRAMES

    statements: list[str] = []

    def look(execute: Any, sql: str, *args: Any) -> Any:
        if not sql.startswith(FRAMES):
            statements.append(sql)
        return execute(sql, *args)

    with connection.execute_wrapper(look):
        yield statements


def measure(things: Sequence[Thing], rounds: int, times: int) -> dict[str, list[list[float]]]:
    """Seconds by name, a list for each round; everything is asked in turn, and once before that counts."""
    for thing in things:
        for _ in range(3):
            thing.once()
    taken: dict[str, list[list[float]]] = {thing.name: [] for thing in things}
    for _ in range(rounds):
        for each in taken.values():
            each.append([])
        for _ in range(times):
            for thing in things:
                things[0].once()
                taken[thing.name][-1].append(thing.once())
    return taken


def main() -> int:
    """Fill a site, measure, and print the table."""
    from bench.own_site import own_site
    from bench.speed_site import BARE as ADDRESS, add_bare_view, serving

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--times", type=int, default=ROUND, help="requests of each thing in a round")
    parser.add_argument("--only", default="", help="what of a name is enough to be measured")
    words = parser.parse_args()
    os.environ["SECRET_KEY"] = "only for as long as this runs, and for nobody else"  # noqa: S105
    with own_site("speed") as place:
        from django.core.management import call_command
        from django.db import connection

        from bench.simulated_battles import player

        call_command("load_catalogue", stdout=io.StringIO())
        add_bare_view()
        with serving(place) as browser:
            site = Site(browser)
            things = [site.page(BARE, player("bare"), ADDRESS)]
            for room in ROOMS:
                things += importlib.import_module(room).things(site)
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")  # as PostgreSQL does by itself once what was written lies a while
            wanted = {BARE, *(beside for each in things for beside in each.limits)}
            things = [each for each in things if words.only in each.name or each.name in wanted]
            found = rows(things, measure(things, words.rounds, words.times))
    print(table(found))
    return int(not all(row.well for row in found))


if __name__ == "__main__":
    sys.exit(main())

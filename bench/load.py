"""An evening of 100 tables, or an overload of 300: two phones at each poll for news, and answers come in.

    .venv/bin/python bench/load.py
    .venv/bin/python bench/load.py --overload

Each sets up a site of its own (an embedded PostgreSQL, gunicorn as `ops.serve` runs it, two workers) in a directory
that is removed at the end, with battles in their Post-Battle Sequences between Registers of 12 Dossiers. Locust is
their phones (`bench/phones.py`), on the same machine: what it takes of the processors, the site has not. One after the
other they come; once all are there, the site is warm, and what happens in the minute after that is measured.
Prints a table for docs/performance.md. The exit status is 1 when a request fails, if there were too few answers,
when a worker has grown above 200 MB, and: with 100 tables and 7 answers a second, when more than 5 of 100 requests of a
kind that is asked for at least MANY times take longer than 150 ms; with 300 tables and 20 answers a second
(`--overload`), when one answer takes longer than 2 seconds. Polls may be slow then: the phones ask less often, as pages
do.
"""

import argparse
import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import set_up_django

TABLES, ANSWERS = 100, 7
OVERLOAD_TABLES, OVERLOAD_ANSWERS = 300, 20
SECONDS = 60
#: In how many seconds the phones come.
COMING = 20
P95, LONGEST, MEGABYTES = 150, 2_000, 200  # milliseconds twice
#: Requests of a kind from which on P95 counts: of forty, two slow ones would decide.
MANY = 100
#: Some answers are refused by the rules, or find their question answered already: chance fills the forms in.
ENOUGH = 0.9
PROCESSES = 2


def set_up(numbers: list[int]) -> list[dict[str, str]]:
    """Tables with these numbers: for each phone its address, its session, and the page that it shows."""
    with set_up_django():
        return list(_phones(numbers))


def _phones(numbers: list[int]) -> Iterator[dict[str, str]]:
    from bench.acts import browser_of
    from bench.speed_site import session_of
    from bench.tables import table

    for number in numbers:
        battle = table(f"Table {number}", Random(number))  # noqa: S311
        for side in battle.sides.select_related("register__owner").order_by("colour"):
            there = f"/battles/{battle.pk}/sequence/{side.colour}/"
            who = side.own_register.owner
            page = browser_of(who).get(there).content.decode()
            yield {"address": there, "session": session_of(who), "page": page}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What locust measured of one kind of request; times in milliseconds."""

    name: str
    requests: int
    failures: int
    median: float
    p95: float
    p99: float
    longest: float

    def well(self, *, overload: bool = False) -> bool:
        """Whether nothing failed and it was quick; under overload only answers have to be."""
        if overload:
            return not self.failures and (self.longest <= LONGEST or not self.name.startswith("an answer"))
        return not self.failures and (self.p95 <= P95 or self.requests < MANY)


def kinds(written: str) -> list[Kind]:
    """The lines of locust's statistics that count a request, without their sum."""
    return [
        Kind(
            name=row["Name"],
            requests=int(row["Request Count"]),
            failures=int(row["Failure Count"]),
            median=float(row["50%"]),
            p95=float(row["95%"]),
            p99=float(row["99%"]),
            longest=float(row["Max Response Time"]),
        )
        for row in csv.DictReader(io.StringIO(written))
        if row["Name"] != "Aggregated" and row["Request Count"] != "0"
    ]


def memory_of(master: int) -> list[tuple[float, float]]:
    """RSS and PSS of each worker in megabytes: what it has, and what it has if what is shared is shared out."""
    import psutil

    # The queue worker is a fork of the same process, but leads a session of its own.
    workers = [each for each in psutil.Process(master).children() if os.getsid(each.pid) != each.pid]
    found = [each.memory_full_info() for each in workers]
    return [(one.rss / 1e6, one.pss / 1e6) for one in found]


def table_of(found: list[Kind], seconds: float, workers: list[tuple[float, float]], *, overload: bool = False) -> str:
    """Return the result as Markdown."""
    limit = f"answers ≤ {LONGEST} ms" if overload else f"p95 ≤ {P95} ms"
    lines = ["| What | Requests | a second | Failed | p50 | p95 | p99 | Longest | Limit | Well? |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
    lines += [
        f"| {kind.name} | {kind.requests} | {kind.requests / seconds:.1f} | {kind.failures} "
        f"| {kind.median:.0f} ms | {kind.p95:.0f} ms | {kind.p99:.0f} ms | {kind.longest:.0f} ms | {limit} "
        f"| {'yes' if kind.well(overload=overload) else '**no**'} |"
        for kind in found
    ]
    lines += ["", "| Worker at the end | RSS | PSS | Limit | Well? |", "|---|---:|---:|---:|---|"]
    lines += [
        f"| {number} | {rss:.0f} MB | {pss:.0f} MB | {MEGABYTES} MB | {'yes' if rss < MEGABYTES else '**no**'} |"
        for number, (rss, pss) in enumerate(workers, 1)
    ]
    return "\n".join(lines)


def run(place: Path, port: int, phones: list[dict[str, str]], words: argparse.Namespace) -> list[Kind]:
    """Let locust be the phones."""
    (place / "phones.json").write_text(json.dumps(phones))
    environment = os.environ | {"PHONES": str(place / "phones.json"), "ANSWERS": str(words.answers)}
    command = [
        sys.executable, "-m", "locust", "--headless", "--only-summary", "--skip-log-setup", "-f", "bench/phones.py",
        "-H", f"http://127.0.0.1:{port}", "-u", str(len(phones)), "-r", str(len(phones) / COMING),
        "-t", f"{COMING + words.seconds}s", "--stop-timeout", "10", "--csv", str(place / "load"), "--reset-stats",
    ]  # fmt: skip
    subprocess.run(  # noqa: S603
        command, env=environment, cwd=Path(__file__).parents[1], check=False, stdout=subprocess.DEVNULL
    )
    return kinds((place / "load_stats.csv").read_text())


def main() -> int:
    """Set up, load, and print."""
    from bench.own_site import own_site
    from bench.speed_site import started

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--overload", action="store_true", help="more than the site can serve quickly")
    parser.add_argument("--tables", type=int)
    parser.add_argument("--answers", type=float, help="answers a second")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    words = parser.parse_args()
    words.tables = words.tables or (OVERLOAD_TABLES if words.overload else TABLES)
    words.answers = words.answers or (OVERLOAD_ANSWERS if words.overload else ANSWERS)
    os.environ["SECRET_KEY"] = "only for as long as this runs, and for nobody else"  # noqa: S105
    with own_site("load") as place:
        from django.core.management import call_command
        from django.db import connection

        call_command("load_catalogue", stdout=io.StringIO())
        connection.close_pool()
        parts = [list(range(first, words.tables, PROCESSES)) for first in range(PROCESSES)]
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
            phones = [phone for part in pool.map(set_up, parts) for phone in part]
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as PostgreSQL does by itself once what was written lies a while
        connection.close_pool()
        with started(place, workers=2) as (port, master):
            found = run(place, port, phones, words)
            workers = memory_of(master)
    print(table_of(found, words.seconds, workers, overload=words.overload))
    taken = next(kind.requests for kind in found if kind.name == "an answer")
    enough = taken >= ENOUGH * words.answers * words.seconds
    return int(
        not (
            enough
            and all(kind.well(overload=words.overload) for kind in found)
            and all(rss < MEGABYTES for rss, _ in workers)
        )
    )


if __name__ == "__main__":
    sys.exit(main())

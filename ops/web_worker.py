"""The gunicorn worker of the site: many threads receive requests, few run Python code.

gunicorn's own threaded worker gives each request a thread while it is being received, so a few phones that lose their
wifi in the middle of a request stop the whole site. More threads alone would not help: many threads that run Python at
once keep taking its lock from each other (docs/performance.md). So one of RECEIVING threads receives a request
completely, and then waits for one of RUNNING turns.
"""

import gc
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from ctypes import CDLL
from itertools import count
from tempfile import SpooledTemporaryFile
from threading import Lock, Semaphore
from typing import IO, Any

from gunicorn.http.errors import NoMoreData
from gunicorn.workers.gthread import ThreadWorker

from ops.monitoring.shared_metrics import count_as
from ops.paths import DATA_DIR

#: Threads of a worker: requests received and answers sent at the same time.
RECEIVING = 64
#: Requests processed at the same time. One waits for the database while the other runs.
RUNNING = 2
#: Connections waiting to be accepted for each second by which polls are delayed, and the longest delay in seconds.
BUSY, LONGEST = 16, 8
#: Seconds that a thread keeps Python's lock while another one wants it. With Python's 0.005 polls wait for seconds.
SWITCH_INTERVAL = 0.05
#: Seconds without a byte after which a connection is closed, in the middle of a request or an answer.
PATIENCE = 15
#: Bytes of a body that stay in memory while it is received. The rest goes to the disk.
IN_MEMORY = 256 * 1024
CHUNK = 64 * 1024
#: Bytes of a refused body that are read and thrown away: more than a proxy lets through (210 MB).
DISCARDED = 256 * 1024**2

#: Arenas of a worker's memory. glibc takes up to eight for each core, and RECEIVING threads leave holes in all of them.
ARENAS = 2
#: glibc's number for that setting (M_ARENA_MAX in malloc.h).
_ARENA_MAX = -8

Environ = MutableMapping[str, Any]
Start = Callable[[str, Iterable[tuple[str, str]]], None]
Application = Callable[[Environ, Start], Iterable[bytes]]


def limit_patience(listener: socket.socket) -> None:
    """Let the kernel abort each read and write on a connection of `listener` that waits longer than PATIENCE.

    gunicorn has no setting for this. Connections inherit both options from the socket that accepts them.
    """
    seconds = struct.pack("ll", PATIENCE, 0)
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        listener.setsockopt(socket.SOL_SOCKET, option, seconds)


def limit_arenas() -> None:
    """Let the threads of this process share ARENAS arenas. Other C libraries than glibc have none: nothing happens."""
    with suppress(AttributeError):
        CDLL(None).mallopt(_ARENA_MAX, ARENAS)


def take_free_slot(arbiter: Any, worker: "Worker") -> None:
    """Give a worker the lowest unused slot number: gunicorn's `pre_fork`."""
    taken = {each.slot for each in arbiter.WORKERS.values()}
    worker.slot = next(number for number in count() if number not in taken)


class Worker(ThreadWorker):
    """gunicorn's threaded worker, with RUNNING turns for Python code.

    It accepts no connection while all turns are taken, since another worker may be free. Idle connections, and those
    whose request has not arrived completely, take no turn.
    """

    slot = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.turns, self.lock, self.waiting = Semaphore(RUNNING), Lock(), 0

    def init_process(self) -> None:
        """Start serving."""
        limit_arenas()
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.enable()
        count_as(f"web{self.slot}")
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the site, and let it take turns."""
        super().load_wsgi()
        self.wsgi = self.in_turn(self.wsgi)

    @property
    def worker_connections(self) -> int:
        """The number of connections below which gunicorn accepts another one."""
        if self.waiting >= RUNNING:
            return 0
        idle = len(self.keepalived_conns) + len(self.pending_conns)
        return int(min(self.cfg.worker_connections, self.cfg.threads + idle))

    @worker_connections.setter
    def worker_connections(self, most: int) -> None:
        """Ignore gunicorn's value: the number follows from the state of the connections."""

    @property
    def delay(self) -> int:
        """Return by how many seconds polls (static/js/polls.js) have to be delayed, because so many connections wait.
        A few wait for a fraction of a second, so phones that hear of pairings must not be sent away for long.
        """
        return min(LONGEST, sum(map(waiting_at, self.sockets)) // BUSY)

    def handle(self, conn: Any) -> Any:
        """Serve a request of a connection in one of the threads; return whether the connection stays open.

        gunicorn would close it in the accepting thread, which waits two seconds for each client that does not close its
        end.
        """
        kept = super().handle(conn)
        if kept is False:
            conn.close(graceful=True)
            conn.close = lambda graceful=False: None
        return kept

    def in_turn(self, application: Application) -> Application:
        """Return a WSGI application that receives the body of a request, waits for a turn, and runs `application`."""
        from core.own_process import this_thread  # lazy: setup
        from uploads.handlers import BUFFERED  # lazy: setup

        def serve(environ: Environ, start_response: Start) -> Iterable[bytes]:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            with SpooledTemporaryFile(IN_MEMORY, dir=str(DATA_DIR) if DATA_DIR.is_dir() else None) as body:
                if 0 < length <= BUFFERED:
                    receive(environ["wsgi.input"], body, length)
                    environ["wsgi.input"] = body
                if "HTTP_X_POLL" in environ and (delay := self.delay):
                    start_response("204 No Content", [("Retry-After", str(delay)), ("Cache-Control", "no-store")])
                    return []
                with self.turn() as give_up:
                    this_thread.give_up = give_up
                    answer = finished(application(environ, start_response))
                if length > BUFFERED:
                    discard(environ["wsgi.input"])
                return answer

        return serve

    @contextmanager
    def turn(self) -> Iterator[Callable[[], None]]:
        """Wait for a turn and have it, or give it up before the end: a request that waits for a process of its own
        runs no Python code. It goes on without a turn, since others may wait for what it has locked.
        """
        with self.lock:
            self.waiting += 1
        self.turns.acquire()
        given_up: list[bool] = []

        def give_up() -> None:
            if not given_up:
                given_up.append(True)
                self.turns.release()
                with self.lock:
                    self.waiting -= 1

        try:
            yield give_up
        finally:
            give_up()


def waiting_at(listener: socket.socket) -> int:
    """Return how many connections wait to be accepted. Only Linux says so (tcpi_unacked); elsewhere it is 0."""
    try:
        return int.from_bytes(listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 28)[24:28], sys.byteorder)
    except (AttributeError, OSError):
        return 0


def receive(body: Any, file: IO[bytes], missing: int) -> None:
    """Copy `missing` bytes of a request's body to `file`. Raises NoMoreData if the client stops before."""
    while missing:
        if not (chunk := body.read(min(CHUNK, missing))):
            raise NoMoreData
        file.write(chunk)
        missing -= len(chunk)
    file.seek(0)


def discard(body: Any) -> None:
    """Read the rest of a refused request body, up to DISCARDED bytes.

    A proxy that is still sending when the connection closes would answer 502 in place of our refusal.
    """
    left = DISCARDED
    with suppress(NoMoreData, OSError):
        while left > 0 and (chunk := body.read(CHUNK)):
            left -= len(chunk)


def finished(response: Any) -> Iterable[bytes]:
    """Return the bytes of a finished response, and end its request, to free its resources before sending.

    A response that is still being produced (a stream, a file) is returned as it is.
    """
    if getattr(response, "streaming", True):
        return response  # type: ignore[no-any-return]
    content = b"".join(response)
    response.close()
    return [content]

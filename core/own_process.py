"""Run costly work in a process of its own, so that it takes no time of the threads that answer other requests, leaves
no memory behind, and can be stopped.

The process is a fork: it has everything in memory, and starts in milliseconds. It must not use the database, whose
connections belong to its parent, unless it opens a connection of its own (`ops.worker_process.run_job`); it asks for
what it needs (`Ask`).
"""

import fcntl
import gc
import os
import resource
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings

T = TypeVar("T")
#: Asks the parent for something and waits for the answer.
Ask = Callable[[Any], Any]

#: How much less of the processor it gets than the requests of others: what `os.nice` takes.
NICE = 10
#: Seconds between two attempts to be the next in a queue.
_PAUSE = 0.05

#: What a thread gives up while it waits here: `give_up` of the web worker's turn.
this_thread = threading.local()


class Busy(Exception):
    """Other work of the queue took longer than one can wait."""


class TooLong(Exception):
    """The work took longer than allowed, and was stopped."""


def run(
    work: Callable[[Ask], T],
    *,
    queue: str,
    wait: float,
    seconds: float,
    patience: float = 1,
    quick: float = 0,
    answer: Callable[[Any], Any] | None = None,
) -> T:
    """Return what `work` returns in a process of its own, or raise what it raises.

    One process of each `queue` runs on this machine at a time. `answer` answers what it asks for. Raises Busy after
    waiting `wait` seconds, and TooLong after `seconds` of the processor's time, or `patience` times as long on the
    clock: a busy machine gives it only a share. For the first `quick` seconds it has the same share as requests.
    """
    with suppress(AttributeError):
        this_thread.give_up()
    with _queue(queue, wait):
        here, there = Pipe()
        pid = os.fork()
        if pid == 0:
            _work(work, there, ceil(seconds) + 1)
        there.close()
        until = time.monotonic() + patience * seconds
        try:
            if not (quick and here.poll(min(quick, patience * seconds))):
                os.setpriority(os.PRIO_PROCESS, pid, os.nice(0) + NICE)
            returned: T = _result(here, until, answer)
            return returned
        finally:
            here.close()
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _result(here: Connection, until: float, answer: Callable[[Any], Any] | None) -> Any:
    while here.poll(max(until - time.monotonic(), 0)):
        try:
            kind, value = here.recv()
        except EOFError as ended:  # it was killed: out of memory
            raise TooLong from ended
        if kind == "done":
            return value
        if kind == "failed":
            raise value
        try:
            here.send(("answer", answer(value) if answer else None))
        except Exception as error:  # raised where it was asked
            here.send(("error", error))
    raise TooLong


def _work(work: Callable[[Ask], Any], there: Connection, seconds: int) -> None:
    """Do the work and end the process, without any clean-up of the parent's things."""

    def ask(value: Any) -> Any:
        there.send(("ask", value))
        kind, answered = there.recv()
        if kind == "error":
            raise answered
        return answered

    try:
        gc.disable()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))  # if its parent dies before it
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT):
            signal.signal(each, signal.SIG_DFL)
        try:
            there.send(("done", work(ask)))
        except Exception as error:
            there.send(("failed", error))
    finally:
        os._exit(0)


@contextmanager
def _queue(name: str, wait: float) -> Iterator[None]:
    """Be the only one on this machine with the queue of this site. Raises Busy."""
    folder = Path(settings.ARRIVALS_DIR)
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        folder = Path(tempfile.gettempdir())
    until = time.monotonic() + wait
    with (folder / f".{name}.queue").open("ab") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise Busy from None
                time.sleep(_PAUSE)
        yield

"""Tests for ops.queue_worker: the worker of the queue that is kept beside the site."""

import os
import subprocess
import sys

import pytest

from ops.paths import BASE_DIR

#: A worker of which only the watch on the other end is real.
PROGRAM = """
import signal, sys, threading
from ops.queue_worker import _end_with_the_other
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
threading.Thread(target=_end_with_the_other, daemon=True).start()
print("there", flush=True)
signal.pause()
"""


@pytest.fixture
def worker():
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=BASE_DIR,
        env=os.environ | {"PYTHONPATH": str(BASE_DIR)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"there\n"
        yield process
        process.kill()


def test_it_ends_in_peace_when_it_is_told_to(worker):
    worker.terminate()
    assert (worker.wait(20), worker.stderr.read()) == (0, b"")


def test_it_ends_when_the_other_is_gone(worker):
    worker.stdin.close()
    assert (worker.wait(20), worker.stderr.read()) == (0, b"")

"""The queue worker that the site forks: it ends when told to, and with the process that forked it."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from procrastinate.contrib.django import app
from procrastinate.exceptions import ConnectorException

from ops.paths import BASE_DIR

#: A process that forks a queue worker whose jobs never come, and prints its process id.
PROGRAM = """
import os, signal, sys, time
from types import SimpleNamespace
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from ops import queue_worker
def run_worker(**_):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(os.getpid(), flush=True)
    time.sleep(60)
queue_worker.app.run_worker = run_worker
queue_worker.connector_params = dict
parent = os.getpid()
child = os.fork()
if child == 0:
    sys.exit(queue_worker.run(parent))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture
def worker():
    """Return the process that forked the worker, and the worker."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=BASE_DIR,
        env=os.environ | {"PYTHONPATH": str(BASE_DIR), "DATABASE_URL": "postgresql://nowhere/none"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        queue = psutil.Process(int(process.stdout.readline()))
        yield process, queue
        process.kill()


def test_it_ends_in_peace_when_it_is_told_to(worker):
    process, queue = worker
    queue.terminate()
    assert (process.wait(20), process.stderr.read()) == (0, b"")


def test_ctrl_c_in_the_terminal_does_not_reach_it(worker):
    process, queue = worker
    assert os.getpgid(queue.pid) != os.getpgid(process.pid)


def test_it_ends_when_the_process_that_forked_it_is_gone(worker):
    process, queue = worker
    process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while queue.is_running() and queue.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.django_db(transaction=True)
def test_why_it_ended_is_logged_once(monkeypatch, caplog):
    async def fails(*_, **__):
        raise ConnectorException("away")

    monkeypatch.setattr("procrastinate.manager.JobManager.listen_for_jobs", fails)
    with app.replace_connector(app.connector.get_worker_connector()), ThreadPoolExecutor(1) as thread:
        running = thread.submit(app.run_worker, install_signal_handlers=False)
        running.exception(timeout=20)
    assert [record.getMessage()[:38] for record in caplog.records if record.exc_info] == [
        "Side task listener failed with excepti"
    ]

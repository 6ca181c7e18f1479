"""Clients that stop in the middle of a request, as phones do that lose their wifi."""

import os
import selectors
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from bench.own_site import free_port
from ops.paths import BASE_DIR
from ops.web_worker import PATIENCE

SERVE = "import sys; from ops.serve import Site; Site('127.0.0.1', sys.argv[1]).run()"
#: A form that Django would read to its end, to look for the token in it.
HALF_BODY = (
    f"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken={'a' * 32}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\nlogin=leia"
)
HALF_REQUEST = "GET /healthz HTTP/1.1\r\nHost: loc"


def health(port: int, timeout: float = 1) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=timeout) as response:
        return response.status


@pytest.fixture
def port(tmp_path) -> Iterator[int]:
    """The port of a site with the default settings. It has no database, which `/healthz` does not need."""
    port = free_port()
    environment = {**os.environ, "DATABASE_URL": "postgresql://nowhere/none", "SECRET_KEY": "none"}
    environment |= {"DATA_DIR": str(tmp_path), "QUEUE_WORKER": "false", "DEBUG": "true"}
    command = [sys.executable, "-c", SERVE, str(port)]
    with subprocess.Popen(command, cwd=BASE_DIR, env=environment, stdout=subprocess.PIPE, text=True) as site:
        try:
            assert "is open" in site.stdout.readline()
            assert health(port, timeout=60) == 200
            yield port
        finally:
            site.terminate()


@pytest.mark.nightly
def test_eighty_of_them_keep_nobody_waiting_and_are_closed(port):
    with ExitStack() as phones:
        stalled = []
        for words in [HALF_REQUEST, HALF_BODY] * 40:
            phone = phones.enter_context(socket.create_connection(("127.0.0.1", port)))
            phone.sendall(words.encode())
            stalled.append(phone)
        waiting = selectors.DefaultSelector()
        for phone in stalled:
            waiting.register(phone, selectors.EVENT_READ)
        until = time.monotonic() + PATIENCE + 10
        while waiting.get_map() and time.monotonic() < until:
            assert health(port) == 200  # within its timeout of a second
            for closed, _ in waiting.select(0.2):
                waiting.unregister(closed.fileobj)
        assert not waiting.get_map()

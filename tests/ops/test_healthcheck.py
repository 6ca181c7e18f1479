"""The health check of a container: what it says, and how it ends."""

import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from ops.paths import BASE_DIR


@pytest.fixture
def site():
    """A site that says what it is told to say, at a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = server.says
            self.send_response(status)
            self.end_headers()
            self.wfile.write(f"{self.path} {text}\n".encode())

        def log_message(self, *words: object) -> None:
            """Nothing: the test reads what the check says."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def checked(port: int) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "ops.healthcheck"],
        cwd=BASE_DIR,
        env=os.environ | {"PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


@pytest.mark.parametrize(
    ("says", "ends"), [((200, "ok"), (0, "/readyz ok")), ((503, "No database."), (1, "/readyz No database."))]
)
def test_it_ends_as_the_site_is(site, says, ends):
    site.says = says
    assert checked(site.server_port) == ends


def test_a_site_that_is_not_there_is_not_well(site):
    port = site.server_port
    site.server_close()
    status, text = checked(port)
    assert (status, text.startswith("The site does not answer: ")) == (1, True)

"""A server that stands where Discord would: it answers as it is told, and keeps what it was sent."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

PATH = "/api/webhooks/1234567890/Not-for-the_eyes"


class Listener:
    """What a test holds: `address` of the webhook, `answers` to come (204 when there are no more), `heard` so far.
    `bodies` and `headers` are those of push messages, which are no JSON."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.address = self.origin + PATH
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.heard: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []

    def answer(self, status: int, **headers: str) -> None:
        """Let one more message be answered so; `Retry_After` is the header of that name."""
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}))


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener on a port of its own, as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if "Content-Encoding" in self.headers:
                listener.bodies.append(body)
                listener.headers.append(dict(self.headers.items()))
            else:
                listener.heard.append(json.loads(body))
            listener.paths.append(self.path)
            status, headers = listener.answers.pop(0) if listener.answers else (204, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            """Who follows a redirection would come with this."""
            self.do_POST()

        def log_message(self, *args: Any) -> None:
            """A test says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        listener = Listener(server.server_port)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield listener
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def silence() -> Iterator[str]:
    """The address of one that takes every call and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = Event()
        calls: list[socket.socket] = []

        def take() -> None:
            while not over.is_set():
                call, _ = server.accept()
                calls.append(call)

        thread = Thread(target=take)
        thread.start()
        port = server.getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}{PATH}"
        finally:
            over.set()
            calls.append(socket.create_connection(("127.0.0.1", port)))
            thread.join()
            for call in calls:
                call.close()


def nobody() -> str:
    """An address where no one listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}{PATH}"

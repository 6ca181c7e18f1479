"""The site under gunicorn with one view more: the bare one, which everything else is compared with.

`serving` runs this module as a program, in the database and with the static files of the bench that calls it. It is
`ops.serve`'s gunicorn with its settings and the whole of the middleware; only the queue's worker is left out.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accounts.models import User

ROOT = Path(__file__).parents[1]
BARE = "/bare/"
#: A page is sent compressed, as browsers ask for it.
HEADERS = {"Accept-Encoding": "gzip", "Accept": "text/html"}
TOKEN = "speed" * 6 + "it"


def bare(request: HttpRequest) -> HttpResponse:
    """The least that a page of a signed-in reader does: the session, the user and one query."""
    from django.http import HttpResponse

    from registers.models import Register

    return HttpResponse(f"{request.user}: {Register.objects.filter(owner=request.user).count()}")


def add_bare_view() -> None:
    """Give the site of this process the bare view. Django is set up already."""
    from django.urls import path

    from config import urls

    urls.urlpatterns.insert(0, path(BARE[1:], bare))


@dataclass
class Browser:
    """Somebody's browser that keeps its connection."""

    port: int
    session: str
    site: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.site = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(
        self,
        address: str,
        *,
        sent: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        status: int = 200,
    ) -> float:
        """Ask for a page, or send a form; how many seconds it took until the last byte was here.

        Ends the bench if the answer is not of that status: whatever was measured would mean nothing.
        """
        values = HEADERS | {"Cookie": f"sessionid={self.session}; csrftoken={TOKEN}"} | dict(headers or {})
        body = None
        if sent is not None:
            values["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**sent, "csrfmiddlewaretoken": TOKEN}, doseq=True)
        start = time.perf_counter()
        try:
            self.site.request("POST" if body is not None else "GET", address, body, values)
            answer = self.site.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):  # gunicorn let an idle one go
            self.site.close()
            start = time.perf_counter()
            self.site.request("POST" if body is not None else "GET", address, body, values)
            answer = self.site.getresponse()
        answer.read()
        took = time.perf_counter() - start
        if answer.status != status:
            sys.exit(f"{address}: {answer.status} where {status} was expected")
        return took


def session_of(user: User) -> str:
    """The key of a session in which somebody has signed in."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return str(client.session.session_key)


@contextmanager
def serving(place: Path) -> Iterator[Callable[[User], Browser]]:
    """A site that serves the database of DATABASE_URL; gives a function that opens somebody's browser."""
    with started(place) as (port, _):
        yield lambda user: Browser(port, session_of(user))


@contextmanager
def started(place: Path, workers: int = 1, **settings: str) -> Iterator[tuple[int, int]]:
    """Such a site with so many workers; gives its port and the id of gunicorn's master. `settings` are more variables
    of its environment.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"PORT": str(port), "QUEUE_WORKER": "false", "WEB_CONCURRENCY": str(workers)}
    manage = [sys.executable, ROOT / "manage.py", "collectstatic", "--no-input", "--verbosity=0"]
    subprocess.run(manage, env=environment, check=True)  # noqa: S603
    log = place / "log"
    with log.open("w") as written:
        command = [sys.executable, "-m", "bench.speed_site"]
        served = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, env=environment | settings, stdout=written, stderr=written
        )
        try:
            while "is open" not in log.read_text():
                if served.poll() is not None:
                    raise RuntimeError(log.read_text())
                time.sleep(0.1)
            yield port, served.pid
        finally:
            served.terminate()
            served.wait()


def main() -> None:
    """Serve until stopped."""
    from ops.serve import Site

    class WithBareView(Site):
        """The site as it is, and one view."""

        def load(self) -> Callable[..., Any]:
            import django

            django.setup()
            add_bare_view()
            return super().load()

    WithBareView("127.0.0.1", os.environ["PORT"]).run()


if __name__ == "__main__":
    main()

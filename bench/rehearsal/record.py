"""What happened in a rehearsal: what was counted, which addresses were opened, and what went wrong."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

#: A browser that goes on to the next page breaks off what it was still asking for.
BROKEN_OFF = "net::ERR_ABORTED"
#: Its console repeats what stands among the answers and the requests that failed.
REPEATED = ("Failed to load resource", "htmx:sendError", "htmx:timeout")
#: HTMX tells the console when a newer request takes the place of an older one, as hx-sync has it.
TAKEN_OVER = ("htmx:sendAbort", "htmx:afterRequest")


@dataclass
class Record:
    """Counts by what was counted, names of addresses that answered, or were `forbidden`.

    `planned` is what somebody expects to go wrong just now: statuses of answers, and "failed" for no answer at all.
    `complaints` are what went wrong besides.
    """

    counts: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    planned: set[int | str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what is done inside, and print it."""
        began = time.monotonic()
        yield
        took = time.monotonic() - began
        print(f"{self.seconds:7.1f} s  {name} ({took:.1f} s)", flush=True)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self.began

    @contextmanager
    def expecting(self, *mishaps: int | str) -> Iterator[None]:
        """Let these statuses, or "failed" requests, pass inside."""
        before = self.planned
        self.planned = before | set(mishaps)
        try:
            yield
        finally:
            self.planned = before

    def watch(self, context: BrowserContext, who: str, home: str) -> None:
        """Take down whatever this browser is answered by the site at `home`, and what it complains of."""

        def answered(response: Response) -> None:
            if response.url.startswith(home):
                self._answered(who, response)

        def note_message(message: ConsoleMessage) -> None:
            if message.type == "error" and not message.text.startswith(REPEATED + TAKEN_OVER):
                self.complaints.append(f"{who}: the console says {message.text!r}")

        def failed(request: Request) -> None:
            if request.failure != BROKEN_OFF and "failed" not in self.planned:
                self.complaints.append(f"{who}: {request.method} {request.url} failed: {request.failure}")

        def threw(error: WebError) -> None:
            self.complaints.append(f"{who}: a script failed: {error.error}")

        context.on("response", answered)
        context.on("console", note_message)
        context.on("requestfailed", failed)
        context.on("weberror", threw)

    def answered_file(self, path: str) -> None:
        """Take down that there is a file at that address."""
        self.opened[name_of(urlsplit(path).path)] += 1

    def _answered(self, who: str, response: Response) -> None:
        path, status = urlsplit(response.url).path, response.status
        if status >= 400 and status not in self.planned:
            self.complaints.append(f"{who}: {response.request.method} {path} came back with {status}")
        elif status < 400:
            self.opened[name_of(path)] += 1
        elif status == 403:
            self.forbidden.add(name_of(path))
        elif status == 422:
            self.counts["refusals"] += 1


def name_of(path: str) -> str:
    """The name of that address, as `reverse` takes it; of a file, or where there is nothing, none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""

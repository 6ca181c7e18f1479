"""The people of `bench/event_load.py`, for locust: players, an organizer, visitors and the projector of an event.

Players show "My table", poll it as often as the page says until it has changed, report the result of their game at a
moment of their own, and confirm what their opponent has reported. The organizer takes the steps of the console, enters
what is missing, and ends the run. Every run has the same results (`figures`). At the end `noticed` in the directory of
the plan has what `NOTES` says.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from html import unescape
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, ClassVar
from urllib.parse import urlencode

import gevent
from locust import FastHttpUser, events, task
from locust.exception import StopUser

from bench.event_load import BARE, UNCONFIRMED, UNREPORTED, figures
from bench.forms import FORM

#: As in static/js/polls.js: by how much a pause varies, how many times it is doubled, and when an answer was slow.
JITTER, MOST, SLOW = 0.2, 4, 1.0
#: Seconds between two looks of the organizer and of a visitor (data-poll of their pages).
CONSOLE, PAIRINGS, PROJECTOR = 10, 20, 10
PLAN: dict[str, Any] = json.loads(Path(os.environ["EVENT_PLAN"]).read_text())
EVENT = f"/events/{PLAN['event']}/"
#: Seconds in which the results of a round come in, and until most pages have noticed what has happened.
WINDOW, NOTICED = float(PLAN["window"]), float(PLAN["noticed"])
TOKEN = "phone" * 6 + "it"
RANDOM = Random(1)  # noqa: S311 - chance that guards no secret
#: Seconds from the publication of a round until a player's page shows it, bytes over the wire after their first page,
#: the milliseconds of the first page of a round, and where the seconds went (`Player.why`); when each round was
#: published.
NOTES: dict[str, list[Any]] = {"seen": [], "bytes": [], "tables": [], "why": []}
PUBLISHED: dict[int, float] = {}
VERSION = re.compile(r'If-None-Match&quot;: &quot;\\&quot;(\w+)|If-None-Match": "\\"(\w+)')
POLLED = re.compile(r'me/" data-poll="([\d.]+)"')


class Somebody(FastHttpUser):
    """A person with a browser. `session` is that of an account, empty for a reader without one."""

    abstract = True
    session = ""
    #: Bytes of the bodies that came, as they were sent.
    took = 0

    @property
    def cookies(self) -> dict[str, str]:
        """The headers that each request of this browser has."""
        return {"Cookie": f"sessionid={self.session}; csrftoken={TOKEN}", "Accept-Encoding": "gzip"}

    def read(self, address: str, name: str, headers: dict[str, str] | None = None) -> str:
        """Load a page and return it, each element with its attributes on one line; empty if that failed."""
        with self._get(address, name, headers) as answer:
            return " ".join((answer.text or "").split()) if answer.status_code == 200 else ""

    def polled(self, address: str, name: str, headers: dict[str, str]) -> Any:
        """Poll a page and return the answer. A 204 or 304, which means no news, is no failure."""
        words = {**headers, "X-Poll": "true", "HX-Request": "true"}
        with self._get(address, f"{name}: poll without news", words) as answer:
            if answer.status_code == 200:
                answer.request_meta["name"] = f"{name}: poll with news"
            if answer.status_code in (200, 204, 304):
                answer.success()
            return answer

    def _get(self, address: str, name: str, headers: dict[str, str] | None) -> Any:
        all_headers = self.cookies | (headers or {})
        answer = self.client.get(address, headers=all_headers, name=name, catch_response=True, allow_redirects=False)
        self.took += int(answer.headers.get("Content-Length") or 0) if answer.headers else 0
        return answer

    def send(self, address: str, name: str, **fields: object) -> bool:
        """Send a form; return whether it was taken, which is answered by leading on to another page."""
        with self.client.post(
            address,
            data=urlencode({**fields, "csrfmiddlewaretoken": TOKEN}),
            headers=self.cookies | {"Content-Type": FORM},
            name=name,
            catch_response=True,
            allow_redirects=False,
        ) as answer:
            if answer.status_code == 302:
                answer.success()
                return True
            answer.failure(f"{address}: {answer.status_code} where 302 was expected")
            return False


def field(page: str, name: str) -> str:
    """Return the value of a hidden field of a page. Raises LookupError if it has none."""
    for tag in re.findall(r"<input\b[^>]*>", page):
        if f'name="{name}"' in tag and (found := re.search(r'value="([^"]*)"', tag)):
            return unescape(found[1])
    raise LookupError(name)


def answers(page: str, table: int, number: int) -> dict[str, object]:
    """Return what is entered into the form for the result at a table in round `number`."""
    one, other = figures(number, table)
    keys = list(dict.fromkeys(re.findall(r'name="winner"[^>]*?value="(\d+)"', page)))
    if page.index('name="second_points"') < page.index('name="first_points"'):  # the reader comes first
        keys.reverse()
    return {
        "version": field(page, "version"), "how": "victory", "winner": keys[0] if one[1] > other[1] else keys[1],
        "first_points": one[0], "first_tokens": one[1], "second_points": other[0], "second_tokens": other[1],
    }  # fmt: skip


class Player(Somebody):
    """A player at a table, with an account or with a personal link."""

    waiting: ClassVar = cycle(PLAN["players"])

    def on_start(self) -> None:
        """Open the page of one's own."""
        known = next(self.waiting)
        self.session = known.get("session", "")
        if link := known.get("link"):
            self.send(link, "personal link")
            self.session = next(each.value for each in self.client.cookiejar if each.name == "sessionid")
        self.strain, self.delay, self.due, self.round, self.version, self.pause = 1, 0.0, 0.0, 0, "", PLAN["poll"]
        self.shown = 0
        self.asked: list[tuple[float, float, int]] = []
        self.load()
        self.took = 0
        gevent.sleep(RANDOM.uniform(0, self.pause))

    def on_stop(self) -> None:
        """Note what the page of one's own took."""
        NOTES["bytes"].append(self.took)

    def wait_time(self) -> float:
        """Return the seconds until the next poll, as polls.js reckons them."""
        return (self.delay or self.pause * self.strain) * RANDOM.uniform(1 - JITTER, 1 + JITTER)

    def load(self) -> None:
        """Load the page."""
        self.show(self.read(f"{EVENT}me/", "my table"))

    def show(self, page: str) -> None:
        """Keep what there is to do on a page."""
        found = VERSION.search(page)
        self.version = (found[1] or found[2]) if found else ""
        self.page = page
        table = re.search(r'table-ticket__number num">(\d+)', page)
        number = re.search(r'table-ticket__round">\D*(\d+)', page)
        self.table = int(table[1]) if table else 0
        if pause := POLLED.search(page):
            self.pause = float(pause[1])
        if number and int(number[1]) != self.shown:
            self.shown = int(number[1])
            if self.shown in PUBLISHED:
                NOTES["seen"].append(time.monotonic() - PUBLISHED[self.shown])
                NOTES["why"].append(self.why(PUBLISHED[self.shown]))
        if number and int(number[1]) != self.round and "clock--running" in page:
            self.round = int(number[1])
            self.due = time.monotonic() + RANDOM.uniform(0, WINDOW)

    def why(self, since: float) -> dict[str, float]:
        """Return the seconds since a publication that this phone waited: its own pause, the pause after it was put off
        (204) or after a slow answer, and for answers; and how often it was put off.
        """
        found = dict.fromkeys(["pause", "put off", "slow", "answers", "times put off"], 0.0)
        end, reason = since, "pause"
        for sent, answered, status in self.asked:
            found[reason] += max(0.0, sent - end)
            found["answers"] += max(0.0, answered - max(sent, since))
            end = max(end, answered)
            reason = "put off" if status == 204 else "slow" if answered - sent > SLOW else "pause"
            found["times put off"] += status == 204 and answered > since
        return found

    @task
    def look(self) -> None:
        """Poll the player's page, and report or confirm if it is time."""
        began = time.monotonic()
        answer = self.polled(f"{EVENT}me/", "my table", {"If-None-Match": f'"{self.version}"'})
        self.asked = [*self.asked[-15:], (began, time.monotonic(), answer.status_code)]
        self.delay = float(answer.headers.get("Retry-After") or 0)
        slow = self.delay or time.monotonic() - began > SLOW or not 0 < answer.status_code < 500
        self.strain = min(MOST, self.strain * 2) if slow else max(1, self.strain // 2)
        if answer.headers.get("HX-Refresh"):
            self.load()
        elif answer.status_code == 200:
            before = self.shown
            self.show(" ".join((answer.text or "").split()))
            if self.shown != before:
                NOTES["tables"].append(1000 * (time.monotonic() - began))
        if not self.table or self.round == 0:
            return
        if 'id="confirm"' in self.page and self.table % UNCONFIRMED[0] != UNCONFIRMED[1]:
            if self.send(f"{EVENT}me/confirm/", "confirm", game=self.sent("game"), version=self.sent("version")):
                self.load()
        elif self.is_open and time.monotonic() >= self.due and self.table % UNREPORTED[0] != UNREPORTED[1]:
            self.report()

    def sent(self, name: str) -> str:
        """Return a field of the form that confirms."""
        return field(self.page[self.page.index('id="confirm"') :], name)

    @property
    def is_open(self) -> bool:
        """Whether nobody has reported a result yet."""
        return "clock--running" in self.page and f'class="button" href="{EVENT}me/setup/"' in self.page

    def report(self) -> None:
        """Report the result, and see it on one's page."""
        form = self.read(f"{EVENT}me/report/", "form of a report")
        # Without a form the opponent was quicker, and both have entered the same.
        if form:
            entered = answers(form, self.table, self.round)
            self.send(f"{EVENT}me/report/", "report", game=field(form, "game"), **entered)
        self.load()


class Visitor(Somebody):
    """Somebody without an account who follows the pairings, and looks at the standings now and then."""

    fixed_count = PLAN["visitors"]
    seen = ""

    def on_start(self) -> None:
        """Come at a moment of one's own."""
        gevent.sleep(RANDOM.uniform(0, PAIRINGS))

    def wait_time(self) -> float:
        """Return the pause of a page of pairings."""
        return PAIRINGS * RANDOM.uniform(1 - JITTER, 1 + JITTER)

    @task
    def look(self) -> None:
        """Poll the pairings, and look at the standings."""
        if self.seen:
            answer = self.polled(self.seen, "pairings", {})
            page = (answer.text or "") if answer.status_code == 200 else ""
        else:
            page = self.read(f"{EVENT}pairings/", "pairings")
        if found := re.search(r'hx-get="([^"]+)" data-poll="20"', page):
            self.seen = unescape(found[1])
        self.read(f"{EVENT}standings/", "standings")


class Projector(Somebody):
    """The screen in the hall."""

    fixed_count = 1
    seen = ""

    def wait_time(self) -> float:
        """Return the pause of the projector."""
        return PROJECTOR * RANDOM.uniform(1 - JITTER, 1 + JITTER)

    @task
    def look(self) -> None:
        """Poll the projector."""
        if self.seen:
            answer = self.polled(self.seen, "projector", {})
            page = (answer.text or "") if answer.status_code == 200 else ""
        else:
            page = self.read(f"{EVENT}projector/", "projector")
        if found := re.search(r'hx-get="([^"]+projector[^"]+)" data-poll="10"', page):
            self.seen = unescape(found[1])


class Idle(Somebody):
    """Somebody who asks for the bare view each second: what the machine is worth just then."""

    fixed_count = 1
    session = PLAN["organizer"]

    def wait_time(self) -> float:
        """Return a second."""
        return 1.0

    @task
    def look(self) -> None:
        """Load the bare view."""
        self.read(BARE, "bare view")


class Organizer(Somebody):
    """The organizer, who takes one step of the console after the other."""

    fixed_count = 1
    session = PLAN["organizer"]
    console = f"{EVENT}console/"

    @task
    def run_event(self) -> None:
        """Play all rounds once everybody is there, and end the run."""
        try:
            ALL_THERE.wait()
            for number in range(1, PLAN["rounds"] + 1):
                self.play(number)
            self.read(f"{EVENT}standings/", "standings")
        finally:
            gevent.spawn(self.environment.runner.quit)  # not in here: it ends this greenlet, too
        raise StopUser

    def step(self, step: str, number: int, name: str) -> None:
        """Look at the console, and press the button of a step."""
        page = self.read(self.console, "console")
        if f'name="step" value="{step}"' not in page:
            raise LookupError(f"The console does not offer {step} in round {number}")
        action = f"{EVENT}rounds/{number}/draw/" if step == "draw" else f"{self.console}act/"
        self.send(action, name, what="step", step=step, round=number)

    def play(self, number: int) -> None:
        """Play one round."""
        self.step("draw", number, "draw a round")
        address = f"{EVENT}rounds/{number}/draft/"
        draft = self.read(address, "draft")
        PUBLISHED[number] = time.monotonic()
        self.send(
            address, "publish a round", do="publish", version=field(draft[draft.index('id="publish"') :], "version")
        )
        gevent.sleep(NOTICED)
        self.step("start_clock", number, "start the clock")
        self.watch(WINDOW + 2 * NOTICED)
        for game in self.missing():
            self.enter(game, number)
        self.step("close", number, "close a round")
        gevent.sleep(NOTICED)

    def watch(self, seconds: float) -> None:
        """Keep the console open for so long."""
        until = time.monotonic() + seconds
        version = VERSION.search(self.read(self.console, "console"))
        while time.monotonic() < until:
            gevent.sleep(min(CONSOLE, max(0.0, until - time.monotonic())))
            tag = f'"{version[1] or version[2]}"' if version else ""
            headers = {"If-None-Match": tag, "HX-Target": "now"}
            answer = self.polled(self.console, "console", headers)
            if answer.status_code == 200:
                version = VERSION.search(answer.text or "")

    def missing(self) -> Iterator[str]:
        """Yield the addresses of games without a confirmed result."""
        page = self.read(self.console, "console")
        yield from dict.fromkeys(re.findall(rf'href="({EVENT}rounds/\d+/games/\d+/)"', page))

    def enter(self, address: str, number: int) -> None:
        """Enter the result of a game, or confirm what a player has reported."""
        page = self.read(address, "form of a result")
        if 'value="confirm"' in page:
            self.send(address, "confirm by the organizer", do="confirm", version=field(page, "version"))
            return
        table = re.search(r"table (\d+) ?</p>", page)
        if not table:
            raise LookupError(f"{address} names no table")
        self.send(address, "result by the organizer", do="save", **answers(page, int(table[1]), number))


@events.quitting.add_listener
def _note(**_more: object) -> None:
    Path(os.environ["EVENT_PLAN"]).with_name("noticed").write_text(json.dumps(NOTES))


ALL_THERE = gevent.event.Event()


@events.spawning_complete.add_listener
def _all_are_there(**_more: object) -> None:
    ALL_THERE.set()

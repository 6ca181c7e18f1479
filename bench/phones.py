"""The phones of `bench/load.py`, for locust: each shows its side of a sequence, polls for news every four seconds, less
often while the server is slow, and answers when it is its turn.

Answers are wanted at an even pace, of whichever phone shows a question just then. What is filled in is chance's: some
of it the rules refuse, and the phone tries again later.
"""

import json
import os
import re
import time
from html import unescape
from itertools import cycle
from pathlib import Path
from random import Random
from typing import ClassVar
from urllib.parse import urlencode

import gevent
from locust import FastHttpUser, task

from bench.forms import FORM, Sent, forms_of

#: As in static/js/polls.js: the pause between two polls in seconds, by how much it varies, at most how many times it is
#: doubled or quadrupled, and after how long an answer counts as slow.
EVERY, JITTER, MOST, SLOW = 4, 0.2, 4, 1.0
PHONES = json.loads(Path(os.environ["PHONES"]).read_text())
ANSWERS = float(os.environ["ANSWERS"])  # a second
TOKEN = "phone" * 6 + "it"
OF_FORMS = re.compile(r"</?(?:form|input|select|option|button|textarea)\b[^>]*>")
ASKS = re.compile(r'id="other-side"[^>]*?hx-get="([^"]+)"[^>]*?hx-headers="([^"]+)"')
RANDOM = Random(1)  # noqa: S311 - chance that guards no secret


class Phone(FastHttpUser):
    """A phone at a table."""

    waiting: ClassVar = cycle(PHONES)
    due: ClassVar[float] = 0.0

    def on_start(self) -> None:
        """Show the page that was open already."""
        phone = next(self.waiting)
        self.address = phone["address"]
        self.headers = {"Cookie": f"sessionid={phone['session']}; csrftoken={TOKEN}", "HX-Request": "true"}
        self.show(phone["page"])
        self.strain, self.delay = 1, 0.0
        gevent.sleep(RANDOM.uniform(0, EVERY))

    def wait_time(self) -> float:
        """Return the seconds until the next poll, as polls.js reckons them."""
        return (self.delay or EVERY * self.strain) * RANDOM.uniform(1 - JITTER, 1 + JITTER)

    def took(self, seconds: float, status: int, retry_after: str | None) -> None:
        """Back off after a slow or failed poll, and come back after a quick one."""
        self.delay = float(retry_after or 0)
        slow = self.delay or seconds > SLOW or not 0 < status < 500
        self.strain = min(MOST, self.strain * 2) if slow else max(1, self.strain // 2)

    @task
    def look(self) -> None:
        """Ask what is new, and answer if an answer is due."""
        if self.asks:
            self.poll()
        now = time.monotonic()
        Phone.due = max(Phone.due, now - 1)
        if self.sent and Phone.due <= now:
            Phone.due += 1 / ANSWERS
            self.answer(self.sent)

    def poll(self) -> None:
        """Nothing new mostly; or the line of the other side, or one's own page."""
        headers = self.headers | self.tag | {"X-Poll": "true"}
        began = time.monotonic()
        with self.client.get(self.asks, headers=headers, name="a poll without news", catch_response=True) as answer:
            self.took(time.monotonic() - began, answer.status_code, answer.headers.get("Retry-After"))
            if answer.status_code == 200:
                answer.request_meta["name"] = "a poll with news"
                self.show(answer.text or "", all_of_it="HX-Retarget" in answer.headers)
            if answer.status_code in (200, 204, 304):
                answer.success()

    def answer(self, sent: Sent) -> None:
        """Post the form; the answer is the page as it is then."""
        form = [(name, value) for name, value in sent if name != "csrfmiddlewaretoken"]
        with self.client.post(
            self.address,
            data=urlencode([*form, ("csrfmiddlewaretoken", TOKEN)]),
            headers=self.headers | {"Content-Type": FORM},
            name="an answer",
            catch_response=True,
        ) as answer:
            if answer.status_code == 422:
                answer.request_meta["name"] = "an answer that the rules refuse"
                answer.success()
            if answer.status_code in (200, 422):
                self.show(answer.text or "")

    def show(self, page: str, *, all_of_it: bool = True) -> None:
        """Keep of a page what the phone does next: what it polls, and a form that it may send."""
        asks = ASKS.search(page)
        self.asks = unescape(asks[1]) if asks else ""
        self.tag = json.loads(unescape(asks[2])) if asks else {}
        if all_of_it:
            forms = [form for form in forms_of("".join(OF_FORMS.findall(page))) if form.name in ("app", "answer")]
            self.sent = RANDOM.choice(forms).filled(RANDOM) if forms else []

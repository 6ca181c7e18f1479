"""The phones of `bench/load.py`, for locust: each shows its side of a sequence, asks every four seconds whether there
is anything new, and answers when it is its turn.

Answers are wanted at an even pace, of whichever phone shows a question just then. What is filled in is chance's: some
of it the rules refuse, and the phone tries again later.
"""

from __future__ import annotations

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

EVERY = 4  # seconds
PHONES = json.loads(Path(os.environ["PHONES"]).read_text())
ANSWERS = float(os.environ["ANSWERS"])  # a second
TOKEN = "phone" * 6 + "it"
OF_FORMS = re.compile(r"</?(?:form|input|select|option|button|textarea)\b[^>]*>")
ASKS = re.compile(r'id="other-side" hx-get="([^"]+)".*?hx-headers="([^"]+)"')
RANDOM = Random(1)  # noqa: S311 - chance that guards no secret


class Phone(FastHttpUser):
    """A phone at a table."""

    waiting: ClassVar = cycle(PHONES)
    due: ClassVar[float] = 0.0

    def on_start(self) -> None:
        """Show the page that was open already."""
        phone = next(self.waiting)
        self.address = phone["address"]
        self.said = {"Cookie": f"sessionid={phone['session']}; csrftoken={TOKEN}", "HX-Request": "true"}
        self.show(phone["page"])
        self.began = time.monotonic() - RANDOM.uniform(0, EVERY)
        gevent.sleep(self.wait_time())

    def wait_time(self) -> float:
        """Seconds to the next beat of its own: a page asks at even times, however long an answer took. (Locust's own
        pacing lets phones that once waited for each other ask at the same moment ever after.)"""
        return EVERY - (time.monotonic() - self.began) % EVERY

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
        with self.client.get(
            self.asks, headers=self.said | self.tag, name="a poll without news", catch_response=True
        ) as answer:
            if answer.status_code == 200:
                answer.request_meta["name"] = "a poll with news"
                self.show(answer.text or "", all_of_it="HX-Retarget" in answer.headers)
            if answer.status_code in (200, 304):
                answer.success()

    def answer(self, sent: Sent) -> None:
        """Post the form; the answer is the page as it is then."""
        form = [(name, value) for name, value in sent if name != "csrfmiddlewaretoken"]
        with self.client.post(
            self.address,
            data=urlencode([*form, ("csrfmiddlewaretoken", TOKEN)]),
            headers=self.said | {"Content-Type": FORM},
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
            forms = [
                form for form in forms_of("".join(OF_FORMS.findall(page))) if form.name in ("app", "answer")
            ]
            self.sent = RANDOM.choice(forms).filled(RANDOM) if forms else []

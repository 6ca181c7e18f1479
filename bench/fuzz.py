"""Nonsense for every form and every parameter of every address, as everybody: nothing may answer with an error.

    .venv/bin/python bench/fuzz.py --seconds 60 --seed 1

lays a world of its own (that of the test of permissions) into a database that is removed at the end, walks the URL
configuration and the links of its pages, and sends what their forms offer and their views look for, a little or
altogether otherwise. The exit status is 1 if an answer was a 500 or took too long, or if afterwards the rows of a
Register were not the sum of its ledger. Prints the smallest request that still shows each fault.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.asks import FILES, HEADERS, Ask
from bench.forms import SOMETHING, Form, Sent, forms_of
from bench.nonsense import changed, word
from bench.own_site import own_site

if TYPE_CHECKING:
    from accounts.models import User
    from bench.watched import Asked
    from tests.world import Address, World

ROOT = Path(__file__).parents[1]
#: Who asks, those more often who may more; the admin is asked by the staff.
ROLES = (*("owner", "organizer") * 4, "opponent", "opponent", "stranger", "anonymous")
#: Forms that stand on each page.
EVERYWHERE = ("/theme/", "/logout/")
#: Seconds of this process that an answer may take, the making of a PDF apart.
LONGEST = 5
HTMX = {"HX-Request": "true"}
#: What each request passes through.
PASSING = re.compile(r"/(\.venv|bench|config)/")
LINK = re.compile(r'(?:href|hx-get|src)="(/[^"#]*)')


@dataclass(frozen=True)
class Answer:
    """What came of it: the status (500: an error that nobody caught), its page, and what is wrong, by a short name."""

    status: int
    page: str
    asked: Asked | None
    wrong: str = ""
    details: str = ""


@dataclass
class Fuzz:
    """Sends nonsense to the site of a world; `found` is what was wrong: its short name to the least request
    and a text."""

    world: World
    random: Random
    found: dict[str, tuple[Ask, str]] = field(default_factory=dict)
    counted: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    forms: list[str] = field(default_factory=list)  # pages with forms of their own, those of a moment ago
    lists: list[str] = field(default_factory=list)  # what may be pasted
    files: list[tuple[str, bytes]] = field(default_factory=lambda: list(FILES))

    def __post_init__(self) -> None:
        from bench.watched import WatchedSite

        self.site = WatchedSite(enforce_csrf_checks=False)
        self.cookies = {role: _cookies(self.world.people.get(role)) for role in {*ROLES, "staff"}}
        self.words: list[str] = []  # values that a page somewhere offers

    # --- One address ----------------------------------------------------------------------------------------------

    def visit(self, path: str, role: str, *, gets: int = 2, posts: int = 2, keep: bool = False) -> list[str]:
        """Open a page, ask for it with other parameters, and send its forms. `keep`: acts that succeed are not taken
        back. The links of the page come back."""
        path, _, query = path.partition("?")
        plain = Ask(role, "GET", path, tuple(parse_qsl(query, keep_blank_values=True)))
        page = self.ask(plain)
        links = [unescape(link) for link in LINK.findall(page.page)]
        offered = [pair for link in links for pair in parse_qsl(urlsplit(link).query, keep_blank_values=True)]
        for _ in range(gets):
            self.ask(self._bent(plain, self._query(plain, page, offered)))
        forms = [form for form in forms_of(page.page) if not form.action.endswith(EVERYWHERE)]
        if page.status == 405 or self.random.random() < 0.05:
            forms.append(Form(""))
        if forms and page.status == 200 and path not in self.forms:
            self.forms = [*self.forms[-60:], path]
        for form in self.random.sample(forms, min(len(forms), posts)):
            to, _, query = (form.action or path).partition("?")
            act = replace(plain, method="POST", path=to, query=tuple(parse_qsl(query) if form.action else plain.query))
            if not to.startswith("/"):
                continue
            self._send_form(act, form, keep=keep)
        return links

    def _send_form(self, act: Ask, form: Form, *, keep: bool, further: int = 3) -> None:
        """Send it otherwise than it is meant; with `keep` at times as it is meant, and then what it leads to."""
        if keep and self.random.random() < 0.5:
            answer = self.ask(replace(act, fields=tuple(form.filled(self.random))), keep=True)
        else:
            answer = self.ask(self._filled(act, form), keep=keep)
        there = [each for each in forms_of(answer.page) if each.action in ("", act.path)]
        if keep and further and there and answer.status in (200, 422):
            self._send_form(act, self.random.choice(there), keep=True, further=further - 1)

    def _query(self, plain: Ask, page: Answer, offered: Sent) -> Ask:
        """Other parameters: what the view looked for, with what pages offer, with nonsense, twice, or none."""
        names = sorted(page.asked.GET if page.asked else ()) or ["page"]
        pairs = [*plain.query, *(self.random.sample(offered, min(len(offered), 2)))]
        pairs += [(name, self._value(pairs, name)) for name in names if self.random.random() < 0.6]
        return replace(plain, query=tuple(self._shuffled(pairs)))

    def _filled(self, act: Ask, form: Form) -> Ask:
        """The form with one or a few fields otherwise, and with what its view looks for besides."""
        sent = [
            (name, self.random.choice(self.lists) if value == SOMETHING and self.lists else value)
            for name, value in form.filled(self.random)
        ]
        known = {name for name, _ in form.fields}
        first = self.ask(replace(act, fields=tuple(sent)))
        if first.asked:
            more = sorted(first.asked.POST - known - {"csrfmiddlewaretoken"})
            sent += [(name, self._value(sent, name)) for name in more if self.random.random() < 0.5]
            files = sorted(first.asked.FILES)
            act = replace(act, files=tuple((name, *self._file()) for name in files))
        return self._bent(act, replace(act, fields=tuple(self._shuffled(sent))))

    def _file(self) -> tuple[str, bytes]:
        """One of those that are none, or one that is, with a byte of it changed at times."""
        name, content = self.random.choice(self.files)
        if content and self.random.random() < 0.3:
            at = self.random.randrange(len(content))
            content = content[:at] + self.random.randbytes(1) + content[at + 1 :]
        return name, content

    def _shuffled(self, sent: Sent) -> Sent:
        """A few of the fields otherwise, some left out, doubled, or under another name."""
        random, sent = self.random, list(sent)
        for _ in range(min(random.choice((0, 1, 1, 1, 2, 3, 8)), len(sent))):
            at = random.randrange(len(sent))
            name, value = sent[at]
            match random.randrange(12):
                case 0:
                    del sent[at]
                case 1:
                    sent.insert(at, (name, self._value(sent, name)))
                case 2:
                    sent[at] = (
                        random.choice((name + word(random)[:200], name[:-1], f"{name}-0", name.replace("0", "-1"))),
                        value,
                    )
                case _:
                    sent[at] = (name, changed(random, value) if random.random() < 0.7 else self._value(sent, name))
            if not sent:
                break
        return sent

    def _value(self, sent: Sent, name: str) -> str:
        """For a field: what it has, what another has, what some page offers, or nonsense."""
        pool = [value for _, value in sent] if self.random.random() < 0.3 else self.words
        return self.random.choice(pool) if pool and self.random.random() < 0.5 else word(self.random)

    def _bent(self, plain: Ask, ask: Ask) -> Ask:
        """Now and then as HTMX asks, with odd headers, or at an address that is a little otherwise."""
        random, headers = self.random, dict(HTMX) if self.random.random() < 0.4 else {}
        for _ in range(random.choice((0, 0, 0, 1, 2))):
            headers[random.choice(HEADERS)] = re.sub(r"[\r\n]|[^\x00-\xff]", "", word(random))[:2_000]
        path = plain.path
        if random.random() < 0.12 and (parts := [each for each in path.split("/") if each]):
            at = random.randrange(len(parts))
            parts[at] = (changed(random, parts[at]) if random.random() < 0.7 else random.choice(self.words or ["x"]))[
                :500
            ]
            path = f"/{'/'.join(parts)}/"
        return replace(ask, path=path, headers=tuple(headers.items()))

    # --- Asking ---------------------------------------------------------------------------------------------------

    def ask(self, ask: Ask, *, keep: bool = False) -> Answer:
        """Send it; undo what it did unless that is to be kept. Something wrong is noted, in its least form."""
        answer = self._send(ask, keep=keep)
        self.counted[f"{ask.method} {answer.status}"] += 1
        for form in forms_of(answer.page):
            self.words += [value for _, values in form.fields for value in values if value][:40]
            self.words += [value for _, value in form.buttons if value][:10]
        if len(self.words) > 2_000:
            self.words = self.random.sample(self.words, 1_000)
        if answer.wrong and answer.wrong not in self.found:
            self.found[answer.wrong] = (ask, answer.details)
            least = self._least(ask, answer.wrong)
            self.found[answer.wrong] = (least, answer.details)
        return answer

    def _send(self, ask: Ask, *, keep: bool = False) -> Answer:
        from django.db import connection, transaction

        wrong = details = ""
        began, response, status, page = time.process_time(), None, 500, ""
        with transaction.atomic():
            try:
                response = self.site(self._environ(ask))
                body = b"".join(response.streaming_content) if response.streaming else response.content
                status, page = response.status_code, body.decode(errors="replace")
            except Exception as error:
                wrong, details = _named(error), "".join(traceback.format_exception(error))
            seconds = time.process_time() - began
            if status >= 500 and not wrong and not (status == 503 and response and "Retry-After" in response):
                wrong, details = f"{status} of {ask.path}", page[:500]
            if not wrong and ask.method == "POST" and status < 400:
                try:
                    connection.check_constraints()
                    wrong = "; ".join(_out_of_balance())
                except Exception as error:
                    wrong, details = _named(error), "".join(traceback.format_exception(error))
            if wrong or not (keep and status < 400) or ask.path.startswith("/accounts/"):
                transaction.set_rollback(True)
        if seconds > self.slowest[0]:
            self.slowest = (seconds, f"{ask.method} {ask.address:.100}")
        if not wrong and seconds > LONGEST and "pdf" not in ask.address:
            wrong = f"slow: {re.sub(r'[0-9a-f-]{36}', '…', ask.path)}"
        return Answer(status, page, response.wsgi_request.asked if response else None, wrong, details)

    def _environ(self, ask: Ask) -> dict[str, Any]:
        from django.test import RequestFactory

        requests = RequestFactory()
        requests.cookies = self.cookies[ask.role]
        body, kind = ask.body()
        headers = dict(ask.headers)
        environ = requests.generic(ask.method, ask.address, body, content_type=kind, headers=headers).environ
        # Making a request of it has left the path decoded, which no server does.
        return {**environ, "PATH_INFO": environ["PATH_INFO"].encode().decode("latin-1")}

    def _least(self, ask: Ask, wrong: str) -> Ask:
        """The request without all that it does not take."""
        until = time.monotonic() + 20
        for part in ("headers", "files", "query", "fields"):
            at = 0
            while at < len(whole := getattr(ask, part)) and time.monotonic() < until:
                less = replace(ask, **{part: whole[:at] + whole[at + 1 :]})
                if self._send(less).wrong == wrong:
                    ask = less
                else:
                    at += 1
        return ask

    # --- Many of them ---------------------------------------------------------------------------------------------

    def episode(self, addresses: Sequence[Address], *, visits: int = 15) -> None:
        """Somebody walks about and what succeeds is kept, until all of it is undone."""
        from django.db import transaction

        with transaction.atomic():
            links: list[str] = []
            for _ in range(visits):
                role = "staff" if self.random.random() < 0.08 else self.random.choice(ROLES)
                links = [*links[-200:], *self.visit(self._next(addresses, role, links), role, gets=1, keep=True)]
            transaction.set_rollback(True)

    def _next(self, addresses: Sequence[Address], role: str, links: Sequence[str]) -> str:
        """Where to go: to some address, where a page leads, or where there was a form."""
        theirs = [each for each in addresses if each.route.startswith("admin/") == (role == "staff")]
        paths = [link for link in links if not link.startswith(("/static/", "/admin/", "/accounts/"))]
        if role == "staff" or self.random.random() < 0.4:
            paths = [self.random.choice(theirs).filled(self.world)]
        elif self.forms and self.random.random() < 0.6:
            paths = self.forms
        return self._elsewhere(self.random.choice(paths or ["/"]))

    def _elsewhere(self, path: str) -> str:
        """Return this page of another battle or side."""
        battles = {str(battle.pk) for battle in self.world.battles.values()}
        status = self.random.choice(sorted(self.world.battles))
        for known in battles:
            path = path.replace(known, str(self.world.battles[status].pk))
        return re.sub(r"^/sides/\d+/", f"/sides/{self.world.side(status).pk}/", path)


def _named(error: BaseException) -> str:
    """An error by its type and the last place of ours that it came through, or else of a library."""
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    ours = [place for place in places if place.startswith(str(ROOT)) and not PASSING.search(place)]
    return f"{type(error).__name__} at {(ours or places)[-1].removeprefix(f'{ROOT}/').rpartition('site-packages/')[2]}"


def _out_of_balance() -> Iterator[str]:
    from registers.ledger.verification import audit
    from registers.models import Register

    for register, _, differences in audit(list(Register.objects.order_by("pk"))):
        yield from (f"books of {register.name}: {difference}" for difference in differences)


def _cookies(user: User | None) -> Any:
    """A browser of somebody who has just typed their password."""
    from django.test import Client

    client = Client()
    if user:
        client.force_login(user)
        session = client.session
        session["account_authentication_methods"] = [{"method": "password", "at": time.time() + 10**6}]
        session.save()
    return client.cookies


@contextmanager
def undisturbed(*, printed: bool = False) -> Iterator[None]:
    """Rate limits are off, and refusals fill no log. PDFs are made only if they are to be
    `printed`."""
    from unittest.mock import patch

    from django.test import override_settings

    quiet = override_settings(ACCOUNT_RATE_LIMITS=False, DEBUG_PROPAGATE_EXCEPTIONS=True)
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with quiet, ExitStack() as unprinted:
            for place in () if printed else ("core.pdf.to_pdf",):
                unprinted.enter_context(patch(place, return_value=b"%PDF-1.7"))
            yield
    finally:
        logging.disable(before)


def run(seconds: float, seed: int) -> Fuzz:
    """Lay a world into our database, and send nonsense to it for so many seconds."""
    from django.conf import settings
    from django.core.management import call_command

    from lists.exporting import WRITERS
    from tests.campaign.archive.files import file_of
    from tests.uploads.photos import photo
    from tests.world import addresses, make_world

    call_command("load_catalogue", verbosity=0)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    world = make_world()
    fuzz = Fuzz(world, Random(seed))  # noqa: S311
    fuzz.files += [("a.zip", file_of(world.campaign)), ("a.jpg", photo())] * 3
    shelf = f"/registers/{world.register.pk}/list/"
    fuzz.lists = [fuzz.ask(Ask("owner", "GET", f"{shelf}{which}/")).page for which in WRITERS]
    site = list(addresses())
    until = time.monotonic() + seconds
    with undisturbed():
        while time.monotonic() < until:
            fuzz.episode(site)
    return fuzz


def main() -> int:
    """Run it, and tell what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with own_site("fuzz"):
        fuzz = run(options.seconds, options.seed)
    for kind, count in sorted(fuzz.counted.items()):
        print(f"{kind}: {count}")
    print(f"slowest: {fuzz.slowest[0]:.1f} s, {fuzz.slowest[1]}")
    for wrong, (least, details) in fuzz.found.items():
        print(f"\n--- {wrong}\n{least}\n{details[-3_000:]}")
    print(f"\n{sum(fuzz.counted.values())} requests, {len(fuzz.found)} things wrong")
    return 1 if fuzz.found else 0


if __name__ == "__main__":
    sys.exit(main())

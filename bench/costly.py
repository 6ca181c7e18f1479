"""Polls of others while an event of 512 players is drawn and five people ask for its result slips as PDF.

    .venv/bin/python bench/costly.py

starts a site of its own as `bench/attack.py` does. Players poll their page all the time, first alone, then while the
costly work runs. The exit status is 1 if the p95 of the polls grows to more than RATIO times that before, if an answer
is no answer (a PDF may be refused with 503), or if the site takes more memory than MEGABYTES.
"""

from __future__ import annotations

import http.client
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from threading import Event as Signal, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accounts.models import User
    from tournaments.models import Event

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.attack import Browser, site
from bench.speed_site import session_of

PLAYERS, POLLERS, SLIPS = 512, 4, 5
#: Seconds of polls alone, and between two polls of a phone in this bench.
ALONE, PAUSE = 15.0, 0.05
RATIO, MEGABYTES = 1.5, 1500


class Pollers:
    """Phones of players that poll their page; `taken` are the seconds of each answer."""

    def __init__(self, port: int, path: str, sessions: list[str]) -> None:
        self.taken: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.enough = Signal()
        self.threads = [Thread(target=self._poll, args=(port, path, session)) for session in sessions]
        for thread in self.threads:
            thread.start()

    def _poll(self, port: int, path: str, session: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Cookie": f"sessionid={session}"}
        connection.request("GET", path, headers=headers)
        first = connection.getresponse()
        first.read()
        headers |= {"X-Poll": "1", "If-None-Match": first.headers["ETag"]}
        while not self.enough.wait(PAUSE):
            start = time.perf_counter()
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            self.taken.append(time.perf_counter() - start)
            self.statuses[answer.status] += 1

    def p95(self) -> float:
        """Return the 95th percentile of the answers so far in milliseconds, and forget them."""
        ordered, self.taken = sorted(self.taken), []
        return 1000 * ordered[int(len(ordered) * 0.95)] if ordered else 0.0

    def stop(self) -> None:
        """Let the phones rest."""
        self.enough.set()
        for thread in self.threads:
            thread.join()


def big_event(organizer: User, name: str) -> Event:
    """Start an event of PLAYERS players."""
    from rules.tournaments.rule_sets import RuleSet
    from tournaments.services import entries, events

    event = events.create_event(actor=organizer, name=name, rule_set=RuleSet.GALACTIC_CONQUEST)
    players = [entries.NewPlayer(f"Player {number}") for number in range(1, PLAYERS + 1)]
    for start in range(0, PLAYERS, 256):
        added = entries.add_players(actor=organizer, event=event, players=players[start : start + 256])
        entries.check_in(actor=organizer, event=event, entries=added)
    return events.start(actor=organizer, event=event, reason="Lists are on paper.")


def play(port: int, pid: int) -> bool:
    """Measure, and return whether all was well."""
    from bench.simulated_battles import player
    from tournaments.services import pairing, rounds

    organizer = player("organizer")
    paired, waiting = big_event(organizer, "Paired"), big_event(organizer, "Waiting")
    started = time.monotonic()
    pairing.draw_round(actor=organizer, event=paired)
    print(f"a draw takes {time.monotonic() - started:.1f} s")
    rounds.publish_round(actor=organizer, event=paired)
    people = [player(f"phone-{number}") for number in range(POLLERS)]
    for user, entry in zip(people, paired.entries.order_by("number"), strict=False):
        entry.user = user
        entry.save(update_fields=["user"])
    pollers = Pollers(port, f"/events/{paired.pk}/me/", [session_of(user) for user in people])
    time.sleep(2)
    pollers.p95()
    time.sleep(ALONE)
    alone = pollers.p95()
    statuses: Counter[str] = Counter()

    def ask(what: str, method: str, path: str, session: str, sent: list[tuple[str, str]] | None = None) -> None:
        began = time.monotonic()
        status, _page = Browser(port, session, patience=180).ask(method, path, sent)
        statuses[f"{what} {status}"] += 1
        print(f"{what}: {status} after {time.monotonic() - began:.1f} s")

    own = session_of(organizer)
    work = [Thread(target=ask, args=("draw", "POST", f"/events/{waiting.pk}/rounds/1/draw/", own, []))]
    slips = f"/events/{paired.pk}/print/slips.pdf"
    work += [Thread(target=ask, args=("slips", "GET", slips, session_of(player("printer")))) for _ in range(SLIPS)]
    for thread in work:
        thread.start()
    most = 0.0
    while any(thread.is_alive() for thread in work):
        most = max(most, memory(pid))
        time.sleep(0.2)
    busy = pollers.p95()
    pollers.stop()
    drawn = waiting.round_set.count() == 1
    print(f"p95 of polls: alone {alone:.0f} ms, beside draw and PDFs {busy:.0f} ms ({busy / alone:.2f} ×)")
    print(f"most memory of the site: {most:.0f} MB; {dict(statuses)}, polls {dict(pollers.statuses)}")
    answered = all(name[-3:] in ("200", "302", "503") for name in statuses) and set(pollers.statuses) <= {200, 204, 304}
    return busy <= RATIO * alone and most <= MEGABYTES and drawn and answered


def memory(pid: int) -> float:
    """Return what a process and all below it have, in megabytes, with shared memory shared out."""
    import psutil

    total = 0.0
    for each in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
        try:
            total += each.memory_full_info().pss / 1e6
        except psutil.NoSuchProcess:
            continue
    return total


def main() -> int:
    """Start a site, load it, and say what came of it."""
    from ops.embedded_postgres import EmbeddedServer

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with (
        tempfile.TemporaryDirectory(prefix="musterbook-costly-") as place,
        site(Path(place), "--no-demo") as (port, pid),
    ):
        server = EmbeddedServer(Path(place, "data"))
        os.environ["DATABASE_URL"] = server.start()
        os.environ["DATA_DIR"] = str(Path(place, "data"))  # the key that sessions are signed with
        import django

        django.setup()
        well = play(port, pid)
        if not well:
            print(Path(place, "log").read_text()[-3000:])
        from django.db import connection

        connection.close()
        connection.close_pool()
        server.release()
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())

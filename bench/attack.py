"""Two players, one battle after another, and processes that post whatever they like, for a while.

    .venv/bin/python bench/attack.py --seconds 60

starts a site of its own as `make run` does (gunicorn, several workers, an embedded PostgreSQL) in a directory that is
removed at the end. Every process posts as chance has it: what the page asks for, that twice, old turns, nonsense, the
other side's answers, with somebody else's session, without a CSRF token; and undoes answers. The exit status is 1
if there was a 500, if PostgreSQL met a deadlock, if a ledger does not balance, or if a worker has 200 MB or more.
"""

import argparse
import http.client
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.forms import FORM, Sent, forms_of
from bench.load import MEGABYTES, memory_of
from bench.own_site import free_port
from bench.speed_site import session_of

ROOT = Path(__file__).parents[1]
ATTACKERS, PLAYERS = 8, ("ada", "ben")
KINDS = (
    "valid", "doubled", "valid", "stale", "valid", "broken", "valid", "other side", "other's session", "no token",
    "valid", "undo",
)  # fmt: skip
TOKEN = "attack" * 5 + "at"
NONSENSE = ("", "0", "-1", "9" * 40, "None", "\0", "é" * 2000, "[]", '{"add": {}}', "' OR 1=1 --", "\u202e")


@dataclass
class Browser:
    """Somebody's browser, or nobody's (no session)."""

    port: int
    session: str = ""
    patience: int = 30  # seconds

    def ask(self, method: str, path: str, sent: Sent | None = None, *, token: bool = True) -> tuple[int, str]:
        """The status of the answer, and its page."""
        cookie = f"csrftoken={TOKEN}" + (f"; sessionid={self.session}" if self.session else "")
        headers = {"Cookie": cookie, "Content-Type": FORM}
        body = urlencode([*(sent or []), *([("csrfmiddlewaretoken", TOKEN)] if token else [])])
        site = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            site.request(method, path, body if method == "POST" else None, headers)
            answer = site.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        finally:
            site.close()


def attack(port: int, sessions: dict[str, str], now: Any, seconds: float, seed: int, ready: Any, results: Any) -> None:
    """Post whatever one likes for so long once all are `ready`, to the battle that is played `now`.

    `results` counts the statuses of each kind of request.
    """
    random, counted = Random(seed), Counter[str]()  # noqa: S311
    browsers = {name: Browser(port, session) for name, session in [*sessions.items(), ("nobody", "")]}
    ready.wait()
    until = time.time() + seconds
    for number in count(seed):
        if time.time() > until and number >= seed + len(KINDS):  # each kind once, however slow the site is
            break
        kind = KINDS[number % len(KINDS)]
        for status in _posts(kind, browsers, f"/battles/{now.value.decode()}/", random):
            counted[f"{kind} {status}"] += 1
    results.put(counted)


def _posts(kind: str, browsers: dict[str, Browser], address: str, random: Random) -> list[int]:
    mine = "blue" if (name := random.choice(PLAYERS)) == PLAYERS[0] else "red"
    other = {"blue": "red", "red": "blue"}[mine]
    player, page = browsers[name], f"{address}sequence/{mine}/"
    sent = _answer(player, page, random)
    turn = dict(sent).get("turn", "0")
    match kind:
        case "undo":
            return [player.ask("POST", f"{page}undo/", [("turn", turn)])[0]]
        case "doubled":
            return [player.ask("POST", page, sent)[0] for _ in range(2)]
        case "stale":
            old = str(max(0, int(turn) - random.randint(1, 3)))
            return [player.ask("POST", page, [*without(sent, "turn"), ("turn", old)])[0]]
        case "broken":
            broken = [(key, random.choice(NONSENSE) if random.random() < 0.5 else value) for key, value in sent]
            return [player.ask("POST", page, broken)[0]]
        case "other side":
            return [player.ask("POST", f"{address}sequence/{other}/", sent)[0]]
        case "other's session":
            return [browsers[random.choice(("eve", "nobody"))].ask("POST", page, sent)[0]]
        case "no token":
            return [player.ask("POST", page, sent, token=False)[0]]
    return [player.ask("POST", page, sent)[0]]


def _answer(player: Browser, page: str, random: Random) -> Sent:
    """What the page asks for, filled in by chance; a made-up form if it asks nothing."""
    forms = [form for form in forms_of(player.ask("GET", page)[1]) if form.name in ("app", "answer", "table")]
    if not forms:
        return [("turn", str(random.randint(0, 9))), ("choice", "2"), ("confirm", "yes")]
    return without(random.choice(forms).filled(random), "csrfmiddlewaretoken")


def without(sent: Sent, name: str) -> Sent:
    """What is sent but for a field."""
    return [(key, value) for key, value in sent if key != name]


# --- The site --------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What an attack came to."""

    results: Counter[str]
    deadlocks: int
    closed: int
    differences: list[str]

    @property
    def well(self) -> bool:
        """No error of the server, no deadlock, and the books balance."""
        broken = [kind for kind in self.results if kind[-3:] >= "500"]
        return not (broken or self.deadlocks or self.differences)


def play(port: int, seconds: float, seed: int) -> Found:
    """Attack the site at that port, whose database is ours, for so many seconds."""
    from registers.ledger.verification import differences
    from registers.models import Register

    table, random = Table(), Random(seed)  # noqa: S311
    before = _deadlocks()
    spawn = multiprocessing.get_context("spawn")  # no connection of ours is shared
    now, results, ready = spawn.Array("c", 36), spawn.Queue(), spawn.Barrier(ATTACKERS + 1)
    now.value, closed = table.battle(random), 0
    each = [(port, table.sessions, now, seconds, seed + at, ready, results) for at in range(ATTACKERS)]
    attackers = [spawn.Process(target=attack, args=words) for words in each]
    for attacker in attackers:
        attacker.start()
    ready.wait(timeout=60)
    until = time.time() + seconds
    while time.time() < until:
        if table.is_closed(now.value):
            now.value, closed = table.battle(random), closed + 1
        time.sleep(0.05)
    counted: Counter[str] = sum((results.get(timeout=60) for _ in attackers), Counter())
    for attacker in attackers:
        attacker.join()
    wrong = [f"{register}: {found}" for register in Register.objects.all() for found in differences(register)]
    return Found(counted, _deadlocks() - before, closed, wrong)


class Table:
    """Ada's and ben's campaign, and eve, who has another one."""

    def __init__(self) -> None:
        from bench import simulated_battles as simulated
        from bench.simulation import Supply
        from campaign.services import campaigns
        from catalogue.snapshot import rulebook
        from members.services import membership

        self.who = {name: simulated.player(name) for name in (*PLAYERS, "eve")}
        self.supply = Supply(rulebook())
        self.campaign = campaigns.create_campaign(actor=self.who["ada"], name="Under attack")
        membership.add_member(actor=self.who["ada"], group=self.campaign, username="ben")
        campaigns.create_campaign(actor=self.who["eve"], name="Elsewhere")
        self.sessions = {name: session_of(user) for name, user in self.who.items()}

    def battle(self, random: Random) -> bytes:
        """The primary key of a new battle, ada's Register blue, at the beginning of its sequence."""
        from bench import simulated_battles as simulated
        from campaign.battles.services import army, planning, reports
        from campaign.battles.services.contenders import Contender
        from campaign.enlistments.services import enlistments

        pair = [simulated.found(self.who[name], random, self.supply, name.title()) for name in PLAYERS]
        for each in pair:
            enlistments.add_register(actor=each.owner, campaign=self.campaign, register_id=each.pk)
        blue, red = (Contender(register_id=each.pk) for each in pair)
        values = {"actor": self.who["ada"], "campaign": self.campaign, "size": 600}
        battle = planning.plan_battle(blue=blue, red=red, **values)
        made_up = simulated.choose_army(battle, random, self.supply)
        army.begin(actor=self.who["ada"], battle_id=battle.pk)
        facts, winner = simulated.facts(made_up)
        report = reports.BattleReport(winner=winner, facts=facts, victory_points={})
        reports.report(actor=self.who["ada"], battle_id=battle.pk, version=0, report=report)
        reports.confirm_report(actor=self.who["ben"], battle_id=battle.pk, version=1)
        return str(battle.pk).encode()

    def is_closed(self, key: bytes) -> bool:
        """Whether that battle is over."""
        from campaign.battles.models import Battle

        return Battle.objects.filter(pk=key.decode(), status=Battle.Status.CLOSED).exists()


def _deadlocks() -> int:
    """How many PostgreSQL has met in this database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


@contextmanager
def site(place: Path, *options: str) -> Iterator[tuple[int, int]]:
    """Start a site in a directory of its own with `ops.serve` and these options. Yields its port and process id."""
    port = free_port()
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    environment |= {"DATA_DIR": str(place / "data"), "STATIC_ROOT": str(place / "static"), "PORT": str(port)}
    environment |= {"WEB_CONCURRENCY": "3", "QUEUE_WORKER": "false"}
    command = [sys.executable, "-m", "ops.serve", *options]
    with (place / "log").open("w") as log:
        served = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)  # noqa: S603
        try:
            while "is open" not in (place / "log").read_text():
                if served.poll() is not None:
                    raise RuntimeError((place / "log").read_text())
                time.sleep(0.1)
            yield port, served.pid
        finally:
            served.terminate()
            served.wait()


def main() -> int:
    """Start a site, attack it, and say what came of it."""
    from ops.embedded_postgres import EmbeddedServer

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with (
        tempfile.TemporaryDirectory(prefix="musterbook-attack-") as place,
        site(Path(place), "--no-demo") as (port, pid),
    ):
        server = EmbeddedServer(Path(place, "data"))
        os.environ["DATABASE_URL"] = server.start()
        os.environ["DATA_DIR"] = str(Path(place, "data"))  # the key that sessions are signed with
        import django

        django.setup()
        found = play(port, words.seconds, words.seed)
        print(f"{found.results.total()} posts, {found.closed} battles closed, {found.deadlocks} deadlocks")
        for kind, times in sorted(found.results.items()):
            print(f"  {kind}: {times}")
        print("\n".join(found.differences) or "All ledgers balance.")
        largest = max(rss for rss, _ in memory_of(pid))
        print(f"The largest worker has {largest:.0f} MB.")
        if not found.well:
            print(Path(place, "log").read_text())
        from django.db import connection

        connection.close()
        connection.close_pool()
        server.release()
    return int(not found.well or largest >= MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())

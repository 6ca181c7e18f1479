"""Kill the primary of two PostgreSQL servers under two web nodes while people play, and show that nothing is lost.

    .venv/bin/python bench/cluster.py

starts on loopback, in a directory that is removed at the end: a primary, a standby that has each commit on disk before
it is acknowledged, two web nodes, and the proxy of docs/scaling.md if there is a `caddy` (otherwise players use both
nodes in turn). Tables of two play their sequences by HTTP. In the middle the primary is killed with -9; the standby is
promoted `--notice` seconds later; players send again what was not answered, and go on.

In the end every answer that the site acknowledged is in the ledgers of the standby exactly once, no other is, and
`verify_registers` finds no difference; otherwise the exit status is 1.
"""

import argparse
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.attack import PLAYERS, Browser, Table, without
from bench.forms import Sent, forms_of
from bench.own_site import free_port
from bench.postgres_pair import Server, installed, pair

ROOT = Path(__file__).parents[1]
NODES = 2
AGAIN = 0.2  # seconds until a player whom nobody has answered sends it again
PATIENCE = 60  # seconds
REFUSALS = 30  # in a row, after which a random answer is unlikely to be a legal one
COLOURS = dict(zip(("blue", "red"), PLAYERS, strict=True))


# --- Players ---------------------------------------------------------------------------------------------------


@dataclass
class Results:
    """What the players got from the site."""

    #: When each answer was acknowledged, by battle, colour and turn. One that is taken twice stands there twice.
    acknowledged: list[tuple[float, str, str, int]] = field(default_factory=list)
    sent_again: int = 0
    refused: int = 0
    #: Battles that stay in their sequence: a unit that the Register needs (step 8) is not found by random answers.
    unfinished: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


@dataclass
class Player:
    """Who asks one door of the site after the other, until one answers."""

    doors: list[int]
    session: str
    results: Results
    asked: Iterator[int] = field(default_factory=count)

    def ask(self, method: str, path: str, sent: Sent | None = None) -> tuple[int, str]:
        """The status and page of the answer, however often it has to be asked for. Raises TimeoutError."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            door = Browser(self.doors[next(self.asked) % len(self.doors)], self.session)
            try:
                status, page = door.ask(method, path, sent)
            except (OSError, HTTPException):
                status, page = 0, ""
            if status and status < 500:
                return status, page
            if status in (500, 501):
                self.results.errors.append(f"{method} {path}: {status}")
            self.results.sent_again += 1
            time.sleep(AGAIN)
        raise TimeoutError(f"{method} {path}: no answer within {PATIENCE} seconds")


def play(battle: str, players: dict[str, Player], results: Results, seed: int) -> None:
    """Answer for both sides of a battle at random, until nothing is asked or the rules refuse REFUSALS in a row."""
    random, in_a_row = Random(seed), 0  # noqa: S311
    try:
        while statuses := [
            status for side in COLOURS if (status := answer(battle, side, players[side], results, random))
        ]:
            in_a_row = in_a_row + len(statuses) if set(statuses) == {422} else 0
            if in_a_row >= REFUSALS:
                results.unfinished.add(battle)
                return
    except Exception as error:
        results.errors.append(f"{battle}: {error!r}")


def answer(battle: str, colour: str, player: Player, results: Results, random: Random) -> int | None:
    """Answer for a side at random; the status of the response, or None where nothing was asked."""
    path = f"/battles/{battle}/sequence/{colour}/"
    status, page = player.ask("GET", path)
    forms = [form for form in forms_of(page) if form.name in ("app", "answer")]
    if status != 200 or not forms:
        return None
    sent = without(random.choice(forms).filled(random), "csrfmiddlewaretoken")
    status, _ = player.ask("POST", path, sent)
    if status == 422:
        results.refused += 1
    elif status in (200, 302):
        results.acknowledged.append((time.monotonic(), battle, colour, int(dict(sent)["turn"])))
    else:
        results.errors.append(f"POST {path}: {status}")
    return status


# --- The site --------------------------------------------------------------------------------------------------


def database_url(primary: Server, standby: Server) -> str:
    """Return the DATABASE_URL of the nodes: whichever of the two servers accepts writes."""
    both = f"host=127.0.0.1,127.0.0.1&port={primary.port},{standby.port}"
    return f"postgresql://musterbook@/musterbook?{both}&target_session_attrs=read-write&connect_timeout=2"


@contextmanager
def nodes(place: Path) -> Iterator[list[int]]:
    """The ports of the web nodes, which share DATA_DIR and SECRET_KEY and nothing else."""
    ports, started = [free_port() for _ in range(NODES)], []
    try:
        for number, port in enumerate(ports):
            log = place / f"node-{number}.log"
            collected = ["--collected"] if number else []
            command = [sys.executable, "-m", "ops.serve", "--no-demo", *collected]
            own = {"PORT": str(port), "WEB_CONCURRENCY": "1", "QUEUE_WORKER": "false"}
            with log.open("w") as output:
                started.append(
                    subprocess.Popen(command, cwd=ROOT, env=os.environ | own, stdout=output, stderr=output)  # noqa: S603
                )
            _await("is open", log, started[-1])
        yield ports
    finally:
        _end(started)


@contextmanager
def proxy(place: Path, behind: list[int]) -> Iterator[list[int]]:
    """The ports that players turn to: that of Caddy, set up as docs/scaling.md says; without one those of the nodes."""
    caddy = shutil.which("caddy")
    if caddy is None:
        yield behind
        return
    port, document = free_port(), (ROOT / "docs" / "scaling.md").read_text()
    site = re.search(r"^(musterbook\.example\.org \{\n.*?^\})", document, re.MULTILINE | re.DOTALL)
    if site is None:
        raise ValueError("docs/scaling.md tells of no proxy")
    words = site[1].replace("musterbook.example.org", f"http://127.0.0.1:{port}")
    words = re.sub(r"10\.0\.0\.11:8000 10\.0\.0\.12:8000", " ".join(f"127.0.0.1:{each}" for each in behind), words)
    (place / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n" + words)
    command = [caddy, "run", "--adapter", "caddyfile", "--config", str(place / "Caddyfile")]
    homes = {"HOME": str(place), "XDG_DATA_HOME": str(place), "XDG_CONFIG_HOME": str(place)}
    with (place / "caddy.log").open("w") as log:
        started = subprocess.Popen(command, env=os.environ | homes, stdout=log, stderr=log)  # noqa: S603
    try:
        _await("serving initial configuration", place / "caddy.log", started)
        yield [port]
    finally:
        _end([started])


def _await(words: str, log: Path, process: subprocess.Popen[bytes]) -> None:
    while words not in log.read_text():
        if process.poll() is not None:
            raise RuntimeError(log.read_text())
        time.sleep(0.1)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait()


# --- What came of it -------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What the run came to; `wrong` is empty when nothing was lost."""

    lines: list[str]
    wrong: list[str]


def run(place: Path, programs: Path, *, battles: int, notice: float, seed: int) -> Found:
    """Start everything, play so many battles at once, kill the primary in the middle, and look at what is there."""
    os.environ |= {"SECRET_KEY": secrets.token_urlsafe(50), "DJANGO_SETTINGS_MODULE": "config.settings"}
    os.environ |= {"DATA_DIR": str(place / "data"), "STATIC_ROOT": str(place / "static")}
    with pair(place, programs) as (primary, standby):
        os.environ["DATABASE_URL"] = database_url(primary, standby)
        with nodes(place) as ports, proxy(place, ports) as doors:
            import django

            django.setup()
            return _run(primary, standby, doors, battles=battles, notice=notice, seed=seed)


def _run(primary: Server, standby: Server, doors: list[int], *, battles: int, notice: float, seed: int) -> Found:
    from django.db import connection

    table, results = Table(), Results()
    keys = [table.battle(Random(seed + number)).decode() for number in range(battles)]  # noqa: S311
    tables = []
    for number, key in enumerate(keys):
        players = {colour: Player(doors, table.sessions[name], results) for colour, name in COLOURS.items()}
        tables.append(Thread(target=play, args=(key, players, results, seed + number)))
    for each in tables:
        each.start()
    while len(results.acknowledged) < 5 * battles and any(each.is_alive() for each in tables):
        time.sleep(0.05)
    killed = time.monotonic()
    primary.kill()
    time.sleep(notice)
    promoted = time.monotonic()
    standby.ask("SELECT pg_promote()")
    ready = time.monotonic()
    for each in tables:
        each.join()
    connection.close()  # ours led to the primary
    return _found(results, killed, promoted, ready, keys)


def _found(results: Results, killed: float, promoted: float, ready: float, keys: list[str]) -> Found:
    before = sum(at <= killed for at, *_ in results.acknowledged)
    after = sorted(at for at, *_ in results.acknowledged if at > ready)
    lines = [
        f"answers acknowledged: {before} before the primary was killed, {len(results.acknowledged) - before} after",
        f"the standby was promoted {promoted - killed:.1f} s after the kill, which took {ready - promoted:.1f} s",
        f"the next answer was acknowledged {after[0] - killed:.1f} s after the kill" if after else "no answer came",
        f"{results.sent_again} times something was sent again, {results.refused} answers were refused by the rules",
        f"{len(keys) - len(results.unfinished)} battles closed",
        f"{len(results.unfinished)} battles in which the rules refused every answer",
    ]
    wrong = [*results.errors, *_lost(results, keys), *_unproved()]
    if len(results.unfinished) == len(keys):
        wrong.append("No battle closed.")
    if not (before and after):
        wrong.append("Nothing was answered before the kill, or nothing after it.")
    return Found(lines, wrong)


def _lost(results: Results, keys: list[str]) -> Iterator[str]:
    """Each side whose books do not hold, once each and in their order, just the answers that were acknowledged, and
    the dice that the app rolled with one of them.
    """
    from campaign.battles.models import Battle, Side
    from campaign.battles.services.sequence import APP, is_players
    from registers.models import EntryType, LedgerEntry

    for side in Side.objects.filter(battle__in=keys).select_related("battle"):
        at = (str(side.battle_id), side.colour)
        turns = [turn for _, *where, turn in results.acknowledged if tuple(where) == at]
        steps = LedgerEntry.objects.filter(register=side.register, battle=at[0], act=EntryType.STEP, undone_by=None)
        kept = [item for entry in steps for item in entry.answers if is_players(item)]
        rolled = [turn for turn, item in enumerate(kept) if item["source"] == APP and turn not in turns]
        if not sorted([*turns, *rolled]) == list(range(side.turn)) == list(range(len(kept))):
            yield f"{at}: acknowledged {sorted(turns)}, turn {side.turn}, {len(kept)} answers kept"
        if side.battle.status != Battle.Status.CLOSED and at[0] not in results.unfinished:
            yield f"{at}: {side.battle.status}"


def _unproved() -> Iterator[str]:
    from django.core.management import CommandError, call_command

    try:
        call_command("verify_registers", processes=1)
    except (CommandError, SystemExit) as wrong:
        yield f"verify_registers: {wrong}"


def main() -> int:
    """Run all of it, and say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--battles", type=int, default=8)
    parser.add_argument("--notice", type=float, default=1, help="seconds until somebody notices and promotes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=Path, default=installed(), help="where initdb and the others are")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="musterbook-cluster-") as place:
        found = run(Path(place), words.programs, battles=words.battles, notice=words.notice, seed=words.seed)
        version = subprocess.run([words.programs / "postgres", "--version"], capture_output=True, text=True)  # noqa: S603
        print(f"{NODES} web nodes, {version.stdout.strip()}, {'caddy' if shutil.which('caddy') else 'no proxy'}")
        print("\n".join([*found.lines, *found.wrong]))
        if not found.wrong:
            print("each acknowledged answer is in the ledgers once")
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main())

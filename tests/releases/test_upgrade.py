"""Migrations that were released never change, and a site of each release goes on after its upgrade: all of its pages
open for everybody, every Register is what its ledger says, and every finished event is proved."""

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import Resolver404, resolve
from psycopg import sql
from psycopg.conninfo import make_conninfo

from accounts.models import User
from campaign.chronicle.models import ShareLink
from catalogue import snapshot
from docs import check_event
from ops.backup import restore_backup
from ops.paths import BASE_DIR
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import ROLES as EVENT_ROLES
from tests.walking import Visitor, unprinted
from tests.world import ROLES as CAMPAIGN_ROLES
from tournaments.models import Event
from tournaments.queries.exchange import content_of

__all__ = ["unprinted"]

HERE = Path(__file__).parent
RELEASES = sorted(HERE.glob("*.zip"))
#: Everybody in the worlds of `record.py`, and nobody.
PEOPLE = [None, *(f"{role}-1" for role in CAMPAIGN_ROLES[1:]), *(f"{role}-2" for role in EVENT_ROLES[1:-1])]
#: Those whom the gate asks: what the others see differs little. The nightly run asks everybody.
IN_THE_GATE = (None, "owner-1", "organizer-1", "staff-1", "organizer-2")
#: What the gate opens. Somebody who plays in a campaign is a stranger to all events, and the other way round; some
#: pages are the same for everybody. Visitors open all these. Staff open the lists of the admin. The nightly run
#: opens everything as everybody.
OF_EVENTS = ("tournaments:", "lists:")
SAME_FOR_ALL = (
    "account",
    "chronicle:public",
    "mfa_",
    "registers:blank",
    "rules",
    "socialaccount",
    "story_arcs:print",
    "ui:",
)
OF_ADMIN = ("index", "_changelist")
#: What migrations have dropped: a table and its column. The day of the release has taken the place of "unreleased".
LOST = {f"catalogue_{kind}.unreleased" for kind in ("commandcard", "unit", "upgrade")}


def test_released_migrations_have_not_changed():
    """Change a model by a new migration. `sha256sum --check tests/releases/migrations.sha256` says the same."""
    listed = [line.split("  ") for line in (HERE / "migrations.sha256").read_text().splitlines()]
    changed = [name for digest, name in listed if digest_of(BASE_DIR / name) != digest]
    assert changed == []
    assert len(listed) >= 20


def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "it is gone"


@pytest.fixture(params=RELEASES, ids=lambda file: file.stem)
def upgraded(request, transactional_db, tmp_path, settings) -> Iterator[None]:
    """A database of its own, with the backup of a release that this version has upgraded as its start does."""
    connection.ensure_connection()
    info, ours = connection.connection.info, connection.settings_dict["NAME"]
    server = make_conninfo(**info.get_parameters() | {"password": info.password, "options": "", "dbname": "postgres"})
    name = f"{ours}_upgraded"
    options = settings.STORAGES["uploads"]["OPTIONS"] | {"location": tmp_path / "uploads"}
    settings.STORAGES = settings.STORAGES | {"uploads": settings.STORAGES["uploads"] | {"OPTIONS": options}}
    _run(server, "CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'", name)
    try:
        _connect_to(name)
        restore_backup(request.param)
        before = _values()
        call_command("migrate", verbosity=0)
        after = _values()
        lost = {place: (number, after.get(place)) for place, number in before.items() if after.get(place, 0) < number}
        assert {place: lost[place] for place in lost.keys() - LOST} == {}
        for command in ("load_catalogue", "load_arcs"):
            call_command(command, verbosity=0)
        snapshot.forget()
        yield
    finally:
        _connect_to(ours)
        snapshot.forget()
        _run(server, "DROP DATABASE {}", name)


def _values() -> dict[str, int]:
    """How many rows of each table have a value in each column."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = [each.name for each in connection.introspection.get_table_description(cursor, table)]
            counts = [sql.SQL("count(nullif({}::text, ''))").format(sql.Identifier(each)) for each in columns]
            cursor.execute(sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(counts), sql.Identifier(table)))
            found |= zip((f"{table}.{each}" for each in columns), cursor.fetchone(), strict=True)
    return found


def _run(server: str, statement: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as connected:
        connected.execute(sql.SQL(statement).format(sql.Identifier(name)))


def _connect_to(name: str) -> None:
    connection.close()
    connection.close_pool()
    connection.settings_dict["NAME"] = name


class Crawl:
    """Somebody who follows links from the start page, and opens one page of each kind."""

    def __init__(self, person: str | None, seeds: list[str]) -> None:
        self.person = person or "anybody"
        self.visitor = Visitor(User.objects.get(username=person) if person else None)
        self.waiting, self.seen = deque(seeds), set(seeds)
        self.kinds: set[str] = set()  # opened
        self.dead: list[str] = []

    def opens(self, kind: str) -> bool:
        """Whether the page of this kind is still to be opened."""
        if kind in self.kinds or kind == "account_logout":
            return False
        if kind == "home":
            return True
        if NIGHTLY or self.person == "anybody":
            return True
        if self.person == "staff-1":
            return kind.startswith("admin:") and kind.endswith(OF_ADMIN)
        return kind.startswith(OF_EVENTS) is self.person.endswith("-2") and not kind.startswith(SAME_FOR_ALL)

    def run(self) -> None:
        """Open them all, and note every link that leads nowhere."""
        while self.waiting:
            address = self.waiting.popleft()
            try:
                kind = resolve(urlsplit(address).path).view_name
            except Resolver404:
                self.dead.append(f"{address}: no such page")
                continue
            if self.opens(kind):
                self.kinds.add(kind)
                answer = self.visitor.ask("GET", address)
                if answer.status not in (200, 302):
                    self.dead.append(f"{address}: {answer.status}")
                self._note_links(address, answer.content)

    def _note_links(self, address: str, page: str) -> None:
        for link in re.findall(r'\bhref="([^"]+)"', page):
            there = urlsplit(urljoin(f"http://testserver{address}", unescape(link)))
            path = there._replace(scheme="", netloc="", fragment="").geturl()
            if there.netloc == "testserver" and not path.startswith("/static/") and path not in self.seen:
                self.seen.add(path)
                self.waiting.append(path)


@pytest.mark.usefixtures("unprinted", "upgraded")
def test_a_released_site_goes_on(settings, tmp_path, capsys):
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    people = PEOPLE if NIGHTLY else IN_THE_GATE
    crawls = [Crawl(person, ["/", "/admin/", ShareLink.objects.get().get_absolute_url()]) for person in people]
    for crawl in crawls:
        crawl.run()
    assert {crawl.person: crawl.dead for crawl in crawls if crawl.dead} == {}
    opened = {crawl.person: crawl.kinds for crawl in crawls}
    assert opened["anybody"] >= {"chronicle:public_book", "tournaments:standings"}
    assert opened["owner-1"] >= {"registers:detail", "battles:sequence_side", "battles:army"}
    assert opened["organizer-2"] >= {"tournaments:console", "tournaments:result"}
    assert len(opened["staff-1"]) > 40

    call_command("verify_registers")
    assert re.search(r"Registers checked: \d{3}\. Registers with problems: 0\.", capsys.readouterr().out)
    files = []
    for event in Event.objects.filter(state=Event.State.FINISHED):
        files.append(tmp_path / f"{event.pk}.json")
        files[-1].write_text(json.dumps(content_of(event)))
    assert (check_event.main(files), len(files)) == (0, 2), capsys.readouterr().out

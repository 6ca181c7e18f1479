"""Every address of events and army lists, asked for by everybody, against docs/permissions-events.md.

To add the rows of new addresses, run this with `MUSTERBOOK_WRITE_PERMISSIONS=1`: it appends the rows that are missing,
with what the test found. Read each of them critically before you commit it, and move it to its section: the table says
who may do what, and the test has only seen what the code does.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from tests.campaign.conftest import book
from tests.test_permissions import ROW, word_for
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import ROLES, event_addresses, make_event_world
from tests.walking import Visitor, unprinted
from tests.world import Address

__all__ = ["book", "unprinted"]

TABLE = Path(__file__).parents[2] / "docs" / "permissions-events.md"
WRITE = os.environ.get("MUSTERBOOK_WRITE_PERMISSIONS") == "1"
#: Pages of the admin that the gate asks for; the nightly run asks for all of them.
GATE_ADMIN = ("event_changelist", "event_change")

Answers = tuple[str, ...]


@cache
def rows() -> dict[tuple[str, str], Answers]:
    """Return the table: a URL's name (or a pattern of names) and the method to what each role gets."""
    return {
        (row["name"], method): tuple(answer.strip() for answer in row["answers"].split("|"))
        for row in ROW.finditer(TABLE.read_text())
        for method in row["methods"].split(", ")
    }


def row_for(name: str, method: str) -> str | None:
    """Return the row that speaks of a URL: its own, else the first whose pattern it fits."""
    names = [row for row, of in rows() if of == method]
    return name if name in names else next((row for row in names if fnmatchcase(name, row)), None)


#: Who asks in the gate; in the nightly run, and to write new rows, everybody does.
ASKERS = ROLES if NIGHTLY or WRITE else ("anonymous", "stranger", "player", "judge")


@pytest.fixture(scope="module")
def site() -> list[Address]:
    return list(event_addresses())


def test_each_row_has_a_url_and_answers_all_roles(site):
    used = {(row_for(address.name, method), method) for address in site for method in ("GET", "POST")}
    assert sorted(set(rows()) - used) == []
    assert {key: answers for key, answers in rows().items() if len(answers) != len(ROLES)} == {}


@pytest.mark.usefixtures("unprinted")
def test_everybody_gets_what_the_table_says(book, site, settings):
    # Who gets what is asked here; how many queries it takes, where the pages are tested.
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    world = make_event_world()
    visitors = [Visitor(world.people.get(role)) for role in ASKERS]
    found: dict[tuple[str, str], Answers] = {}
    for address in site:
        in_admin = address.name.startswith("admin:")
        if in_admin and not NIGHTLY and not address.name.endswith(GATE_ADMIN):
            continue
        path = address.filled(world)
        for method in ("GET", "POST"):
            found[address.name, method] = tuple(word_for(visitor.ask(method, path)) for visitor in visitors)
    missing = {key: answers for key, answers in found.items() if row_for(*key) is None}
    if WRITE and missing:
        with TABLE.open("a") as table:
            table.write("\n".join(["", *lines(missing), ""]))
    assert lines(missing) == []
    places = [ROLES.index(role) for role in ASKERS]
    written = {key: tuple(rows()[row_for(*key), key[1]][place] for place in places) for key in found}
    wrong = [key for key in found if found[key] != written[key]]
    assert {key: found[key] for key in wrong} == {key: written[key] for key in wrong}


def lines(found: dict[tuple[str, str], Answers]) -> list[str]:
    """Return rows of the table; GET and POST share one if they have the same answers."""
    rows = []
    for (name, method), answers in found.items():
        other = found.get((name, "POST" if method == "GET" else "GET"))
        if other == answers and method == "POST":
            continue
        methods = "GET, POST" if other == answers else method
        rows.append(f"| `{name}` | {methods} | {' | '.join(answers)} |")
    return rows

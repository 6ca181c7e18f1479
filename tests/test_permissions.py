"""Everything that is asked for, as everybody, against docs/permissions.md. Events have a table of their own."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from tests.campaign.conftest import book
from tests.thoroughness import NIGHTLY
from tests.walking import Answer, Visitor, unprinted
from tests.world import ROLES, Address, addresses, make_world

__all__ = ["book", "unprinted"]

TABLE = Path(__file__).parents[1] / "docs" / "permissions.md"
ROW = re.compile(r"^\| `(?P<name>[^`]+)` \| (?P<methods>GET, POST|GET|POST) \| (?P<answers>.+) \|$", re.MULTILINE)


#: Pages of the admin that the gate asks for; the nightly run asks for all of them.
GATE_ADMIN = ("index", "login", "register_change", "user_change", "campaign_changelist")


#: In the gate only those ask who are refused something; in the nightly run everybody does.
ASKERS = ROLES if NIGHTLY else ("anonymous", "stranger", "viewer", "owner")


@cache
def rows() -> dict[tuple[str, str], tuple[str, ...]]:
    """The table: a URL's name (or a pattern of names) and the method to what each role gets."""
    return {
        (row["name"], method): tuple(answer.strip() for answer in row["answers"].split("|"))
        for row in ROW.finditer(TABLE.read_text())
        for method in row["methods"].split(", ")
    }


def row_for(name: str, method: str) -> str | None:
    """The row that speaks of a URL: its own, else the first whose pattern it fits."""
    names = [row for row, of in rows() if of == method]
    return name if name in names else next((row for row in names if fnmatchcase(name, row)), None)


@pytest.fixture(scope="module")
def site() -> list[Address]:
    return list(addresses())


def test_each_url_has_a_row_and_each_row_a_url(site):
    asked = {(address.name, method) for address in site for method in ("GET", "POST")}
    found = {(name, method): row_for(name, method) for name, method in asked}
    assert sorted(key for key, row in found.items() if row is None) == []
    assert sorted(set(rows()) - {(row, method) for (_, method), row in found.items()}) == []


def test_each_row_answers_all_roles():
    assert {key: len(answers) for key, answers in rows().items() if len(answers) != len(ROLES)} == {}


@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize("half", [0, 1])
def test_everybody_gets_what_the_table_says(book, site, settings, half):
    """Each half of the addresses, so that the halves run side by side."""
    # Who gets what is asked here; how many queries it takes, where the pages are tested.
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    world = make_world()
    visitors = [Visitor(world.people.get(role)) for role in ASKERS]
    found, written = {}, {}
    for address in site[half::2]:
        path = address.filled(world)
        if not NIGHTLY and address.name.startswith("admin:") and not address.name.endswith(GATE_ADMIN):
            continue
        for method in ("GET", "POST"):
            key = (address.name, method)
            row = dict(zip(ROLES, rows()[row_for(*key), method], strict=True))
            written[key] = tuple(row[role] for role in ASKERS)
            found[key] = tuple(word_for(visitor.ask(method, path)) for visitor in visitors)
    wrong = [key for key in found if found[key] != written[key]]
    assert {key: found[key] for key in wrong} == {key: written[key] for key in wrong}


def word_for(answer: Answer) -> str:
    """What somebody got: the status, or `sign-in`."""
    doors = (reverse(settings.LOGIN_URL) + "?", reverse("admin:login") + "?")
    return "sign-in" if answer.leads_to.startswith(doors) else str(answer.status)

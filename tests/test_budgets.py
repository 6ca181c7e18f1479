"""Every page takes at most 15 statements, whoever looks at it, its forms can be sent, and all on it has a name."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.core.rulebook import Rulebook
from tests.browser.markup import markup_faults
from tests.campaign.conftest import book
from tests.statements import without_catalogue
from tests.tournaments.world import EventWorld, event_addresses, make_event_world
from tests.walking import Visitor
from tests.world import Address, World, addresses, make_world

__all__ = ["book"]

MOST = 15
#: The admin is Django's own.
NOT_OURS = "admin/"
#: Files to download, which hold all there is, and the statistics of an event for strangers. Few people ask for them,
#: and seldom. A rate limit alone takes twelve statements.
FILES = (
    "accounts:download", "archive:download", "registers:showpiece",
    "tournaments:export", "tournaments:export_csv", "tournaments:print_pdf", "tournaments:feed",
    "tournaments:share_card", "tournaments:share_picture", "tournaments:statistics",
)  # fmt: skip


def forms_without_token(page: str) -> list[str]:
    """The forms of a page that Django would refuse because they carry no CSRF token."""
    forms = re.findall(r'<form[^>]*method="post".*?</form>', page, re.DOTALL)
    return [form for form in forms if "csrfmiddlewaretoken" not in form]


@pytest.fixture
def world(book: Rulebook) -> World:
    return make_world()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "role", ["owner", *(pytest.param(role, marks=pytest.mark.nightly) for role in ("organizer", "anonymous"))]
)
def test_every_page_stays_within_its_statements(world, role, settings):
    check(world, role, addresses(), settings)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "role", ["organizer", *(pytest.param(role, marks=pytest.mark.nightly) for role in ("player", "anonymous"))]
)
def test_every_page_of_events_stays_within_its_statements(book, role, settings):
    check(make_event_world(), role, event_addresses(), settings)


def check(world: World | EventWorld, role: str, site: Iterable[Address], settings: Any) -> None:
    """Ask for every page as somebody: none takes more statements than MOST, all forms have
    their token, and images, fields, links and buttons their names."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    visitor = Visitor(world.people.get(role))
    counts: dict[str, int] = {}
    without_token: list[str] = []
    nameless: dict[str, list[str]] = {}
    for address in site:
        if address.route.startswith(NOT_OURS) or address.name in FILES:
            continue
        path = address.filled(world)
        visitor.ask("GET", path)  # whatever a process reads once
        with CaptureQueriesContext(connection) as queries:
            page = visitor.ask("GET", path)
        without_token += [f"{address.name}: {form[:120]}" for form in forms_without_token(page.content)]
        if page.status == 200 and "<html" in page.content and (wrong := markup_faults(page.content)):
            nameless[address.name] = wrong
        asked = without_catalogue(query["sql"] for query in queries.captured_queries)
        counts[f"{address.name} {address.route}"] = len([sql for sql in asked if "SAVEPOINT" not in sql])
    assert {page: count for page, count in counts.items() if count > MOST} == {}
    assert without_token == []
    assert nameless == {}

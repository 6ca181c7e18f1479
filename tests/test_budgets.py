"""Every page takes at most 15 statements, its forms can be sent, all on it has a name, and what one types is escaped.

One walk looks at all of that: asking for every page is what takes time.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.browser.markup import markup_faults
from tests.campaign.conftest import book
from tests.statements import without_catalogue
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import EventWorld, event_addresses, make_event_world
from tests.walking import Answer, Visitor, unprinted
from tests.world import Address, World, addresses, make_world

__all__ = ["book", "unprinted"]

MOST = 15
#: The admin is Django's own.
NOT_OURS = "admin/"
#: Files to download, which hold all there is, and the statistics of an event for strangers. Few people ask for them,
#: and seldom. A rate limit alone takes twelve statements.
FILES = (
    "accounts:download", "archive:download", "chronicle:book", "chronicle:public_book", "registers:showpiece",
    "tournaments:export", "tournaments:export_csv", "tournaments:print_pdf", "tournaments:feed",
    "tournaments:share_card", "tournaments:share_picture", "tournaments:statistics",
)  # fmt: skip


#: Who asks: in the gate the first who gets the page, in the nightly run each of them.
ASKERS = ("organizer", "owner", "anonymous")
ASKERS_OF_EVENTS = ("organizer", "player", "anonymous")
#: What people call everything: it ends an attribute in either quotes, and opens an element that no page of ours has.
PAYLOAD = "\"'><xss>"
#: How it stands on a page that forgot to escape it: the element, or the end of an attribute.
UNESCAPED = re.compile(r"""<xss|="[^"<>]*"'(>|&gt;)|='[^'<>]*"'(>|&gt;)""", re.IGNORECASE)
#: What a browser may take for a page; the rest is read by programs (nosniff).
READ_BY_BROWSERS = ("text/html", "application/rss", "application/atom", "image/svg")


def forms_without_token(page: str) -> list[str]:
    """The forms of a page that Django would refuse because they carry no CSRF token."""
    forms = re.findall(r'<form[^>]*method="post".*?</form>', page, re.DOTALL)
    return [form for form in forms if "csrfmiddlewaretoken" not in form]


def unescaped(page: str) -> str:
    """What stands around the first place where a page shows what people typed without escaping it."""
    kind = page.partition("'Content-Type': '")[2].partition("'")[0]
    found = UNESCAPED.search(page) if kind.startswith(READ_BY_BROWSERS) else None
    return page[max(0, found.start() - 80) : found.end() + 40] if found else ""


@pytest.mark.usefixtures("unprinted")
@pytest.mark.django_db
def test_every_page_is_sound(book, settings):
    world = make_world(PAYLOAD)
    shown = check(world, ASKERS, [*filled(addresses(), world), *of_battles(world)], settings)
    assert {
        "campaign:detail",
        "campaign:people",
        "chronicle:public",
        "chronicle:public_feed",
        "registers:ledger",
    } <= shown
    assert len(shown) > 60


@pytest.mark.usefixtures("unprinted")
@pytest.mark.django_db
def test_every_page_of_events_is_sound(book, settings):
    world = make_event_world(PAYLOAD)
    shown = check(world, ASKERS_OF_EVENTS, filled(event_addresses(), world), settings)
    assert shown >= {"tournaments:standings", "tournaments:console", "lists:army"}


def filled(site: Iterable[Address], world: World | EventWorld) -> Iterator[tuple[str, str]]:
    """Yield the name and the path of each page but those of the admin."""
    return ((each.name, each.filled(world)) for each in site if not each.route.startswith(NOT_OURS))


def of_battles(world: World) -> Iterator[tuple[str, str]]:
    """Yield the pages of a battle in each state."""
    for battle in world.battles.values():
        yield "battles:detail", battle.get_absolute_url()
        yield "battles:report", f"/battles/{battle.pk}/report/"
        yield "battles:after_action", f"/battles/{battle.pk}/after-action/"


def check(world: World | EventWorld, roles: Iterable[str], site: Iterable[tuple[str, str]], settings: Any) -> set[str]:
    """Ask for every page, and return the names of those that show what people typed: none takes more statements than
    MOST, all forms have their token, images, fields, links and buttons their names, and all texts are escaped."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    visitors = {role: Visitor(world.people.get(role)) for role in roles}
    shown: set[str] = set()
    wrong: dict[str, list[object]] = {}
    for name, path in site:
        for role, visitor in visitors.items():
            page, statements = asked(visitor, path)
            if statements > MOST:  # unless it read what a process reads once
                page, statements = asked(visitor, path)
            found: list[object] = [f"{form[:120]} has no token" for form in forms_without_token(page.content)]
            found += [f"{statements} statements"] if statements > MOST and name not in FILES else []
            is_page = page.status == 200 and "text/html" in page.content[:400] and "<html" in page.content
            found += markup_faults(page.content) if is_page else []
            found += [text] if (text := unescaped(page.content)) else []
            if found:
                wrong[f"{name} {path} as {role}"] = found
            if "xss" in page.content:
                shown.add(name)
            if page.status in (200, 405) and not NIGHTLY:
                break
    assert wrong == {}
    return shown


def asked(visitor: Visitor, path: str) -> tuple[Answer, int]:
    """A page, and how many statements it took."""
    with CaptureQueriesContext(connection) as queries:
        page = visitor.ask("GET", path)
    ours = without_catalogue(query["sql"] for query in queries.captured_queries)
    return page, len([sql for sql in ours if "SAVEPOINT" not in sql])

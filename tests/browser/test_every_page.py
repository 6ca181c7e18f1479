"""Every page that the site has, in both themes on a phone: legible to everybody, and no wider than the phone."""

from __future__ import annotations

from collections.abc import Iterator
from pprint import pformat

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Page

from tests.browser.legible import OF_COLOURS, faults
from tests.world import World, addresses, make_world

pytestmark = pytest.mark.django_db(transaction=True)

#: Who looks: of these the first who gets the page.
READERS = ("owner", "organiser", "stranger", "staff", "anonymous")
#: Django's own pages, in its own looks.
NOT_OURS = "admin/"
#: Nobody of the world has an authenticator app, nobody's stead is there to be read, no night has passed.
NOWHERE = (
    "campaign:act_for",
    "campaign:kept_file",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
)
#: All is asked of one theme; of the other, which is the same page in other colours, what depends on them.
THEMES = {"light": (), "dark": OF_COLOURS}
MANY = 50  # an empty walk proves nothing


@pytest.fixture
def world(book, settings) -> World:
    # How many queries a page takes is tested with the page.
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    return make_world()


def paths(world: World) -> Iterator[str]:
    """Every address with its arguments; those of a battle for each state; and one where there is nothing."""
    ours = (each for each in addresses() if not each.route.startswith(NOT_OURS) and each.name not in NOWHERE)
    yield from (each.filled(world) for each in ours)
    for battle in world.battles.values():
        yield battle.get_absolute_url()
        yield f"/battles/{battle.pk}/report/"
    yield "/registers/new/nowhere/"
    yield "/styleguide/?dir=rtl"


def client_of(world: World, reader: str) -> Client:
    client = Client()
    if reader in world.people:
        client.force_login(world.people[reader])
    return client


def is_page(response: HttpResponse, path: str) -> bool:
    """Whether this is a whole page: no file, no part of a page, no way to another one."""
    whole = response.headers.get("Content-Type", "").startswith("text/html") and b"<html" in response.content
    return whole and (response.status_code == 200 or path.endswith("/nowhere/"))


def reader_of(clients: dict[str, Client], path: str) -> str | None:
    """The first who gets a page there; none if it is no page. An address where nobody finds anything proves nothing."""
    found = set()
    for reader, client in clients.items():
        response = client.get(path)
        response.close()  # a file that is sent
        if is_page(response, path):
            return reader
        if response.status_code in (200, 405):
            return None  # a file, a part, or nothing to look at: for everybody else as well
        if reader != "anonymous":  # who is sent to sign in, whatever there is
            found.add(response.status_code)
    assert found != {404}, f"Nobody finds anything at {path}: see tests/world.py"
    return None


def test_legible_to_everybody_in_both_themes(world, phone, new_context, live_server):
    clients = {reader: client_of(world, reader) for reader in READERS}
    readers = {path: reader_of(clients, path) for path in sorted(set(paths(world)))}
    pages: dict[str, Page] = {}
    found = {}
    for path, reader in readers.items():
        if reader is None:
            continue
        if reader not in pages:
            user = world.people.get(reader)
            still = {"reduced_motion": "reduce"}
            pages[reader] = phone(user, **still) if user else new_context(**still).new_page()
            pages[reader].add_init_script(AXE_SCRIPT)  # sent once, not with each page
        pages[reader].goto(f"{live_server.url}{path}")
        for theme, rules in THEMES.items():
            pages[reader].emulate_media(color_scheme=theme)
            if wrong := faults(pages[reader], only=rules):
                found[path, theme] = wrong
    assert found == {}, pformat(found, width=160)
    assert sum(reader is not None for reader in readers.values()) > MANY

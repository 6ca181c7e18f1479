"""Every page that the site has, in both themes on a phone: legible to everybody, and no wider than the phone."""

from collections.abc import Callable, Iterable, Iterator
from pprint import pformat

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from campaign.models import Campaign
from registers.models import Dossier, Register
from tests.browser.legible import OF_COLOURS, faults, open_folds
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import EventWorld, event_addresses, make_event_world
from tests.world import World, addresses, make_world
from tournaments.models import Entry, Event, League

pytestmark = pytest.mark.django_db(transaction=True)

#: Who looks: of these the first who gets the page.
VIEWERS = ("owner", "organizer", "stranger", "staff", "anonymous")
#: Django's own pages, in its own core.ui.
NOT_OURS = "admin/"
#: Nobody of the world has an authenticator app, acts for another, or has sent a file of an event; no night has passed;
#: and these battles are not closed.
NOWHERE = (
    "battles:act_for",
    "archive:nightly_file",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "tournaments:review_import",
    "chronicle:after_action_image",
    "chronicle:public_after_action",
)
#: The gate looks at one theme; the nightly run also checks the colors of the other.
THEMES = {"light": (), "dark": OF_COLOURS} if NIGHTLY else {"light": ()}
VIEWERS_OF_EVENTS = ("player", "organizer", "judge", "stranger", "anonymous")
MANY = 51  # an empty walk proves nothing


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
        yield f"/battles/{battle.pk}/after-action/"
    yield "/registers/new/nowhere/"
    yield "/styleguide/?dir=rtl"


def client_of(world: World, viewer: str) -> Client:
    client = Client()
    if viewer in world.people:
        client.force_login(world.people[viewer])
    return client


def is_page(response: HttpResponse, path: str) -> bool:
    """Whether this is a whole page: no file, no part of a page, no way to another one."""
    whole = response.headers.get("Content-Type", "").startswith("text/html") and b"<html" in response.content
    return whole and (response.status_code == 200 or path.endswith("/nowhere/"))


def reader_of(clients: dict[str, Client], path: str) -> str | None:
    """The first who gets a page there; none if it is no page. An address where nobody finds anything proves nothing."""
    found = set()
    for viewer, client in clients.items():
        response = client.get(path)
        response.close()  # a file that is sent
        if is_page(response, path):
            return viewer
        if response.status_code in (200, 405):
            return None  # a file, a part, or nothing to look at: for everybody else as well
        if viewer != "anonymous":  # who is sent to sign in, whatever there is
            found.add(response.status_code)
    assert found != {404}, f"Nobody finds anything at {path}: see tests/world.py"
    return None


Walk = Callable[[], Iterator[tuple[str, Page]]]


@pytest.fixture
def walk_of(phone, new_context, live_server) -> Callable[..., Walk]:
    """Returns a walk: it opens pages of a world, each for the first viewer who gets it."""

    def of(world: World | EventWorld, viewers: Iterable[str], paths: Iterable[str], least: int) -> Walk:
        def walk() -> Iterator[tuple[str, Page]]:
            clients = {viewer: client_of(world, viewer) for viewer in viewers}
            readers = {path: reader_of(clients, path) for path in sorted(set(paths))}
            pages: dict[str, Page] = {}
            for path, viewer in readers.items():
                if viewer is None:
                    continue
                if viewer not in pages:
                    user = world.people.get(viewer)
                    still = {"reduced_motion": "reduce"}
                    pages[viewer] = phone(user, **still) if user else new_context(**still).new_page()
                    pages[viewer].add_init_script(AXE_SCRIPT)  # sent once, not with each page
                pages[viewer].goto(f"{live_server.url}{path}")
                yield path, pages[viewer]
            assert sum(viewer is not None for viewer in readers.values()) >= least

        return walk

    return of


@pytest.fixture
def walked(world, walk_of) -> Walk:
    """Opens every page of the world."""
    return walk_of(world, VIEWERS, paths(world), MANY)


@pytest.fixture
def walked_events(book, settings, walk_of) -> Walk:
    """Opens every page of the world of events."""
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    world = make_event_world()
    ours = (each for each in event_addresses() if not each.route.startswith(NOT_OURS) and each.name not in NOWHERE)
    paths = [each.filled(world) for each in ours]
    return walk_of(world, VIEWERS_OF_EVENTS, paths, len(paths) // 3)


@pytest.mark.parametrize("quarter", range(4))
def test_legible_to_everybody(world, walk_of, quarter):
    """Each quarter of the pages, so that the quarters run side by side."""
    check_legible(walk_of(world, VIEWERS, sorted(set(paths(world)))[quarter::4], MANY // 5))


@pytest.mark.nightly
def test_events_are_legible_to_everybody(walked_events):
    check_legible(walked_events)


def check_legible(walk: Walk) -> None:
    found = {}
    for path, page in walk():
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            if wrong := faults(page, only=rules):
                found[path, theme] = wrong
    assert found == {}, pformat(found, width=160)


def named(letters: int, number: int) -> str:
    """A name of so many letters, without a space at which a line could end."""
    return f"{'Wanderers' * letters}"[: letters - 4] + f"{number:04}"


@pytest.mark.nightly
def test_no_name_in_an_event_is_too_long_for_a_phone(walked_events):
    for model in (Entry, Event, League):
        for number, row in enumerate(model.objects.all()):
            model.objects.filter(pk=row.pk).update(name=named(80, number))
    check_widths(walked_events)


@pytest.mark.nightly
def test_no_name_is_too_long_for_a_phone(world, walked):
    for number, user in enumerate(User.objects.all()):
        User.objects.filter(pk=user.pk).update(username=named(34, number))
    for model in (Register, Dossier, Campaign):
        for number, row in enumerate(model.objects.all()):
            model.objects.filter(pk=row.pk).update(name=named(80, number))
    check_widths(walked)


def check_widths(walk: Walk) -> None:
    wide = {}
    for path, page in walk():
        open_folds(page)
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 360:
            wide[path] = width
    assert wide == {}, pformat(wide)

"""Every page that the site has, in both themes on a phone: legible to everybody, and no wider than the phone. The HTML
of every page is looked at in tests/test_budgets.py."""

import re
from collections.abc import Callable, Iterable, Iterator
from pprint import pformat

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from accounts.models import User
from campaign.models import Campaign
from registers.models import Dossier, Register
from tests.browser.legible import OF_COLOURS, faults, open_folds
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import EventWorld, event_addresses, make_event_world
from tests.walking import Answer, Visitor
from tests.world import World, addresses, make_world
from tournaments.models import Entry, Event, League

pytestmark = pytest.mark.django_db(transaction=True)

#: Who looks: of these the first who gets the page.
VIEWERS = ("owner", "organizer", "stranger", "staff", "anonymous")
#: Django's own pages, in its own core.ui.
NOT_OURS = "admin/"
#: Nobody of the world has an authenticator app, acts for another, or has sent a file of an event; no night has passed;
#: these battles are not closed; and the site has neither a sign-in by OpenID Connect nor an address for weaknesses.
NOWHERE = (
    "battles:act_for",
    "archive:nightly_file",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "tournaments:review_import",
    "chronicle:after_action_image",
    "chronicle:public_after_action",
    "openid_connect_login",
    "openid_connect_callback",
    "ui:security",
)
#: The gate looks at one theme; the nightly run also checks the colors of the other.
THEMES = {"light": (), "dark": OF_COLOURS} if NIGHTLY else {"light": ()}
VIEWERS_OF_EVENTS = ("player", "organizer", "judge", "stranger", "anonymous")
#: The gate opens these pages, which together have most of the elements and classes that any page has.
OPENED = (
    "account_signup", "battles:army", "battles:detail", "battles:print", "battles:sequence_side", "battles:table",
    "campaign:detail", "campaign:standings", "chronicle:index", "discussion:announcement", "registers:building",
    "registers:detail", "registers:print", "registers:supply", "schedule:round", "ui:styleguide",
)  # fmt: skip
#: Looking at a page takes as long as looking at so many tags.
FIXED = 500
#: So many words more may be missing in OPENED than in the best choice of as many pages.
MISSING = 12
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


def opened(world: World) -> list[str]:
    """The addresses that the gate opens."""
    return [each.filled(world) for each in addresses() if each.name in OPENED]


def is_page(answer: Answer, path: str) -> bool:
    """Whether this is a whole page: no file, no part of a page, no way to another one."""
    whole = "text/html" in answer.content and "<html" in answer.content
    return whole and (answer.status == 200 or path.endswith("/nowhere/"))


def read(visitors: dict[str, Visitor], path: str) -> tuple[str, str] | None:
    """The first who gets a page there, and the page; none if it is no page. An address where nobody finds anything
    proves nothing."""
    found = set()
    for viewer, visitor in visitors.items():
        answer = visitor.ask("GET", path)
        if is_page(answer, path):
            return viewer, answer.content
        if answer.status in (200, 405):
            return None  # a file, a part, or nothing to look at: for everybody else as well
        if viewer != "anonymous":  # who is sent to sign in, whatever there is
            found.add(answer.status)
    # The API has an answer for each address that it does not know.
    assert found != {404} or path.startswith("/api/"), f"Nobody finds anything at {path}: see tests/world.py"
    return None


def words_of(page: str) -> set[str]:
    """The elements of a page, and the classes and types that the styles may look at."""
    classes = " ".join(re.findall(r'class="([^"]*)"', page)).split()
    return {*re.findall(r"<\w+", page), *classes, *re.findall(r'type="\w+"', page)}


def with_most_words(pages: dict[str, str]) -> list[str]:
    """Addresses of the few pages that have most of the words which any of these pages has, small pages rather than
    large ones."""
    words = {path: words_of(page) for path, page in pages.items()}
    left, chosen = set().union(*words.values()), []
    while left and len(chosen) < len(OPENED):
        chosen.append(max(words, key=lambda path: len(words[path] & left) / (FIXED + pages[path].count("<"))))
        left -= words[chosen[-1]]
    return chosen


@pytest.mark.nightly
def test_the_gate_opens_the_pages_with_most_words(world):
    visitors = {viewer: Visitor(world.people.get(viewer)) for viewer in VIEWERS}
    pages = {path: page for path in paths(world) if (page := read(visitors, path))}
    words = {path: words_of(content) for path, (_, content) in pages.items()}
    best = with_most_words({path: content for path, (_, content) in pages.items()})
    every, ours = set().union(*words.values()), set().union(*(words[path] for path in opened(world)))
    assert len(every - ours) <= len(every - set().union(*(words[path] for path in best))) + MISSING, best


Walk = Callable[[], Iterator[tuple[str, Page]]]


@pytest.fixture
def walk_of(phone, new_context, live_server) -> Callable[..., Walk]:
    """Returns a walk: it opens pages of a world, each for the first viewer who gets it."""

    def of(world: World | EventWorld, viewers: Iterable[str], paths: Iterable[str], least: int) -> Walk:
        def walk() -> Iterator[tuple[str, Page]]:
            visitors = {viewer: Visitor(world.people.get(viewer)) for viewer in viewers}
            found = {path: page for path in dict.fromkeys(paths) if (page := read(visitors, path))}
            assert len(found) >= least
            pages: dict[str, Page] = {}
            for path, (viewer, _) in found.items():
                if viewer not in pages:
                    user = world.people.get(viewer)
                    still = {"reduced_motion": "reduce"}
                    pages[viewer] = phone(user, **still) if user else new_context(**still).new_page()
                    pages[viewer].add_init_script(AXE_SCRIPT)  # sent once, not with each page
                pages[viewer].goto(f"{live_server.url}{path}")
                yield path, pages[viewer]

        return walk

    return of


@pytest.fixture
def walked(world, walk_of) -> Walk:
    """Opens every page of the world; in the gate those of OPENED."""
    if NIGHTLY:
        return walk_of(world, VIEWERS, paths(world), MANY)
    return walk_of(world, VIEWERS, opened(world), len(OPENED))


@pytest.fixture
def walked_events(book, settings, walk_of) -> Walk:
    """Opens every page of the world of events."""
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    world = make_event_world()
    ours = (each for each in event_addresses() if not each.route.startswith(NOT_OURS) and each.name not in NOWHERE)
    paths = [each.filled(world) for each in ours]
    return walk_of(world, VIEWERS_OF_EVENTS, paths, len(paths) // 3)


def test_legible_to_everybody(walked):
    check_legible(walked)


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

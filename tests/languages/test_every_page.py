"""Every page of the site in a language of nonsense: what is still English was never given to a translator."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from accounts.models import User
from campaign.battles.models import Amendment
from registers.models import Dossier, Register
from registers.options.offers import core_keywords
from registers.starters import starters
from rules.core.rulebook import Rulebook
from tests.languages.reading import data_of, texts_of, untranslated
from tests.tournaments.world import EventWorld, event_addresses, make_event_world
from tests.walking import Visitor
from tests.world import Address, World, addresses, make_world
from tournaments.models import Entry, Event, JudgeCall, League

#: The admin is a tool of whoever runs the site, and speaks Django's languages and our English.
NOT_OURS = "admin/"
READ = ("text/html", "application/atom+xml")
ROLES = ("owner", "organizer", "anonymous")
ROLES_OF_EVENTS = ("player", "organizer", "anonymous")


@pytest.fixture
def world(book: Rulebook) -> World:
    return make_world()


def data(book: Rulebook, world: World) -> list[str]:
    """What people called themselves and theirs."""
    names = [*User.objects.values_list("username", flat=True), *Register.objects.values_list("name", flat=True)]
    names += [*Dossier.objects.values_list("name", flat=True), world.campaign.name, "Elsewhere"]
    names += [word for name in names for word in name.split()]  # on paper each line of a name is a text
    names += [world.draft.draft["name"], world.version.content["name"]]
    names += [world.story.title, world.story.text, world.picture.alt]
    names += [world.system.name, world.team.name, world.phase.name, world.phase.note, world.round.place]
    names += [world.announcement.title, world.announcement.text, world.comment.text]
    names += core_keywords().values()
    names += [unit["name"] for units in starters().values() for unit in units if "name" in unit]
    names += [
        ", ".join(word for word in unit.keywords if not word.startswith("Mercenary:")) for unit in book.units.values()
    ]
    names += Amendment.objects.values_list("reason", flat=True)
    return data_of(book, *names, world.version.content)


@pytest.mark.nightly
@pytest.mark.django_db
def test_no_page_says_anything_that_no_translator_has_seen(book, world, nonsense, settings):
    found = untranslated_pages(world, ROLES, list(addresses()), data(book, world), nonsense, settings)
    assert found == {}


@pytest.mark.nightly
@pytest.mark.django_db
def test_no_page_of_events_says_anything_that_no_translator_has_seen(book, nonsense, settings):
    world = make_event_world()
    known = data_of(book, *names_in_events())
    found = untranslated_pages(world, ROLES_OF_EVENTS, list(event_addresses()), known, nonsense, settings)
    assert found == {}


def names_in_events() -> list[str]:
    """What people called themselves, their events and leagues, and what they asked."""
    names = [*User.objects.values_list("username", flat=True), *Entry.objects.values_list("name", flat=True)]
    names += [*Event.objects.values_list("name", flat=True), *League.objects.values_list("name", flat=True)]
    names += [*JudgeCall.objects.values_list("question", flat=True), *(entry.word for entry in Entry.objects.all())]
    return [*names, "Lists are on paper.", "Ashen Patrol", *(word for name in names for word in name.split())]


def untranslated_pages(
    world: World | EventWorld,
    roles: Iterable[str],
    site: Collection[Address],
    known: list[str],
    nonsense: str,
    settings: Any,
) -> dict[str, list[str]]:
    """Return the English texts that each page shows in the language of nonsense."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    english: dict[str, list[str]] = {}
    for role in roles:
        visitor = Visitor(world.people.get(role))
        for address in site:
            if address.route.startswith(NOT_OURS):
                continue
            for method in ("GET", "POST"):
                answer = visitor.ask(method, address.filled(world), {"Accept-Language": nonsense})
                if any(kind in answer.content for kind in READ) and (
                    found := untranslated(_texts(answer.content), known)
                ):
                    english.setdefault(f"{address.name} {method}", []).extend(found)
    return {page: sorted(set(texts)) for page, texts in english.items()}


def _texts(text: str) -> list[str]:
    return texts_of(text[text.index("} ") + 2 :])

"""The book of a campaign: its chapters, honors and fallen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.battles.models import Battle
from campaign.battles.pages.register_lines import RegisterLine, register_lines
from campaign.chronicle.narrative.battle_story import BattleStory
from campaign.chronicle.narrative.entries import Entry, entries, entries_of
from campaign.chronicle.narrative.poster import Leader
from campaign.models import Campaign
from campaign.queries.registers import by_standing
from registers.ledger.session import rulebook_for
from registers.models import Register
from registers.pages.sheet import in_order
from rules.register.labels import unit_label
from uploads.models import Picture

LEADING = 3
#: Fewest entries of a book with a table of contents.
CONTENTS_FROM = 4


@dataclass(frozen=True, slots=True)
class Honor:
    """A unit on the roll of honor: its Register, the rank it reached and its Commendations, in battle order.
    `veteran_rank` is 0 if it reached none in a closed battle.
    """

    register: str
    unit: str
    veteran_rank: int
    commendations: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fallen:
    """A unit on the roll of the fallen, and the number of the battle in which it fell."""

    register: str
    unit: str
    battle: int


def registers_with_closed_battles(campaign: Campaign) -> QuerySet[Register]:
    """Return the Registers of closed battles: the public sees no others."""
    closed = Battle.objects.filter(campaign=campaign, status=Battle.Status.CLOSED)
    return Register.objects.filter(sides__battle__in=closed).distinct().order_by()


def leaders(campaign: Campaign) -> list[Leader]:
    """Return the Registers of `registers_with_closed_battles` with the highest Reputation."""
    found = by_standing(registers_with_closed_battles(campaign))[:LEADING]
    words = _("Reputation %(points)d")
    return [Leader(each.name, each.faction, words % {"points": each.reputation}) for each in found]


def battles_words(campaign: Campaign) -> str:
    """Return the number of closed battles in words."""
    return number_in_words(campaign.battles.filter(status=Battle.Status.CLOSED).count())


def number_in_words(number: int) -> str:
    """Return the words for a chronicle of this many battles."""
    if not number:
        return _("The chronicle has just begun")
    return ngettext("The chronicle of %(n)d battle", "The chronicle of %(n)d battles", number) % {"n": number}


def honors(battle_stories: Sequence[BattleStory]) -> list[Honor]:
    """Return the roll of honor of these battles: highest Veteran Rank first, then by Register and unit."""
    names: dict[str, str] = {}
    ranks: dict[tuple[str, str], int] = {}
    awards: dict[tuple[str, str], list[str]] = {}
    for side in (side for battle_story in battle_stories for side in battle_story.sides):
        names[side.key] = side.name
        for unit, rank in side.ranks:
            ranks[side.key, unit] = max(rank, ranks.get((side.key, unit), 0))
        for unit, commendation in side.commendations:
            awards.setdefault((side.key, unit), []).append(commendation)
    found = [
        Honor(names[key], unit, ranks.get((key, unit), 0), awards.get((key, unit), []))
        for key, unit in dict.fromkeys([*ranks, *awards])
    ]
    return sorted(found, key=lambda each: (-each.veteran_rank, each.register, each.unit))


def fallen(battle_stories: Sequence[BattleStory]) -> list[Fallen]:
    """Return the roll of the fallen of these battles, in the order in which units fell."""
    return [
        Fallen(side.name, unit, battle_story.number)
        for battle_story in battle_stories
        for side in battle_story.sides
        for unit in side.fallen
    ]


#: A function that returns the pictures of a campaign that its readers may see.
VisiblePictures = Callable[[Campaign], QuerySet[Picture]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The contents of the book. `entries` are oldest first, `pictures` are by key, `registers` have the highest
    Reputation first; `first` and `last` are the days of the first and the last battle.
    """

    campaign: Campaign
    words: str
    picture: Picture | None
    pictures: Mapping[UUID, Picture]
    registers: Sequence[tuple[RegisterLine, list[dict[str, Any]]]]
    entries: Sequence[Entry]
    honors: Sequence[Honor]
    fallen: Sequence[Fallen]
    first: date | None
    last: date | None

    @property
    def has_contents(self) -> bool:
        """Return whether there are enough entries for a table of contents."""
        return len(self.entries) >= CONTENTS_FROM


def book_units(line: RegisterLine) -> list[dict[str, Any]]:
    """Return the units of a Register as they are now: their names, cards, and what they have earned. No query."""
    book = rulebook_for(line.register)
    return [
        {
            "label": unit_label(book, line.state, dossier.key),
            "card": book.units[dossier.card].full_name,
            "experience": dossier.experience,
            "veteran_rank": dossier.veteran_rank,
            "commendations": [book.commendations[slug].name for slug in dossier.commendations],
        }
        for dossier in in_order(line.state)
    ]


def book_of(campaign: Campaign, visible_pictures: VisiblePictures) -> Book:
    """Return the book of a campaign in a constant number of queries, with the pictures of `visible_pictures`."""
    shown = {picture.pk: picture for picture in visible_pictures(campaign)}
    chapters = entries(entries_of(campaign))[::-1]
    battle_stories = [entry.battle_story for entry in chapters if entry.battle_story]
    found = registers_with_closed_battles(campaign).select_related("owner")
    lines = register_lines(by_standing(found))
    days = [battle_story.date for battle_story in battle_stories]
    return Book(
        campaign=campaign,
        words=number_in_words(sum(entry.battle is not None for entry in chapters)),
        picture=shown.get(campaign.picture_id),
        pictures=shown,
        registers=[(line, book_units(line)) for line in lines],
        entries=chapters,
        honors=honors(battle_stories),
        fallen=fallen(battle_stories),
        first=min(days, default=None),
        last=max(days, default=None),
    )

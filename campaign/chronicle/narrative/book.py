"""The book of a campaign: its cast, chapters, honors and fallen."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import date
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.timezone import localdate
from django.utils.translation import gettext as _, ngettext

from campaign.battles.models import Battle
from campaign.battles.pages.dice_statistics import DiceSample, fallen as dice_of
from campaign.battles.pages.register_lines import RegisterLine, register_lines, with_places
from campaign.chronicle.narrative.after_action import AfterAction, report_of_story
from campaign.chronicle.narrative.battle_story import BattleStory
from campaign.chronicle.narrative.entries import Entry, entries, entries_of
from campaign.models import Campaign
from campaign.queries.registers import by_standing
from campaign.schedule.models import Phase
from campaign.star_map.queries import StarMap, star_map_of
from campaign.teams.standings import TeamStanding, team_of, team_standings
from core.pdf import printable
from registers.ledger.session import rulebook_for
from registers.markdown import to_html
from registers.models import Dossier, Register
from registers.pages.sheet import in_order
from registers.print.preview import on_paper
from registers.print.typesetting import Picture as PrintedPicture, width
from rules.core.values import KeywordValue, Value
from rules.register.labels import unit_label
from rules.register.state import everyone
from uploads.models import Picture

#: A function that returns the pictures of a campaign that its readers may see.
VisiblePictures = Callable[[Campaign], QuerySet[Picture]]

LEADING = 3
#: Fewest entries of a book with a table of contents.
CONTENTS_FROM = 4
#: Width of the names below the map on the cover, in em: six lines of a booklet.
COVER_NAMES = 190


def registers_with_closed_battles(campaign: Campaign) -> QuerySet[Register]:
    """Return the Registers of closed battles: the public sees no others."""
    closed = Battle.objects.filter(campaign=campaign, status=Battle.Status.CLOSED)
    return Register.objects.filter(sides__battle__in=closed).distinct().order_by()


def leaders(campaign: Campaign) -> list[Register]:
    """Return the Registers of `registers_with_closed_battles` with the highest Reputation."""
    return by_standing(registers_with_closed_battles(campaign))[:LEADING]


def battles_words(campaign: Campaign) -> str:
    """Return the number of closed battles in words."""
    return number_in_words(campaign.battles.filter(status=Battle.Status.CLOSED).count())


def preview_html(campaign: Campaign) -> str:
    """Return the document of the wide picture that messengers show next to the public link, all letters with a font."""
    context = {"campaign": campaign.name, "words": battles_words(campaign), "leaders": leaders(campaign)}
    # Messengers would remember that a picture was refused.
    return printable(render_to_string("chronicle/campaign_picture.html", context))


def number_in_words(number: int) -> str:
    """Return the words for a chronicle of this many battles."""
    if not number:
        return _("The chronicle has just begun")
    return ngettext("The chronicle of %(n)d battle", "The chronicle of %(n)d battles", number) % {"n": number}


def honors(battle_stories: Sequence[BattleStory]) -> list[dict[str, Any]]:
    """Return the roll of honor of these battles by Register, the highest Veteran Rank first, then by unit. The Veteran
    Rank is 0 if the unit reached none in a closed battle; its Commendations are in battle order.
    """
    names: dict[str, str] = {}
    ranks: dict[tuple[str, str], int] = {}
    awards = defaultdict[tuple[str, str], list[str]](list)
    for side in (side for battle_story in battle_stories for side in battle_story.sides):
        names[side.key] = side.name
        for unit, rank in side.ranks:
            ranks[side.key, unit] = max(rank, ranks.get((side.key, unit), 0))
        for unit, commendation in side.commendations:
            awards[side.key, unit].append(commendation)
    found = [
        {"key": of[0], "unit": of[1], "veteran_rank": ranks.get(of, 0), "commendations": awards[of]}
        for of in dict.fromkeys([*ranks, *awards])
    ]
    found.sort(key=lambda each: (-each["veteran_rank"], names[each["key"]], each["unit"]))
    registers = list(dict.fromkeys(each["key"] for each in found))
    return [{"register": names[key]} | each for key in registers for each in found if each["key"] == key]


def fallen(battle_stories: Sequence[BattleStory]) -> list[dict[str, Any]]:
    """Return the roll of the fallen of these battles, in the order in which units fell."""
    return [
        {"register": side.name, "unit": unit, "battle": battle_story.number}
        for battle_story in battle_stories
        for side in battle_story.sides
        for unit in side.fallen
    ]


class BookEntry(Value):
    """An entry of the book. A battle has its report, and the portrait of its hero if there is one."""

    entry: Entry
    report: AfterAction | None = None
    portrait: PrintedPicture | None = None


class Chapter(Value):
    """The entries since the first day of a phase, oldest first; without a phase, those before the first one."""

    phase: Phase | None
    entries: Sequence[BookEntry]


class Book(KeywordValue):
    """The contents of the book. `cast` has the highest Reputation first, `teams` are the standings of teams, `turns`
    what happened on the map, oldest first, with the day. `pictures` are by key; `first` and `last` are the days of the
    first and the last battle. A `public` one has no names of accounts, places, notes, units and portraits.
    """

    campaign: Campaign
    public: bool = False
    words: str = ""
    picture: Picture | None = None
    pictures: Mapping[UUID, Picture] = field(default_factory=dict)
    cast: Sequence[dict[str, Any]] = ()
    teams: Sequence[TeamStanding] = ()
    chapters: Sequence[Chapter] = ()
    star_map: StarMap = field(default_factory=lambda: StarMap([], []))
    turns: Sequence[tuple[date, str]] = ()
    honors: Sequence[dict[str, Any]] = ()
    fallen: Sequence[dict[str, Any]] = ()
    dice: Sequence[DiceSample] = ()
    first: date | None = None
    last: date | None = None

    @property
    def has_contents(self) -> bool:
        """Return whether there are enough entries for a table of contents."""
        return sum(len(chapter.entries) for chapter in self.chapters) >= CONTENTS_FROM

    @property
    def cover_names(self) -> list[str]:
        """Return the names of the Registers for the cover: the highest in the standings, as many as fit."""
        names = [str(member["line"].name) for member in self.cast]
        ends = accumulate(width(f"{name} ·", bold=True) for name in names)
        return [name for name, end in zip(names, ends, strict=True) if end <= COVER_NAMES]


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


def book_of(campaign: Campaign, visible_pictures: VisiblePictures, *, public: bool = False) -> Book:
    """Return the book of a campaign in a constant number of queries, with the pictures of `visible_pictures`. For
    members it has the portraits of units too, and Registers that have fought no battle yet.
    """
    shown = {picture.pk: picture for picture in visible_pictures(campaign)}
    found = entries(entries_of(campaign))[::-1]
    battle_stories = [entry.battle_story for entry in found if entry.battle_story]
    lines = register_lines(_cast_of(campaign, public=public))
    # One that has left tells its new campaign what became of it, not this one.
    here = [line for line in lines if _is_in(line.register, campaign)]
    dossiers = {} if public else _dossiers_of(here)
    shown |= {dossier.picture.pk: dossier.picture for dossier in dossiers.values() if dossier.picture}
    playing = [line for line in here if line.register.enlistment.plays]
    places = {line.register.pk: place for place, line in with_places(playing)}
    cast = [
        _member(line, places.get(line.register.pk, 0), dossiers, is_here=line in here)
        for _place, line in with_places(lines)
    ]
    star_map = star_map_of(campaign)
    # By when they were made, as holders on the map are. Those by hand may name a battle, but happen when decided.
    turns = sorted(
        (turn.at, turn.fought or localdate(turn.at), turn.sentence(system.name))
        for system in star_map.systems
        for turn in system.changes
    )
    days = [battle_story.date for battle_story in battle_stories]
    return Book(
        campaign=campaign,
        public=public,
        words=number_in_words(len(battle_stories)),
        picture=shown.get(campaign.picture_id),
        pictures=shown,
        cast=sorted(cast, key=lambda member: not member["place"]),
        teams=team_standings(playing),
        chapters=_chapters(list(campaign.phases.all()), [_entry(entry, dossiers) for entry in found]),
        star_map=star_map,
        turns=[(day, sentence) for _at, day, sentence in turns],
        honors=honors(battle_stories),
        fallen=fallen(battle_stories),
        dice=dice_of(campaign.battles.filter(status=Battle.Status.CLOSED)),
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _cast_of(campaign: Campaign, *, public: bool) -> QuerySet[Register]:
    wanted = Q(pk__in=registers_with_closed_battles(campaign).values("pk"))
    if not public:
        wanted |= Q(enlistment__campaign=campaign, commissioned=True, discarded=False)
    return Register.objects.filter(wanted).select_related("owner", "enlistment", "team_place__team")


def _is_in(register: Register, campaign: Campaign) -> bool:
    """Return whether a Register has not left the campaign."""
    enlistment = getattr(register, "enlistment", None)
    return enlistment is not None and enlistment.campaign_id == campaign.pk


def _dossiers_of(lines: Sequence[RegisterLine]) -> dict[tuple[str, str], Dossier]:
    """Return the Dossiers with a portrait or a biography, by the keys of their Register and their unit: one query."""
    found = Dossier.objects.filter(register__in=[line.register for line in lines])
    rows = found.exclude(picture=None, biography="").select_related("picture", "register")
    return {(str(row.register_id), row.key): row for row in rows}


def _portrait(dossier: Dossier | None) -> PrintedPicture | None:
    return on_paper(dossier.register, dossier.picture) if dossier and dossier.picture else None


def _member(
    line: RegisterLine, place: int, dossiers: Mapping[tuple[str, str], Dossier], *, is_here: bool
) -> dict[str, Any]:
    """Return a Register of the cast: its place in the standings (0: it does not play any more), and its units as they
    are now. `paragon` is the name and card of its Paragon, with its portrait and biography (HTML).
    """
    book, key = rulebook_for(line.register), line.state.paragon
    paragon = everyone(line.state).get(key) if is_here else None
    dossier = dossiers.get((str(line.register.pk), key))
    return {
        "line": line,
        "place": place,
        "team": team_of(line.register) if place else None,  # one that has left may be in a team elsewhere
        "units": book_units(line) if is_here else [],
        "paragon": (unit_label(book, line.state, key), book.units[paragon.card].full_name) if paragon else None,
        "portrait": _portrait(dossier),
        "biography": to_html(dossier.biography) if dossier else "",
    }


def _entry(entry: Entry, dossiers: Mapping[tuple[str, str], Dossier]) -> BookEntry:
    if not entry.battle_story:
        return BookEntry(entry)
    report = report_of_story(entry.battle_story)
    hero = report.hero_side
    key = hero.story.keys.get(hero.hero.name, "")
    return BookEntry(entry, report, _portrait(dossiers.get((hero.story.key, key))))


def _chapters(phases: Sequence[Phase], found: Sequence[BookEntry]) -> list[Chapter]:
    """Return a chapter for each phase with entries. What happened after its last day belongs to it, until the next
    one begins.
    """
    groups: dict[Phase | None, list[BookEntry]] = {None: [], **{phase: [] for phase in phases}}
    for each in found:
        begun = [phase for phase in phases if phase.first_day <= each.entry.day]
        groups[begun[-1] if begun else None].append(each)
    return [Chapter(phase, own) for phase, own in groups.items() if own]

"""The public page of a campaign: standings, Registers with their units, planned battles and headlines. Strangers read
it, so it has no names of accounts, no armies of battles, and places only if an organizer shows them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.queries.battles import clock_text
from campaign.battles.queries.register_lines import RegisterLine, register_lines
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.chronicle.models import ShareLink
from campaign.chronicle.narrative.battle_story import battle_stories, narrate
from campaign.chronicle.narrative.book import BookUnit, book_register, registers_with_closed_battles
from campaign.chronicle.narrative.entries import BATTLE, entries_of
from campaign.models import Campaign, Enlistment
from campaign.queries.registers import registers_of
from registers import projection

#: How many headlines and planned battles are shown.
HEADLINES = 5
PLANNED = 12


@dataclass(frozen=True, slots=True)
class PublicRegister:
    """A Register in the standings, with its units. Registers share a `number` if they are equal in Reputation and in
    their record of battles.
    """

    number: int
    line: RegisterLine
    units: Sequence[BookUnit]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBattle:
    """A battle that has not begun. `clock` is its time, empty if none is set; `place` is empty unless
    the page shows places.
    """

    title: str
    size: int
    date: date
    clock: str
    place: str


@dataclass(frozen=True, slots=True)
class Headline:
    """The title of an entry of the chronicle, by its key."""

    key: UUID
    at: datetime
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPage:
    """What the page shows: Registers with the highest Reputation first, planned battles by date, newest headlines
    first.
    """

    registers: Sequence[PublicRegister]
    planned: Sequence[PlannedBattle]
    headlines: Sequence[Headline]


def public_page_of(link: ShareLink) -> PublicPage:
    """Return the public page of a campaign, in eleven queries at most, however large it is. Registers without a closed
    battle are left out, as everywhere in public, and so are those that were withdrawn or retired.
    """
    campaign = link.campaign
    playing = registers_of(campaign).filter(enlistment__status=Enlistment.Status.PLAYING)
    public = playing.filter(pk__in=registers_with_closed_battles(campaign).order_by().values("pk"))
    lines = sorted(register_lines(public), key=lambda line: (_standing(line), str(line.register)))
    rows = list(entries_of(campaign)[:HEADLINES])
    closed = [row["pk"] for row in rows if row["kind"] == BATTLE]
    found = campaign.battles.filter(Q(pk__in=closed) | Q(status__in=BEFORE_PLAY)).prefetch_related(SIDES)
    battles = {battle.pk: battle for battle in found}
    planned = sorted(
        (battle for battle in battles.values() if battle.status in BEFORE_PLAY),
        key=lambda battle: (battle.date, battle.number),
    )
    told = [battles[pk] for pk in closed if pk in battles]
    return PublicPage(
        registers=_numbered(lines),
        planned=[_planned(battle, show_place=link.show_places) for battle in planned[:PLANNED]],
        headlines=_headlines(campaign, rows, told, {line.register.pk: line.state for line in lines}),
    )


def _standing(line: RegisterLine) -> tuple[int, int, int, int]:
    return (-line.register.reputation, -line.won, -line.drawn, line.lost)


def _numbered(lines: Sequence[RegisterLine]) -> list[PublicRegister]:
    numbers: dict[tuple[int, ...], int] = {}
    for at, line in enumerate(lines, start=1):
        numbers.setdefault(_standing(line), at)
    return [PublicRegister(numbers[_standing(line)], line, book_register(line).units) for line in lines]


def _planned(battle: Battle, *, show_place: bool) -> PlannedBattle:
    blue, red = battle.sides.all()
    title = _("%(blue)s against %(red)s") % {"blue": blue.name, "red": red.name}
    place = battle.place if show_place else ""
    return PlannedBattle(title=title, size=battle.size, date=battle.date, clock=clock_text(battle), place=place)


def _headlines(
    campaign: Campaign, rows: Sequence[Any], battles: Sequence[Battle], states: dict[UUID, Any]
) -> list[Headline]:
    """Return the headlines for rows of `entries_of`; `battles` are those among them. Three queries at most."""
    sides = [side for battle in battles for side in battle.sides.all() if side.register]
    unknown = {side.own_register.pk: side.own_register for side in sides if side.own_register.pk not in states}
    if unknown:
        states = states | projection.states_of(list(unknown.values()))
    stories = battle_stories(battles, states)
    titles = {pk: narrate(story).headline for pk, story in stories.items()}
    if others := [row["pk"] for row in rows if row["kind"] != BATTLE]:
        titles |= dict(campaign.stories.filter(pk__in=others).values_list("pk", "title"))
    return [Headline(row["pk"], row["at"], titles[row["pk"]]) for row in rows if row["pk"] in titles]

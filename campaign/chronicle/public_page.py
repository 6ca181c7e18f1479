"""The public page of a campaign: standings, Registers with their units, planned battles and headlines. Strangers read
it, so it has no names of accounts, no armies of battles, and places only if an organizer shows them.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.battles.pages.register_lines import RegisterLine, register_lines, with_places
from campaign.battles.queries.battles import clock_text, versus
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.chronicle.models import ShareLink
from campaign.chronicle.narrative.battle_story import battle_stories, narrate
from campaign.chronicle.narrative.book import book_units, registers_with_closed_battles
from campaign.chronicle.narrative.entries import BATTLE, entries_of
from campaign.models import Campaign, Enlistment
from campaign.queries.registers import registers_of
from campaign.schedule.queries import phase_on
from campaign.teams.standings import team_standings
from registers import projection

#: How many headlines, planned battles and heroes are shown.
HEADLINES = 5
PLANNED = 12
HEROES = 5


def public_page_of(link: ShareLink) -> dict[str, Any]:
    """Return the public page of a campaign, in twelve queries at most, however large it is: `registers` with most
    Reputation first, each with its number and units, `teams`, the `phase` of today, `heroes` (the units with the
    highest Veteran Rank), `planned` battles by date, and the newest `headlines`. Registers without a closed battle are
    left out, as everywhere in public, and so are those that were withdrawn or retired.
    """
    campaign = link.campaign
    playing = registers_of(campaign).filter(enlistment__status=Enlistment.Status.PLAYING)
    public = playing.filter(pk__in=registers_with_closed_battles(campaign).values("pk"))
    lines = with_places(register_lines(public))
    rows = list(entries_of(campaign)[:HEADLINES])
    closed = [row["pk"] for row in rows if row["kind"] == BATTLE]
    found = campaign.battles.filter(Q(pk__in=closed) | Q(status__in=BEFORE_PLAY)).prefetch_related(SIDES)
    battles = {battle.pk: battle for battle in found}
    planned = sorted(
        (battle for battle in battles.values() if battle.status in BEFORE_PLAY),
        key=lambda battle: (battle.date, battle.number),
    )
    told = [battles[pk] for pk in closed if pk in battles]
    registers = [(place, line, book_units(line)) for place, line in lines]
    return {
        "registers": registers,
        "teams": team_standings(line for _place, line in lines),
        "phase": phase_on(campaign, timezone.localdate()),
        "heroes": _heroes(registers),
        "planned": [(battle, versus(battle), clock_text(battle)) for battle in planned[:PLANNED]],
        "headlines": _headlines(campaign, rows, told, {line.register.pk: line.state for _place, line in lines}),
    }


def _heroes(registers: Sequence[tuple[int, RegisterLine, list[dict[str, Any]]]]) -> list[tuple[RegisterLine, Any]]:
    """Return the units with the highest Veteran Rank, then the most Commendations, each with its Register."""
    veterans = [(line, unit) for _number, line, units in registers for unit in units if unit["veteran_rank"]]
    return sorted(veterans, key=lambda each: (-each[1]["veteran_rank"], -len(each[1]["commendations"])))[:HEROES]


def _headlines(
    campaign: Campaign, rows: Sequence[Any], battles: Sequence[Battle], states: dict[UUID, Any]
) -> list[dict[str, Any]]:
    """Return the headlines for rows of `entries_of`; `battles` are those among them. Three queries at most."""
    sides = [side for battle in battles for side in battle.sides.all() if side.register]
    unknown = {side.own_register.pk: side.own_register for side in sides if side.own_register.pk not in states}
    if unknown:
        states = states | projection.states_of(list(unknown.values()))
    stories = battle_stories(battles, states)
    found = {pk: {"title": narrate(story).headline, "at": story.date} for pk, story in stories.items()}
    if others := [row["pk"] for row in rows if row["kind"] != BATTLE]:
        found |= {each["pk"]: each for each in campaign.stories.filter(pk__in=others).values("pk", "title")}
    return [{**row, **found[row["pk"]]} for row in rows if row["pk"] in found]

"""Where a campaign stands, next to its charts: arcs near their Turning Point, rivalries, the fallen, and numbers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext

from campaign.battles.models import Side
from campaign.battles.pages.register_lines import RegisterLine, complete_lines, outlines
from campaign.models import Campaign
from campaign.pages.standings_chart import DRAWN, LOST, WON, Fought
from campaign.queries.registers import playing_in
from campaign.schedule.queries import phase_on
from campaign.teams.standings import team_standings
from core.names import name_order
from registers.ledger.session import effects_of_entry, rulebook_for
from registers.models import LedgerEntry, Register
from rules.battle.army import AGENDAS_TO_MAY, AGENDAS_TO_MUST, completed_agendas
from rules.core.values import Value
from rules.post_battle.casualties import FIRST_ROLL
from rules.post_battle.casualty_odds import casualty_chance
from rules.register.effects import DiceRolled
from rules.register.labels import unit_label
from rules.register.state import everyone
from rules.register.upgrade_slots import faction_name

#: How many are shown of each.
MOST = 8


class NearArc(Value):
    """A Register whose Turning Point Mission is one Agenda away or nearer (R22). `done` are its completed Agendas."""

    register: Register
    arc: str
    mission: str
    done: int

    @property
    def words(self) -> str:
        """What its player may do now."""
        if self.done >= AGENDAS_TO_MUST:
            return gettext("must be played in the next battle")
        return gettext("can be played now") if self.done >= AGENDAS_TO_MAY else gettext("one Agenda to go")


class CheckedUnit(Value):
    """A unit that made Casualty Checks with these numbers of dice, and whether it `fell`. Paragons cannot fall."""

    unit: str
    register: Register
    dice: Sequence[int]
    fell: bool

    @property
    def chance(self) -> float:
        """The chance of coming through all of them without a reroll, in percent."""
        return float(100 * prod(1 - casualty_chance(number) for number in self.dice))


def season_of(campaign: Campaign, seen: Fought) -> dict[str, Any]:
    """Return what `campaign/_season.html` shows of a campaign with these battles: six queries."""
    playing = playing_in(seen.registers)
    lines = complete_lines(outlines(playing)) if playing else []
    closed = {bout.battle.pk: bout.battle for bouts in seen.bouts.values() for bout in bouts}
    checked = _checked(lines, closed)
    sides = Side.objects.filter(battle__in=closed, register__isnull=False)
    return {
        "phase": phase_on(campaign, timezone.localdate()),
        "teams": team_standings(lines),
        "arcs": sorted(_arcs(lines), key=lambda each: (-each.done, name_order(str(each.register))))[:MOST],
        "rivalries": _rivalries(seen)[:MOST],
        "fallen": list(_fallen(lines)),
        "checked": checked[:MOST],
        "checks": sum(len(each.dice) for each in checked),
        "expected": float(sum(casualty_chance(number) for each in checked for number in each.dice)),
        "casualties": sum(each.fell for each in checked),
        "battles": len(closed),
        "defeated": sum(len(defeated or ()) for defeated in sides.values_list("report__defeated", flat=True)),
        "factions": _factions(lines),
        "missions": Counter(battle.mission for battle in closed.values() if battle.mission).most_common(MOST),
    }


def _arcs(lines: Sequence[RegisterLine]) -> Iterator[NearArc]:
    for line in lines:
        arc = rulebook_for(line.register).story_arcs.get(line.state.story_arc)
        done = completed_agendas(arc, line.state) if arc and not line.state.saga_complete else 0
        if arc and done >= AGENDAS_TO_MAY - 1:
            yield NearArc(line.register, arc.name, arc.turning_point.name, done)


def _rivalries(seen: Fought) -> list[dict[str, Any]]:
    """Return the pairs that met more than once, those that met most often first, with the results of `one`, who won
    as often as the `other` or more often.
    """
    registers, found = {register.pk: register for register in seen.registers}, []
    for one in seen.registers:
        met = defaultdict[UUID, Counter[str]](Counter)
        for bout in seen.bouts[one.pk]:
            if bout.opponent in registers:
                met[bout.opponent][bout.result] += 1
        for other, results in met.items():
            leads = (results[WON], str(one.pk)) > (results[LOST], str(other))
            if leads and results.total() > 1:
                counts = {result: results[result] for result in (WON, DRAWN, LOST)}
                found.append({"one": one, "other": registers[other], **counts})
    return sorted(found, key=lambda each: (-(each[WON] + each[DRAWN] + each[LOST]), name_order(str(each["one"]))))


def _fallen(lines: Sequence[RegisterLine]) -> Iterator[tuple[str, Register]]:
    for line in lines:
        book = rulebook_for(line.register)
        yield from ((unit_label(book, line.state, key), line.register) for key in line.state.fallen)


def _checked(lines: Sequence[RegisterLine], battles: Iterable[UUID]) -> list[CheckedUnit]:
    """Return the units that made Casualty Checks in these battles, those with the smallest chance first."""
    dice = defaultdict[tuple[UUID, str], list[int]](list)
    registers = [line.register for line in lines]
    entries = LedgerEntry.objects.filter(register__in=registers, battle__in=map(str, battles), undone_by__isnull=True)
    for entry in entries.filter(step=4):
        for effect in effects_of_entry(entry):
            if isinstance(effect, DiceRolled) and effect.why == FIRST_ROLL:
                dice[entry.register_id, effect.unit].append(len(effect.faces))
    found = [
        CheckedUnit(
            unit_label(rulebook_for(line.register), line.state, key), line.register, rolled, key in line.state.fallen
        )
        for line in lines
        for key in everyone(line.state)
        if (rolled := dice.get((line.register.pk, key))) and key != line.state.paragon
    ]
    return sorted(found, key=lambda each: each.chance)


def _factions(lines: Sequence[RegisterLine]) -> list[dict[str, Any]]:
    """Return each Faction with its Registers and their results, those with most Registers first."""
    sums: dict[str, Counter[str]] = {}
    for line in lines:
        own = sums.setdefault(line.register.faction, Counter())
        own.update(registers=1, won=line.won, drawn=line.drawn, lost=line.lost)
    found = [{"slug": slug, "name": faction_name(slug), **numbers} for slug, numbers in sums.items() if slug]
    return sorted(found, key=lambda each: (-each["registers"], each["name"]))

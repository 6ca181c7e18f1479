"""Battles: who fights, whose turn it is, and their status in words."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.report_data import book_of
from campaign.battles.state_machine import BEFORE_PLAY, OVER
from campaign.models import Enlistment
from catalogue.snapshot import rulebook
from core.time_zones import site_zone
from registers import projection
from registers.campaign_side import BattleName
from registers.keys import key_in
from rules.battle import army as armies
from rules.battle.army import may_play_turning_point
from rules.core.card_types import TurningPoint


def open_battles_of(register_id: UUID) -> Q:
    """Return the condition for battles of a Register that are planned or have begun, and are not over."""
    return Q(sides__register=register_id) & ~Q(status__in=OVER)


def battles_under_way(user: User) -> QuerySet[Battle]:
    """Return the battles of a person's Registers that are not over."""
    return Battle.objects.exclude(status__in=OVER).filter(sides__register__owner=user)


def mission_of(battle: Battle) -> TurningPoint | None:
    """Return the Turning Point Mission of a battle, if it has one."""
    arc = battle.turning_point_id
    return rulebook().story_arcs[arc].turning_point if arc else None


def both_ways(battle: Battle) -> list[tuple[Side, Side]]:
    """Return both sides of a battle, blue first, each paired with the other. No query if they are prefetched."""
    blue, red = battle.sides.all()
    return [(blue, red), (red, blue)]


def versus(battle: Battle) -> str:
    """Return who fights in a battle: "Dune Wardens against Ashen Patrol". No query if its sides are prefetched."""
    blue, red = sorted(battle.sides.all(), key=lambda side: side.colour)
    return gettext("%(blue)s against %(red)s") % {"blue": blue.name, "red": red.name}


def busy_side(sides: Iterable[Side]) -> Side | None:
    """Return the first side of a planned battle whose Register is in another battle (R11). No query if loaded."""
    return next((side for side in sides if side.register and side.register.in_field_battle), None)


def other_battles(battle: Battle) -> list[tuple[Side, Battle]]:
    """Return sides of a planned battle whose Registers are in another, each with that one (R11): one query if any."""
    if battle.status not in BEFORE_PLAY:
        return []
    fields = {side: side.register.in_field_battle for side in battle.sides.all() if side.register}
    others = Battle.objects.in_bulk([key for field in fields.values() if (key := key_in(field))])
    return [(side, others[key]) for side, field in fields.items() if (key := key_in(field)) in others]


def mission_owners(battle: Battle) -> list[Side]:
    """Return the sides of a battle whose Turning Point Mission may be played now, blue first (R22): two queries."""
    sides = [side for side in battle.sides.all() if side.register]
    states = projection.states_of([side.own_register for side in sides])
    found = ((side, states[side.own_register.pk]) for side in sides)
    return [side for side, state in found if state.story_arc and may_play_turning_point(book_of(side), state)]


def when_text(battle: Battle, days: str = "DATE_FORMAT") -> str:
    """Return when a battle takes place: its date in the format `days`, its time, and its time zone unless that is the
    site's ("21 April 2026, 19:00 Europe/Berlin").
    """
    return ", ".join(filter(None, [date_format(battle.date, days), clock_text(battle)]))


def clock_text(battle: Battle) -> str:
    """Return the time of a battle, and its time zone unless that is the site's; empty if no time is set."""
    if battle.time is None:
        return ""
    zone = battle.time_zone.replace("_", " ") if battle.time_zone not in ("", site_zone()) else ""
    return f"{time_format(battle.time)} {zone}".strip()


def open_amendment_of(battle: Battle) -> Amendment | None:
    """Return the open amendment of a battle, neither applied nor dropped yet."""
    return battle.amendments.filter(state=Amendment.State.OPEN).select_related("made_by").first()


def status_text(battle: Battle) -> str:
    """Return the status of a battle in a few words."""
    (blue, red), _ = both_ways(battle)
    match battle.status:
        case Battle.Status.PLANNED:
            late = [side.name for side in (blue, red) if not side.army_chosen]
            if len(late) == 1:
                return gettext("%(side)s is choosing its army") % {"side": late[0]}
            return gettext("both are choosing armies")
        case Battle.Status.READY if waits_for := side_to_choose(battle.sides.all()):
            return gettext("%(side)s is choosing its Agenda") % {"side": waits_for.name}
        case Battle.Status.READY if busy := busy_side(battle.sides.all()):
            return gettext("%(side)s is still in another battle") % {"side": busy.name}
        case Battle.Status.READY:
            return gettext("ready to start")
        case Battle.Status.SEQUENCE:
            under_way = (side for side in (blue, red) if not side.done)
            return ", ".join(
                gettext("%(side)s at step %(step)s") % {"side": each.name, "step": each.step} for each in under_way
            )
        case Battle.Status.CLOSED:
            winner = next((side.name for side in (blue, red) if side.colour == battle.winner), "")
            return gettext("%(winner)s won") % {"winner": winner} if winner else gettext("a draw")
        case _:
            return str(battle.get_status_display())


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """Return the names of battles for the pages of the Registers."""
    joined = Enlistment.objects.filter(register=OuterRef("campaign__solo"))
    found = Battle.objects.filter(pk__in=[pk for pk in ids if key_in(pk)]).annotate(joined=Exists(joined))
    return {str(each.pk): _name_of(each) for each in found.select_related("campaign")}


def _name_of(battle: Any) -> BattleName:
    """Return the name of a battle. Once its Register is `joined` to a campaign, others see that but no solo battle."""
    solo = battle.campaign.solo_id
    label = gettext("Solo battle %(number)s") % {"number": battle.number} if solo else str(battle)
    return BattleName(label, "" if battle.joined else battle.get_absolute_url(), str(battle.number), battle.date)


def side_to_choose(sides: Iterable[Side]) -> Side | None:
    """Return the side to choose its Agenda next, Blue first, None if all have (R23). Both have armies. No query."""
    open_choices = (side for side in sides if side.register_id and side.agenda is None)
    return min(open_choices, key=lambda side: side.colour, default=None)


def agendas_version(sides: Iterable[Side]) -> int:
    """Return a number that grows with every change of an army or an Agenda of the battle."""
    return sum(side.version for side in sides)


def setup_for(battle: Battle, side: Side, sides: list[Side]) -> armies.BattleSetup:
    """Return the size, reinforcements and Turning Point Mission of one side, with Registers loaded (R18, R20, R22)."""
    other = next(other for other in sides if other.pk != side.pk)
    ahead = other.register.reputation if other.register else 0
    return armies.BattleSetup(
        size=battle.size,
        reinforcements=armies.reinforcements(side.register.reputation, ahead) if side.register else 0,
        own_turning_point=battle.owner == side.colour,
        turning_point=bool(battle.owner),
    )

"""The star map of a campaign as pages show it, in one query."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, OuterRef, Q, Subquery, UUIDField, Value
from django.db.models.functions import Cast, Coalesce, JSONObject
from django.utils.translation import gettext

from campaign.battles.models import Battle, Side
from campaign.models import Activity, ActivityKind, Campaign
from campaign.models.activity import Action
from campaign.queries.registers import by_standing, registers_of
from campaign.star_map.holders import Change, Holder, history, holder_from
from campaign.star_map.layouts import Spot, shortened, spread
from campaign.star_map.models import BonusAward, HolderChange, MapSettings, System, SystemBattle
from campaign.teams.models import Team
from campaign.teams.standings import team_of
from registers.models import Register
from rules.core import values


class Open(values.KeywordValue):
    """A battle for a system that is not over, or after which an organizer has yet to decide who holds it: its key,
    number and status. `winner` is the side that won it, if it is closed.
    """

    battle: str
    number: int
    status: str
    winner: Holder | None = None

    @property
    def closed(self) -> bool:
        """Whether the battle is over."""
        return self.status == Battle.Status.CLOSED


class MapSystem(values.KeywordValue):
    """A system with its history, oldest change first, and the battles planned for it or waiting for an organizer.
    `spot` is where it is drawn.
    """

    row: System
    spot: Spot
    changes: Sequence[Change]
    battles: Sequence[Open] = ()

    @property
    def name(self) -> str:
        """Its name."""
        return self.row.name

    @property
    def holder(self) -> Holder | None:
        """Who holds it, None for nobody."""
        return self.changes[-1].holder if self.changes else None

    @property
    def spoken(self) -> str:
        """Its name and holder in words."""
        if self.holder is None:
            return gettext("%(system)s, held by nobody") % {"system": self.name}
        return gettext("%(system)s, held by %(holder)s") % {"system": self.name, "holder": self.holder.name}


class StarMap(values.Value):
    """The systems of a campaign and the lanes between them: pairs of systems, each once."""

    systems: Sequence[MapSystem]
    lanes: Sequence[tuple[System, System]]

    @property
    def drawn_lanes(self) -> list[tuple[Spot, Spot]]:
        """The lanes as they are drawn."""
        spots = {each.row.pk: each.spot for each in self.systems}
        return [(spots[one.pk], spots[other.pk]) for one, other in self.lanes]

    def __bool__(self) -> bool:
        return bool(self.systems)


def star_map_of(campaign: Campaign | UUID) -> StarMap:
    """Return a campaign's star map (or its primary key's): one query, none if `has_star_map` was read as false."""
    if not getattr(campaign, "has_star_map", True):
        return StarMap([], [])
    pk = campaign if isinstance(campaign, UUID) else campaign.pk
    lanes = System.lanes.through.objects.filter(from_system=OuterRef("pk")).order_by("pk")
    rows = System.objects.filter(campaign=pk).annotate(
        by_hand=ArraySubquery(_changes_by_hand()),
        by_battle=ArraySubquery(_battles_for()),
        leads_to=ArraySubquery(lanes.annotate(to=Cast("to_system", UUIDField())).values("to")),
    )
    systems = {row.pk: row for row in rows}
    pairs = [
        (systems[one], systems[other])
        for one in systems
        for other in systems[one].leads_to
        if other in systems and str(one) < str(other)
    ]
    spots = spread(tuple(Spot(row.x, row.y, shortened(row.name)) for row in systems.values()))
    return StarMap([_map_system(row, spot) for row, spot in zip(systems.values(), spots, strict=True)], pairs)


def has_star_map() -> Exists:
    """Return whether a campaign has a star map, to be read in the query of the campaign."""
    return Exists(System.objects.filter(campaign=OuterRef("pk")))


def _team(prefix: str) -> dict[str, Any]:
    return {
        "team": F(prefix),
        "team_name": F(f"{prefix}__name"),
        "colour": F(f"{prefix}__colour"),
        "emblem": F(f"{prefix}__emblem"),
    }


def _changes_by_hand() -> Any:
    by = Coalesce(F("by__known_as"), Value(""))
    facts = {
        **_team("team"),
        "faction": F("faction"),
        "at": F("at"),
        "known_as": by,
        "by": F("by__username"),
        "battle": F("battle"),
        "number": F("battle__number"),
    }
    rows = HolderChange.objects.filter(system=OuterRef("pk")).order_by("at", "pk")
    return rows.annotate(data=JSONObject(**facts)).values("data")


def _battles_for() -> Any:
    sides = Side.objects.filter(battle=OuterRef("battle"), colour=OuterRef("battle__winner"))
    # A Register that has moved to another campaign may be in a team there.
    own = Q(register__team_place__team__campaign=F("battle__campaign"))
    place = sides.filter(own).order_by().annotate(data=JSONObject(**_team("register__team_place__team")))
    side = sides.order_by().annotate(
        data=JSONObject(
            name=Coalesce(F("register__name"), F("guest_name")),
            faction=Coalesce(F("register__faction"), F("guest_faction")),
        )
    )
    closings = Activity.objects.filter(
        battle=OuterRef("battle"), kind=ActivityKind.BATTLE, facts__act=str(Action.CLOSE)
    )  # fmt: skip
    facts = {
        "battle": F("battle"),
        "number": F("battle__number"),
        "fought": F("battle__date"),
        "status": F("battle__status"),
        "automatic": F("automatic"),
        "at": Coalesce(
            Subquery(closings.order_by("at").values("at")[:1]), F("battle__closed_at"), F("battle__created_at")
        ),
        "winner": Subquery(side.values("data")[:1]),
        "team": Subquery(place.values("data")[:1]),
    }
    rows = SystemBattle.objects.filter(system=OuterRef("pk")).exclude(battle__status=Battle.Status.CANCELLED)
    return rows.order_by("battle__number").annotate(data=JSONObject(**facts)).values("data")


def _map_system(row: Any, spot: Spot) -> MapSystem:
    changes = [
        Change(
            at=_moment(each), holder=holder_from(each), by=each["known_as"] or each["by"],
            battle=each["battle"] or "", number=each["number"] or 0,
        )
        for each in row.by_hand
    ]  # fmt: skip
    decided = max((change.at for change in changes), default=None)
    waiting: list[Open] = []
    for each in row.by_battle:
        closed, winner = each["status"] == Battle.Status.CLOSED, _winner(each)
        facts = {"battle": each["battle"], "number": each["number"]}
        if closed and winner and each["automatic"]:
            day = date.fromisoformat(each["fought"])
            changes.append(Change(at=_moment(each), holder=winner, winner=each["winner"]["name"], fought=day, **facts))
        elif not closed or (winner and not each["automatic"] and (decided is None or decided < _moment(each))):
            waiting.append(Open(status=each["status"], winner=winner if closed else None, **facts))
    return MapSystem(row=row, spot=spot, changes=history(changes), battles=waiting)


def _winner(row: Mapping[str, Any]) -> Holder | None:
    """Return the side of the winner: its team, or else its Faction; None after a draw."""
    if row["team"]:
        return holder_from({**row["team"], "faction": ""})
    return Holder(faction=row["winner"]["faction"]) if row["winner"] and row["winner"]["faction"] else None


def _moment(row: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(row["at"])


def settings_of(campaign: Campaign) -> MapSettings:
    """Return the settings of a campaign's star map, saved or not: one query."""
    return MapSettings.objects.filter(campaign=campaign).first() or MapSettings(campaign=campaign)


def contested_by(star_map: StarMap, one: Holder, other: Holder) -> dict[UUID, int]:
    """Return for each system how far it is from being contested between two sides: 0 for one that a side holds next to
    a system of the other, 1 for others that they hold, 2 for free ones, 3 for the rest.
    """
    at = {each.row.pk: _place(each.holder, one, other) for each in star_map.systems}
    around = _around(star_map)
    front = {0: 1, 1: 0}
    return {
        key: (0 if front[own] in {at[each] for each in around[key]} else 1) if own in front else own
        for key, own in at.items()
    }


def near_to(star_map: StarMap, one: Holder, other: Holder) -> dict[UUID, int]:
    """Return for each system how far it is from two sides: 0 if lanes lead to systems of both, or it is one of theirs
    next to the other's, 1 if only to or from one of them, 2 otherwise.
    """
    at = {each.row.pk: _place(each.holder, one, other) for each in star_map.systems}
    return {key: 2 - len({at[each] for each in (key, *around)} & {0, 1}) for key, around in _around(star_map).items()}


def _place(holder: Holder | None, one: Holder, other: Holder) -> int:
    """Return 0 if the first side holds a system, 1 for the other, 2 for nobody, 3 for a third one."""
    if holder is None:
        return 2
    return 0 if holder.same_as(one) else 1 if holder.same_as(other) else 3


def _around(star_map: StarMap) -> dict[UUID, set[UUID]]:
    """Return the systems to which the lanes of each lead."""
    found: dict[UUID, set[UUID]] = {each.row.pk: set() for each in star_map.systems}
    for one, other in star_map.lanes:
        found[one.pk].add(other.pk)
        found[other.pk].add(one.pk)
    return found


def side_of(register: Register) -> Holder:
    """Return the side for which a Register holds systems: its team, or else its Faction."""
    team = team_of(register)
    return holder_of_team(team) if team else Holder(faction=register.faction)


def holder_of_team(team: Team) -> Holder:
    """Return a team as a holder."""
    return Holder(team=team.pk, team_name=team.name, colour=team.colour, emblem=team.emblem)


def possible_holders(campaign: Campaign) -> list[Holder]:
    """Return who can hold a system: the teams of the campaign, and the Factions of its Registers. Two queries."""
    factions = sorted(set(campaign.registers.filter(commissioned=True).order_by().values_list("faction", flat=True)))
    teams = [holder_of_team(team) for team in campaign.teams.all()]
    return [*teams, *(Holder(faction=faction) for faction in factions if faction)]


def registers_for_bonus(campaign: Campaign, holder: Holder) -> list[Register]:
    """Return the Registers that get the bonus of a system with this holder: all that fight for that side."""
    return [
        register
        for register in by_standing(registers_of(campaign))
        if not register.enlistment.awaits_consent and holder.same_as(side_of(register))
    ]


def awarded_in(campaign: Campaign, turn: int) -> set[UUID]:
    """Return the systems whose bonus was awarded in this turn and not undone, by primary key: one query."""
    counts = {"entries__isnull": False, "entries__undone_by__isnull": True}
    return set(
        BonusAward.objects.filter(system__campaign=campaign, turn=turn, **counts).values_list("system", flat=True)
    )


def lines_of_battles(battles: Iterable[Battle]) -> dict[UUID, str]:
    """Return a sentence on what each battle did on the star map, by key, if it did anything: one query."""
    keys = {str(battle.pk): battle for battle in battles}
    if not keys:
        return {}
    star_map = star_map_of(next(iter(keys.values())).campaign_id)
    found = {}
    for system in star_map.systems:
        for change in system.changes:
            if change.battle in keys:
                found[keys[change.battle].pk] = change.sentence(system.name)
    return found

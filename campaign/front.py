"""What the front of a campaign reads besides its standings: one query, however long it has been played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from config.together import Row, Together, columns, made, made_if_any
from registers.models import Register

from .life import BEFORE_PLAY, OPEN
from .made import EVENT, NAMES, battles_made, event_made
from .models import Battle, Campaign, Enlistment, Event, Membership, Side
from .queries import LATELY_OVER, BattleLine, lines_of
from .ranking import SORTED

#: How many events it shows.
LATELY = 5
_SIDE = ("id", "battle_id", "colour", "register_id", "guest_name", "mustered", "step", "victory_points")
_BATTLE = ("id", "number", "status", "size", "date", "place", "winner", "version")


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Of a campaign: its Registers (`ranking.SORTED` of each) with their players, its members (name, and
    role in words, empty for players), the reader's Registers that serve nowhere, its battles that are not over (the
    reader's own first, then those to come, soonest first), the last few that are, its last events, for
    `chronicle.lines`, and the enlistments to which an organiser has to consent.
    """

    registers: Sequence[Register]
    members: Sequence[Mapping[str, str]]
    unenlisted: Sequence[Register]
    open: Sequence[BattleLine]
    over: Sequence[BattleLine]
    events: Sequence[Event]
    awaiting: Sequence[Enlistment]


def front_of(campaign: Campaign, reader: User) -> Front:
    """As a member of the campaign reads it."""
    registers, members, unenlisted, unfinished, over, events, told = _ROWS.ask(
        campaign=campaign.pk, user=reader.pk
    )
    known = {row["user__id"]: made(User, row, "user__") for row in members}
    battles = {battle.pk: battle for battle in battles_made([*unfinished, *over, *told])}
    return Front(
        registers=[_register(row, known) for row in registers],
        members=[_member(row) for row in members],
        unenlisted=[made(Register, row) for row in unenlisted],
        open=_in_order(lines_of(_among(battles, unfinished)), reader),
        over=lines_of(_among(battles, over)),
        events=[event_made(row, battles) for row in events],
        awaiting=[_enlistment(row) for row in registers if row["awaits_consent"]],
    )


def _in_order(lines: Iterable[BattleLine], reader: User) -> list[BattleLine]:
    listed = list(lines)
    to_come = [line for line in listed if line.battle.status in BEFORE_PLAY]
    under_way = [line for line in listed if line not in to_come]
    to_come.sort(key=lambda line: (line.battle.date, line.battle.number))
    return sorted([*to_come, *under_way], key=lambda line: not line.fought_by(reader))


# --- What is asked -------------------------------------------------------------------------------------------


def _of(way: str, names: Iterable[str]) -> list[str]:
    return [f"{way}__{name}" for name in names]


def _registers(user: int, campaign: UUID) -> QuerySet[Enlistment, Any]:
    served = Enlistment.objects.filter(campaign=campaign, register__discarded=False)
    in_order = served.order_by(
        "-register__commissioned", "-register__reputation", "register__name", "register__created_at"
    )
    return in_order.values(*columns(Enlistment), *_of("register", SORTED), *_of("register__owner", NAMES))


def _members(user: int, campaign: UUID) -> QuerySet[Membership, Any]:
    members = Membership.objects.filter(campaign=campaign)
    return members.values("role", *_of("user", NAMES))


def _unenlisted(user: int, campaign: UUID) -> QuerySet[Register, Any]:
    return Register.objects.filter(owner=user, enlistment__isnull=True, discarded=False).values("id", "name")


def _sides(battles: QuerySet[Any, Any]) -> QuerySet[Side, Any]:
    sides = Side.objects.filter(battle__in=battles).order_by("-battle__number", "colour")
    return sides.values(*_SIDE, *_of("battle", _BATTLE), *_of("register", ("id", "name", "owner_id")))


def _open(user: int, campaign: UUID) -> QuerySet[Side, Any]:
    return _sides(Battle.objects.filter(campaign=campaign, status__in=OPEN).values("pk"))


def _over(user: int, campaign: UUID) -> QuerySet[Side, Any]:
    battles = Battle.objects.filter(campaign=campaign).exclude(status__in=OPEN)
    return _sides(battles.order_by("-number").values("pk")[:LATELY_OVER])


def _lately(campaign: UUID) -> QuerySet[Event]:
    return Event.objects.filter(campaign=campaign)[:LATELY]


def _events(user: int, campaign: UUID) -> QuerySet[Event, Any]:
    return _lately(campaign).values(*EVENT)


def _told(user: int, campaign: UUID) -> QuerySet[Side, Any]:
    return _sides(_lately(campaign).values("battle"))


_ROWS = Together(
    {"user": int, "campaign": UUID}, _registers, _members, _unenlisted, _open, _over, _events, _told
)


# --- What is made of it --------------------------------------------------------------------------------------


def _register(row: Row, known: Mapping[int, User]) -> Register:
    register = made(Register, row, "register__")
    owner = known.get(register.owner_id)
    register.owner = owner or made_if_any(User, row, "register__owner__")
    return register


def _enlistment(row: Row) -> Enlistment:
    enlistment = made(Enlistment, row)
    enlistment.register = made(Register, row, "register__")
    return enlistment


def _member(row: Row) -> Mapping[str, str]:
    role = Membership.Role(row["role"])
    said = "" if role == Membership.Role.PLAYER else str(role.label)
    return {"name": row["user__known_as"] or row["user__username"], "role": said}


def _among(battles: dict[UUID, Battle], rows: Iterable[Row]) -> list[Battle]:
    return [battles[pk] for pk in dict.fromkeys(UUID(row["battle_id"]) for row in rows)]

"""A battle in its sequence, read by one statement: both sides, what the reader is in the campaign, and what one side's
Register has written down since. A page shows what is of one moment; an answer locks first and reads then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from accounts.models import User
from config.together import Row, Together, columns, made, made_if_any, one_of
from registers.models import Act, Entry, Register
from registers.services import ledger

from .access import CampaignRole, role_in
from .models import Battle, Campaign, Side

_NAMES = ("id", "username", "known_as")
#: What is read of an entry: who wrote it, when and under which digest a sequence does not tell.
_ENTRY = ("id", "register_id", "position", "place", "act", "battle", "step", "effects", "answers")


def battle_at_once_for(user: User, pk: UUID, colour: str = "") -> tuple[Battle, CampaignRole]:
    """`access.battle_for` by one statement. The side of that colour carries its entries (`Side.entries`). Raises
    Http404 for a battle that the user may not see.
    """
    found = read(user, pk, colour)
    if found is None or not found[1].is_member:
        raise Http404("No such battle")
    return found


def read(user: User, pk: UUID, colour: str) -> tuple[Battle, CampaignRole] | None:
    """The same, whoever may see it; None for a battle that is not there."""
    rows, entries = _ROWS.ask(user=user.pk, battle=pk, said=str(pk), colour=colour)
    if not rows:
        return None
    battle = made(Battle, rows[0], "battle__")
    battle.campaign = made(Campaign, rows[0], "battle__campaign__")
    sides = [_side(row) for row in rows]
    for side in sides:
        if side.colour == colour:
            side.entries = [made(Entry, row) for row in entries]
    battle.carry(sides)
    return battle, CampaignRole(user, battle.campaign_id, rows[0]["role"])


def read_all(keys: Iterable[UUID]) -> list[Battle]:
    """These battles, whoever may see them, in the order of their keys: each with its campaign and both sides, and a
    Register that fights in several of them is the same one in all."""
    [rows] = _ALL.ask(battles=[str(key) for key in keys])
    return battles_of(rows)


def read_whole(keys: Iterable[UUID], registers: Sequence[UUID]) -> list[Battle]:
    """The same, with the Forces of their Registers, which the ledger holds. Those and their battles are locked."""
    said = [str(key) for key in keys]
    [rows] = _ALL.ask(battles=said)
    battles = battles_of(rows)
    ledger.hold({side.register for each in battles for side in each.sides.all() if side.register})
    return battles


def battles_of(rows: Iterable[Row]) -> list[Battle]:
    """The same from rows of sides that stand in that order, as `sides_with` gives them."""
    found: list[Battle] = []
    campaigns: dict[UUID, Campaign] = {}
    registers: dict[UUID, Register] = {}
    for _key, of_one in groupby(rows, itemgetter("battle__id")):
        both = list(of_one)
        sides = [_side(row) for row in both]
        battle = made(Battle, both[0], "battle__")
        campaign = made(Campaign, both[0], "battle__campaign__")
        battle.campaign = campaigns.setdefault(campaign.pk, campaign)
        for side in sides:
            if side.register:
                side.register = registers.setdefault(side.register.pk, side.register)
        battle.carry(sides)
        found.append(battle)
    return found


def sides_with(sides: QuerySet[Side], *more: str) -> QuerySet[Side, Any]:
    """Sides with their battle, its campaign, their Register and its owner, for `config.together`."""
    return sides.values(
        *columns(Side),
        *columns(Battle, "battle__"),
        *columns(Campaign, "battle__campaign__"),
        *columns(Register, "register__", without=("biography",)),
        *(f"register__owner__{name}" for name in _NAMES),
        *more,
    )


def _side(row: Row) -> Side:
    side = made(Side, row)
    side.register = made_if_any(Register, row, "register__")
    if side.register:
        side.register.owner = made_if_any(User, row, "register__owner__")
    return side


def _sides(user: int, battle: UUID, said: str, colour: str) -> QuerySet[Side, Any]:
    own = Side.objects.filter(battle=battle).annotate(role=role_in(user, "battle__campaign"))
    return sides_with(own.order_by("colour"), "role")


def _sides_of_all(battles: list[str]) -> QuerySet[Side, Any]:
    these = Side.objects.filter(battle__in=one_of(battles, "uuid"))
    return sides_with(these.order_by("battle_id", "colour"))


def _entries(user: int, battle: UUID, said: str, colour: str) -> QuerySet[Entry, Any]:
    own = Q(register__sides__battle=battle, register__sides__colour=colour)
    return since(said, Entry.objects.filter(own)).values(*_ENTRY)


def since(battle: str, entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Of the entries of a Register those of a battle and all later ones, in their places. What was taken back is not
    among them."""
    of_battle = Entry.objects.filter(register=OuterRef("register"), battle=battle)
    first = Subquery(of_battle.order_by("place").values("place")[:1])
    counting = entries.filter(place__gte=first, undone_by__isnull=True).exclude(act=Act.UNDO)
    return counting.order_by("place", "position")


_ROWS = Together({"user": int, "battle": UUID, "said": str, "colour": str}, _sides, _entries)
_ALL = Together({"battles": list[str]}, _sides_of_all)

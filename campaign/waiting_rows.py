"""The rows by which a player is waited for, or waits: one query, since the cover of every page counts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import User
from config.together import Row, Together, columns, made, made_if_any
from registers.models import Register
from registers.queries import Lacking, lacking_of, perhaps_unready

from .access import organising
from .life import OPEN
from .models import Battle, Campaign, Enlistment, Membership, Revision, Side

_NAMES = ("id", "username", "known_as")
#: What is read of a side, its battle and its Register where nobody asks for what a sequence asks.
_SIDE = (
    "id", "battle_id", "colour", "register_id", "guest_name", "mustered", "open", "step", "turn", "rival",
)  # fmt: skip
_BATTLE = ("id", "campaign_id", "number", "status", "reported_by_id")
_REGISTER = ("id", "name", "owner_id")


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle that waits for a player or keeps them waiting.

    Its sides stand blue first, each with the battle and its Register, and `deserted` if its player has left.
    `organised`: whoever is asked for organises its campaign; `revision` is what they have to decide about it,
    `organisers` the keys of those who organise.
    """

    sides: tuple[Side, Side]
    organised: bool
    revision: UUID | str | None
    organisers: list[int]

    @property
    def disputed(self) -> bool:
        """Whether it is for the player to settle."""
        return self.organised and self.sides[0].battle.status == Battle.Status.DISPUTED

    @property
    def left(self) -> bool:
        """Whether the player is to act in somebody's stead."""
        return self.organised and any(side.open and side.deserted for side in self.sides)


def rows_of(
    user: User, *, fully: bool
) -> tuple[list[Fight], list[tuple[Register, Lacking]], list[Enlistment]]:
    """The battles that wait for a player, newest first in each campaign, the Registers that are not ready to fight, and
    the enlistments to which they may consent. `fully`: all columns of a side, its battle and its Register.
    """
    sides, registers, enlistments = _ROWS.ask(fully, user=user.pk)
    fights = (list(both) for _, both in groupby(sides, key=lambda row: row["battle_id"]))
    lacks = ((made(Register, row), row["units"]) for row in registers)
    return (
        [_fight(rows) for rows in fights if _concerns(user, rows)],
        [(each, lacking) for each, units in lacks if (lacking := lacking_of(each, units))],
        [_enlistment(row) for row in enlistments],
    )


# --- Battles -------------------------------------------------------------------------------------------------


def _sides(fully: bool, user: int) -> QuerySet[Side, Any]:
    """Those of more battles than concern the player: `_concerns` tells them apart, for it is quicker at it.

    Found from the player's own Registers and campaigns, so that it does not matter how many others there are.
    """
    organised = _organised(user)
    revisions = Revision.objects.filter(state=Revision.State.OPEN)
    battles = (
        Side.objects.filter(register__owner=user, open=True)
        .values("battle")
        .union(
            Battle.objects.filter(campaign__in=organised, status__in=OPEN).values("pk"),
            revisions.filter(battle__campaign__in=organised).values("battle"),
        )
    )
    members = Membership.objects.filter(campaign=OuterRef("battle__campaign"))
    said = {
        "role": Subquery(members.filter(user=user).values("role")[:1]),
        "role_of_player": Subquery(members.filter(user=OuterRef("register__owner")).values("role")[:1]),
        "revision": Subquery(revisions.filter(battle=OuterRef("battle")).values("pk")[:1]),
        "organisers": ArraySubquery(
            organising().filter(campaign=OuterRef("battle__campaign")).values("user")
        ),
    }
    side, battle, register = (
        (columns(Side), columns(Battle), columns(Register)) if fully else (_SIDE, _BATTLE, _REGISTER)
    )
    return (
        Side.objects.filter(battle__in=battles)
        .annotate(**said)
        .order_by("battle__campaign__name", "battle__campaign_id", "-battle__number", "colour")
        .values(
            *side,
            *(f"battle__{name}" for name in battle),
            *(f"register__{name}" for name in register),
            *(f"{who}__{name}" for who in ("battle__reported_by", "register__owner") for name in _NAMES),
            "register__owner__is_active",
            *said,
        )
    )


def _concerns(user: User, rows: Sequence[Row]) -> bool:
    """Whether a battle waits for a player, or keeps them waiting."""
    role, status = rows[0]["role"], rows[0]["battle__status"]
    own = any(row["open"] and row["register__owner_id"] == user.pk for row in rows)
    if status in OPEN and own and role not in (None, Membership.Role.READER):
        return True
    left = status in OPEN and any(row["open"] and _deserted(row) for row in rows)
    to_decide = left or status == Battle.Status.DISPUTED or rows[0]["revision"]
    return role == Membership.Role.ORGANISER and bool(to_decide)


def _deserted(row: Row) -> bool:
    """Whether the player of a side's Register has left the campaign, only reads it now, or has no account any more."""
    if row["register_id"] is None:
        return False
    plays = row["role_of_player"] not in (None, Membership.Role.READER)
    return not (plays and row["register__owner__is_active"])


def _fight(rows: Sequence[Row]) -> Fight:
    blue, red = sides = [made(Side, row) for row in rows]
    battle = made(Battle, rows[0], "battle__")
    battle.reported_by = made_if_any(User, rows[0], "battle__reported_by__")
    for side, row in zip(sides, rows, strict=True):
        side.battle, side.register = battle, made_if_any(Register, row, "register__")
        side.deserted = _deserted(row)
        if side.register:
            side.register.owner = made_if_any(User, row, "register__owner__")
    organised = rows[0]["role"] == Membership.Role.ORGANISER
    return Fight(
        sides=(blue, red),
        organised=organised,
        revision=rows[0]["revision"] if organised else None,
        organisers=rows[0]["organisers"],
    )


def _organised(user: int) -> QuerySet[Membership, Any]:
    """The campaigns that somebody organises; the staff see those of others, but are not waited for there."""
    return Membership.objects.filter(user=user, role=Membership.Role.ORGANISER).values("campaign")


# --- Registers and campaigns ---------------------------------------------------------------------------------


def _registers(fully: bool, user: int) -> QuerySet[Register, Any]:
    return perhaps_unready(user).values(*columns(Register, without=("biography",)), "units")


def _enlistments(fully: bool, user: int) -> QuerySet[Enlistment, Any]:
    """What was taken over from lists and counts once an organiser consents."""
    awaiting = Enlistment.objects.filter(
        campaign__in=_organised(user), awaits_consent=True, register__discarded=False
    )
    return awaiting.values(
        *columns(Enlistment), "campaign__id", "campaign__name", "register__id", "register__name"
    )


def _enlistment(row: Row) -> Enlistment:
    found = made(Enlistment, row)
    found.campaign, found.register = made(Campaign, row, "campaign__"), made(Register, row, "register__")
    return found


_ROWS = Together({"user": int}, _sides, _registers, _enlistments)

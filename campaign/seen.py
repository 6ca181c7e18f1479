"""What a phone has seen of a battle, in a word that changes when there is something new.

Pages carry the word, and their polls ask with it whether it still holds: one query, for phones ask every few seconds.
A word is empty where the user may not see the battle.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from config.together import Together

from .access import campaigns_seen
from .models import Battle, Side


def of_page(battle: Battle) -> str:
    """What the page of a battle shows."""
    return _page(
        battle.status, battle.version, battle.plan_version, (side.mustered for side in battle.sides.all())
    )


def of_page_now(user: User, battle: UUID) -> str:
    """The word that it would carry now."""
    [rows] = _PAGE.ask(user.is_staff, user=user.pk, battle=battle)
    if not rows:
        return ""
    status, version, plan = (rows[0][f"battle__{name}"] for name in ("status", "version", "plan_version"))
    return _page(status, version, plan, (row["mustered"] for row in rows))


def of_table_now(user: User, battle: UUID) -> str:
    """The word that the table reference would carry now (`table.seen`)."""
    [rows] = _TABLE.ask(user.is_staff, user=user.pk, battle=battle)
    return (
        "-".join([rows[0]["battle__status"], *(str(row["tally__version"] or 0) for row in rows)])
        if rows
        else ""
    )


def of_sides(*columns: str) -> Together:
    """A question for these columns of both sides, blue first; no rows where the user may not see the battle."""

    def sides(staff: bool, user: int, battle: UUID) -> QuerySet[Side, Any]:
        seen = Side.objects.filter(battle=battle, battle__campaign__in=campaigns_seen(user, staff=staff))
        return seen.order_by("colour").values(*columns)

    return Together({"user": int, "battle": UUID}, sides)


_PAGE = of_sides("battle__status", "battle__version", "battle__plan_version", "mustered")
_TABLE = of_sides("battle__status", "tally__version")


def _page(status: str, version: int, plan: int, mustered: Iterable[bool]) -> str:
    return f"{status}-{version}-{plan}-{''.join(str(int(each)) for each in mustered)}"

"""What a phone has seen of a battle, in a word that changes when there is something new.

Pages carry the word, and their polls ask with it whether it still holds: one query, for phones ask every few seconds.
A word is empty where the user may not see the battle.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User

from .access import campaigns_of
from .models import Battle, Side


def of_page(battle: Battle) -> str:
    """What the page of a battle shows."""
    return _page(
        battle.status, battle.version, battle.plan_version, (side.mustered for side in battle.sides.all())
    )


def of_page_now(user: User, battle: UUID) -> str:
    """The word that it would carry now."""
    rows = list(
        _sides(user, battle).values_list(
            "battle__status", "battle__version", "battle__plan_version", "mustered"
        )
    )
    return _page(*rows[0][:3], (row[3] for row in rows)) if rows else ""


def of_table_now(user: User, battle: UUID) -> str:
    """The word that the table reference would carry now (`table.seen`)."""
    rows = list(_sides(user, battle).values_list("battle__status", "tally__version"))
    return "-".join([rows[0][0], *(str(version or 0) for _, version in rows)]) if rows else ""


def _sides(user: User, battle: UUID) -> QuerySet[Side]:
    return Side.objects.filter(battle=battle, battle__campaign__in=campaigns_of(user)).order_by("colour")


def _page(status: str, version: int, plan: int, mustered: Iterable[bool]) -> str:
    return f"{status}-{version}-{plan}-{''.join(str(int(each)) for each in mustered)}"

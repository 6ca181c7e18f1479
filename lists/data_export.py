"""A person's army lists for their data export."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from lists.models import ArmyList

FIELDS = (
    "name", "faction", "battle_force", "size", "points", "units", "command_hand", "battle_deck", "violations",
    "source_format", "source_text", "created_at", "updated_at",
)  # fmt: skip


def army_lists_of(user: User) -> list[dict[str, Any]]:
    """Return the army lists that belong to a person, oldest first. One query."""
    return list(ArmyList.objects.filter(owner=user).order_by("created_at", "id").values(*FIELDS))

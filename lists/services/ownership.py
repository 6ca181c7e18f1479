"""A person's army lists in their data export, and when their account is deleted or merged."""

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


def delete_lists_of(user: User) -> None:
    """Delete all army lists of a person whose account is being deleted."""
    ArmyList.objects.filter(owner=user).delete()


def give_lists(gone: User, into: User) -> None:
    """Give the army lists of `gone` to `into`, the account that `gone` is being merged into."""
    ArmyList.objects.filter(owner=gone).update(owner=into)

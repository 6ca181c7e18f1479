"""Whose a Register is. It is no part of the game and stands in no ledger; rooms above keep who gave it to whom."""

from __future__ import annotations

from accounts.models import User
from registers.models import Register


def change_owner(*, register: Register, owner: User) -> None:
    """Let a locked Register belong to `owner`."""
    register.owner = owner
    register.save(update_fields=["owner"])

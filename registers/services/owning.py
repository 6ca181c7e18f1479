"""Whose a Register is. It is no part of the game and stands in no ledger; rooms above keep who gave it to whom."""

from __future__ import annotations

from collections.abc import Collection

from accounts.models import User
from config.together import Changes
from registers.models import Register


def change_owner(*, register: Register, owner: User) -> None:
    """Let a locked Register belong to `owner`."""
    register.owner = owner
    register.save(update_fields=["owner"])


def change_owners(*, registers: Collection[Register], owner: User, together: Changes) -> None:
    """The same of several, with the changes that are yet to be written `together`."""
    for register in registers:
        register.owner = owner
    together.update(list(registers), "owner")

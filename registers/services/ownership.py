"""Whose a Register is. It is no part of the game and stands in no ledger; rooms above keep who gave it to whom."""

from __future__ import annotations

from collections.abc import Collection

from accounts.models import User
from registers.models import Register


def change_owner(*, register: Register, owner: User) -> None:
    """Let a locked Register belong to `owner`."""
    register.owner = owner
    register.save(update_fields=["owner"])


def change_owners(*, registers: Collection[Register], owner: User) -> None:
    """Give several locked Registers to `owner`."""
    Register.objects.filter(pk__in=[register.pk for register in registers]).update(owner=owner)

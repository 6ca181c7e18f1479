"""Owners of Registers. Not part of the game and in no ledger; higher apps record who gave a Register to whom."""

from collections.abc import Collection

from accounts.models import User
from registers.models import Register


def change_owner(*, register: Register, owner: User) -> None:
    """Make `owner` the owner of a locked Register."""
    register.owner = owner
    register.save(update_fields=["owner"])


def change_owners(*, registers: Collection[Register], owner: User) -> None:
    """Make `owner` the owner of several locked Registers."""
    Register.objects.filter(pk__in=[register.pk for register in registers]).update(owner=owner)

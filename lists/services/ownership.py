"""Delete or hand over a person's army lists when the account is deleted or merged."""

from __future__ import annotations

from accounts.models import User
from lists.models import ArmyList


def delete_lists_of(user: User) -> None:
    """Delete all army lists of a person whose account is being deleted."""
    ArmyList.objects.filter(owner=user).delete()


def give_lists(gone: User, into: User) -> None:
    """Give the army lists of `gone` to `into`, the account that `gone` is being merged into."""
    ArmyList.objects.filter(owner=gone).update(owner=into)

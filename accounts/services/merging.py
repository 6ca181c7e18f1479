"""Merge two accounts of one person."""

from collections.abc import Callable

import structlog
from django.db import transaction

from accounts.models import User

from .deletion import close_account

log = structlog.get_logger(__name__)

_hooks: list[Callable[[User, User], None]] = []


def before_merging(act: Callable[[User, User], None]) -> None:
    """Register `act(gone, into)`, which moves what belongs to `gone` in the same transaction.

    Higher apps call this in `AppConfig.ready`.
    """
    _hooks.append(act)


def merge_accounts(*, actor: User, gone: User, into: User) -> None:
    """Give `into` everything that belongs to `gone`, and close `gone`.

    The row of `gone` stays, because ledgers refer to it, and is shown under the name of `into`. Merging the same
    accounts again changes nothing. The caller decides who may do this. Raises ValueError for an account with itself,
    and for one that is closed.
    """
    with transaction.atomic():
        for act in _hooks:
            act(gone, into)
        users = User.objects.select_for_update(no_key=True).filter(pk__in=(gone.pk, into.pk)).order_by("pk")
        locked = {user.pk: user for user in users}
        old, left = locked[gone.pk], locked[into.pk]
        if old.merged_into_id == left.pk:
            return
        if old == left or not left.is_active or old.merged_into_id:
            raise ValueError(f"{gone.pk} cannot be merged into {into.pk}")
        old.merged_into, old.known_as = left, left.get_username()
        close_account(old)
        old.merged.update(merged_into=left, known_as=left.get_username())
    log.info("accounts merged", gone=gone.pk, into=into.pk, by=actor.pk)

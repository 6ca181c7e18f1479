"""Two accounts of one person become one."""

from collections.abc import Callable

import structlog
from django.db import transaction

from accounts.models import User
from config.together import Changes

from .deletion import close_account

log = structlog.get_logger(__name__)

_first: list[Callable[[User, User, Changes], None]] = []


def before_merging(act: Callable[[User, User, Changes], None]) -> None:
    """Let `act(gone, into, together)` move what belongs to `gone`, and what it adds to `together` be written with the
    rest; rooms above name it in their `AppConfig.ready`.
    """
    _first.append(act)


def merge_accounts(*, actor: User, gone: User, into: User, moving: Changes | None = None) -> None:
    """Make one account of two: what belongs to `gone` belongs to `into`, and nobody signs in with `gone` any more.

    Its row stays, because books name it, and is called as `into` is. Doing it again changes nothing. Who may is for
    the caller to know; a room above that has moved everything already says so by what is left to write, `moving`.
    Raises ValueError for an account with itself, or with one that is closed.
    """
    with transaction.atomic():
        together = Changes() if moving is None else moving
        for act in _first if moving is None else ():
            act(gone, into, together)
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=(gone.pk, into.pk)).order_by("pk")
        locked = {user.pk: user for user in rows}
        old, left = locked[gone.pk], locked[into.pk]
        if old.merged_into_id == left.pk:
            together.write()
            return
        if old == left or not left.is_active or old.merged_into_id:
            raise ValueError(f"{gone.pk} cannot be merged into {into.pk}")
        old.merged_into, old.known_as = left, left.get_username()
        close_account(old, together)
        together.change(old.merged.all(), merged_into=left, known_as=left.get_username())
        together.write()
    log.info("accounts merged", gone=gone.pk, into=into.pk, by=actor.pk)

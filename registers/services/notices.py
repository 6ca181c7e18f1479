"""Notices to players: somebody else corrected their Register."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from accounts.models import User
from registers.models import CorrectionNotice, Entry
from registers.signals import registers_corrected


def announce_corrections(entries: Collection[Entry]) -> None:
    """Notify the owners of corrected Registers, and tell whoever listens to `registers_corrected`.

    `entries` are saved corrections, awards, or undos of such, with their Registers. Owners who acted themselves get no
    notice.
    """
    if not entries:
        return
    CorrectionNotice.objects.bulk_create(
        CorrectionNotice(entry=entry)
        for entry in entries
        if entry.register.owner_id not in (None, entry.actor_id)
    )
    registers_corrected.send(sender=Entry, entries=entries)


def dismiss_notices(*, actor: User, entries: Iterable[int]) -> None:
    """Delete the notices of these entries (by primary key) for Registers that `actor` owns.

    Notices that are gone already, and those of other people, are left alone.
    """
    own = CorrectionNotice.objects.filter(entry__register__owner=actor)
    own.filter(entry__in=list(entries)).delete()

"""Bringing a Register whose ledger was written in another installation."""

from __future__ import annotations

from collections.abc import Sequence

from registers.chain import as_kept, digest_of
from registers.models import Entry, Register
from rules.force import Force

from .ledger import replay
from .writing import write_difference

AT_ONCE = 500


def bring_ledger(*, register: Register, entries: Sequence[tuple[Entry, int | None]]) -> Force:
    """Write a whole ledger into a Register that is new, and the rows that follow from it; returns its sum.

    Entries come in the order of their positions, each with the position of the one it undoes; they say all but their
    Register and digest. They are chained anew, since the people in them are others here. Asks no rule: each entry
    was asked about when it happened, and whoever brings it has looked at the ledger as a whole.
    """
    batch: list[Entry] = []
    written: list[Entry] = []
    for entry, undoes in entries:
        if undoes or len(batch) == AT_ONCE:  # the one it undoes must have its key
            written += Entry.objects.bulk_create(batch)
            batch = []
        entry.register, entry.undoes = register, written[undoes - 1] if undoes else None
        as_kept(entry)
        entry.digest = digest_of(entry, register.digest, undoes)
        register.position, register.digest = entry.position, entry.digest
        batch.append(entry)
    written += Entry.objects.bulk_create(batch)
    force = replay(written)
    write_difference(register, Force(), force)
    return force

"""The Forces that pages show, kept by the ends of their ledgers.

What hangs on the row of a Register is the sum of its ledger, and the digest of its last entry stands for all of it
(`registers.chain`). So a process that has read the parts of a Register once knows them for as long as it stands at that
entry, and there is nothing to be thrown away. Position and digest are read together with the parts, so that nothing is
kept under an entry that came in between. Only pages read here: whoever writes reads the rows under the lock
(`ledger.held`), and the proof reads them because they might not be what the ledger says.
"""

from __future__ import annotations

from collections.abc import Collection
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from registers.models import Register
from rules.force import Force

from . import rows
from .rows import Parts

#: Units that a process keeps at most, whatever Registers they are of; about a kilobyte each.
MOST_UNITS = 6_000

_known: LRUCache[tuple[UUID, int, str], Parts] = LRUCache(MOST_UNITS, getsizeof=lambda parts: 1 + parts.units)
_lock = Lock()


def force_of(register: Register) -> Force:
    """The Force of a Register: one query, or none."""
    return forces_of([register])[register.pk]


def hold(register: Register) -> None:
    """Let `ledger.held` give the Force of a Register that is only read."""
    register.held = register.position, force_of(register)


def forces_of(registers: Collection[Register]) -> dict[UUID, Force]:
    """The Forces of several Registers by primary key: one query, or none."""
    with _lock:
        parts = {each.pk: _known.get((each.pk, each.position, each.digest)) for each in registers}
    if missing := [pk for pk, found in parts.items() if found is None]:
        for (pk, position, digest), found in rows.parts_of(missing):
            parts[pk] = found
            if digest:
                with _lock:
                    _known[pk, position, digest] = found
    return {each.pk: rows.force_with(each, parts[each.pk] or rows.NOTHING) for each in registers}

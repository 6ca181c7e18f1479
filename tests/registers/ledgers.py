"""Write entries into ledgers by hand, whatever the rules say of them."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from accounts.models import User
from registers.ledger.session import LedgerSession
from registers.models import LedgerEntry, Register
from rules.register.effects import Effect


def lock(*keys: UUID) -> list[Register]:
    """Lock Registers in a transaction, and return them in the order given."""
    return list(LedgerSession.lock(*keys).registers.values())


def append(*, register: Register, actor: User | None, act: str, effects: Sequence[Effect], **more: Any) -> LedgerEntry:
    """Write one entry, and bring the Register up to date. The actor acts for nobody else unless `for_owner`."""
    session = LedgerSession([register])
    entry = session.stage(register, actor=actor, act=act, effects=effects, **{"for_owner": False, **more})
    session.commit()
    return entry


def undo(*, register: Register, actor: User | None, entry: LedgerEntry, **more: Any) -> LedgerEntry:
    """Undo one entry, and bring the Register up to date. Refuses what `LedgerSession.stage_undo` refuses."""
    session = LedgerSession([register])
    [undone] = session.stage_undo(register, [entry], actor=actor, **more)
    session.commit()
    return undone


def replace(register: Register, *entries: LedgerEntry) -> None:
    """Write entries that take the places of others, and bring the Register up to date."""
    session = LedgerSession([register])
    session.stage_replacements(register, entries)
    session.commit()

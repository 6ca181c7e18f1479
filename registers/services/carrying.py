"""Bringing Registers whose ledgers were written in another installation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from config.together import Changes, rows_of
from registers.chain import as_kept, digest_of
from registers.models import Dossier, Entry, Register
from rules.force import Force

from .ledger import replay
from .writing import Change, write_differences

_TABLE = Dossier._meta.db_table
#: What no ledger says of a Dossier.
_TELL = (
    f"UPDATE {_TABLE} SET biography = new.biography, picture_id = new.picture_id FROM {rows_of(_TABLE)} "  # noqa: S608
    f"WHERE {_TABLE}.register_id = new.register_id AND {_TABLE}.key = new.key"
)


def bring_ledgers(
    ledgers: Mapping[Register, Sequence[tuple[Entry, int | None]]], told: Sequence[Mapping[str, Any]]
) -> dict[Register, Force]:
    """Write whole ledgers into Registers that are new, and the rows that follow from them; returns their sums. `told`
    are the biographies and pictures of their Dossiers, each with its Register and key.

    Entries have their keys and come in the order of their positions, each with the position of the one it undoes; they
    say all but their Register and digest. They are chained anew, since the people in them are others here. Asks no
    rule: each entry was asked about when it happened, and whoever brings it has looked at the ledger as a whole.
    """
    chained = {register: list(_chained(register, entries)) for register, entries in ledgers.items()}
    together = Changes()
    together.insert(*(each for entries in chained.values() for each in entries))
    together.add(_TELL, told)
    forces = {register: replay(entries) for register, entries in chained.items()}
    write_differences([Change(register, Force(), force) for register, force in forces.items()])
    together.write()
    return forces


def _chained(register: Register, entries: Sequence[tuple[Entry, int | None]]) -> Iterator[Entry]:
    for entry, undoes in entries:
        entry.register, entry.undoes = register, entries[undoes - 1][0] if undoes else None
        as_kept(entry)
        entry.digest = digest_of(entry, register.digest, undoes)
        register.position, register.digest = entry.position, entry.digest
        yield entry

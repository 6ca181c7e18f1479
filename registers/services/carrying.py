"""Import Registers whose ledgers were written in another installation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection

from registers.chain import as_kept, digest_of
from registers.models import Dossier, Entry, Register
from rules.force import Force

from .ledger import replay
from .writing import Change, write_differences


def bring_ledgers(
    ledgers: Mapping[Register, Sequence[tuple[Entry, int | None]]], told: Sequence[Mapping[str, Any]]
) -> dict[Register, Force]:
    """Write whole ledgers into Registers that are new, and the rows that follow from them. Returns their states.

    `told` are the biographies and pictures of Dossiers (`register_id`, `key`, `biography`, `picture_id`).

    Entries come in the order of their positions, each with the position of the one it undoes; they say all but their
    Register and digest. They are chained anew, since the people in them are others here. Asks no
    rule: each entry was asked about when it happened, and the caller has looked at the ledger as a whole.
    """
    _give_keys([entry for entries in ledgers.values() for entry, _ in entries])
    chained = {register: list(_chained(register, entries)) for register, entries in ledgers.items()}
    Entry.objects.bulk_create(each for entries in chained.values() for each in entries)
    states = {register: replay(entries) for register, entries in chained.items()}
    write_differences([Change(register, Force(), state) for register, state in states.items()])
    dossiers = {(each.register_id, each.key): each for each in Dossier.objects.filter(register__in=ledgers)}
    changed = []
    for row in told:
        dossier = dossiers[row["register_id"], row["key"]]
        dossier.biography, dossier.picture_id = row["biography"], row["picture_id"]
        changed.append(dossier)
    Dossier.objects.bulk_update(changed, ["biography", "picture"], batch_size=500)
    return states


def _give_keys(entries: Sequence[Entry]) -> None:
    """Give new entries their primary keys: those that undo others name them, and all are written at once."""
    with connection.cursor() as cursor:  # the ORM reserves no keys
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [Entry._meta.db_table, len(entries)],
        )
        for entry, (key,) in zip(entries, cursor.fetchall(), strict=True):
            entry.pk = key


def _chained(register: Register, entries: Sequence[tuple[Entry, int | None]]) -> Iterator[Entry]:
    for entry, undoes in entries:
        entry.register, entry.undoes = register, entries[undoes - 1][0] if undoes else None
        as_kept(entry)
        entry.digest = digest_of(entry, register.digest, undoes)
        register.position, register.digest = entry.position, entry.digest
        yield entry

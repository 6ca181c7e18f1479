"""Registers from outside: taken over from a list, or brought along in a campaign file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from registers.chain import as_kept, digest_of
from registers.models import Act, Dossier, Entry, Register
from rules.building import add_unit, name_register
from rules.force import Force
from rules.taking_over import PastRegister, PastUnit, take_over_register, take_over_unit
from rules.terms import USUAL, Terms

from . import founding
from .ledger import LedgerSession, book_for, happen, replay
from .projection import Change, write_differences


@dataclass(frozen=True, slots=True)
class Joining:
    """A unit that is to join, by slugs: its card, the upgrades it joins with, and its Dossier name."""

    card: str
    upgrades: tuple[str, ...] = ()
    name: str = ""


@transaction.atomic
def found(
    *,
    actor: User,
    owner: User,
    faction: str,
    units: Sequence[Joining | PastUnit],
    past: PastRegister | None = None,
    name: str = "",
    terms: Terms = USUAL,
    register_id: UUID | None = None,
) -> Register:
    """Open a Register of `owner` and let units join it, in this order, as if each was added by hand (R10).

    What it has become elsewhere, `past` and each PastUnit, is an act of its own in the ledger, that says so.
    `register_id`: as in `founding.open_register`, and one that is there already is not filled. Refuses what that,
    `founding.add_unit`, `founding.name_register` and `rules.taking_over` refuse; then there is no Register.
    """
    session, register, new = founding.opened(
        actor=actor, owner=owner, faction=faction, terms=terms, register_id=register_id
    )
    if new:  # else a form that came twice, or one that names a Register of other origin: neither is filled
        _fill(actor, session, register, units, past, name)
        session.commit()
    return register


def _fill(
    actor: User,
    session: LedgerSession,
    register: Register,
    units: Sequence[Joining | PastUnit],
    past: PastRegister | None,
    name: str,
) -> None:
    if past and take_over_register(book_for(register), session.state(register), past):
        happen(
            actor=actor, session=session, register=register, word=Act.TAKE_OVER,
            decide=lambda book, force: take_over_register(book, force, past),
        )  # fmt: skip
    for unit in units:
        _join(actor, session, register, unit)
    if name.strip():
        happen(
            actor=actor, session=session, register=register, word=Act.NAME,
            decide=lambda book, force: name_register(name),
        )  # fmt: skip


def _join(actor: User, session: LedgerSession, register: Register, unit: Joining | PastUnit) -> None:
    if isinstance(unit, PastUnit):
        happen(
            actor=actor, session=session, register=register, word=Act.TAKE_OVER,
            decide=lambda book, force: take_over_unit(book, force, unit),
        )  # fmt: skip
    else:
        happen(
            actor=actor, session=session, register=register, word=Act.UNIT,
            decide=lambda book, force: add_unit(
                book, force, unit.card, upgrades=unit.upgrades, name=unit.name
            ),
        )  # fmt: skip


def took_over(register: Register) -> bool:
    """Return whether something of a Register was taken over from a list, and still stands."""
    return register.entries.filter(act=Act.TAKE_OVER, undone_by__isnull=True).exists()


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

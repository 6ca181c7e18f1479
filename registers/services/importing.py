"""Registers from outside: imported from a list, or with a campaign file."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from accounts.models import User
from registers.ledger.hash_chain import digest_of, normalized
from registers.ledger.session import replay_entries, rulebook_for, stage as happen
from registers.models import Dossier, EntryType, LedgerEntry, Register
from registers.projection import StateChange, write_differences
from registers.services import building
from rules.adjustments.imported_register import PastRegister, PastUnit, take_over_register, take_over_unit
from rules.core.campaign_rules import STANDARD_RULES, CampaignRules
from rules.core.values import Value
from rules.register.building import add_unit, name_register
from rules.register.state import RegisterState


class Joining(Value):
    """A unit to add, by slugs: its card, the upgrades it joins with, and its Dossier name."""

    card: str
    upgrades: tuple[str, ...] = ()
    name: str = ""


@transaction.atomic
def create_from_list(
    *,
    actor: User,
    owner: User,
    faction: str,
    units: Sequence[Joining | PastUnit],
    past: PastRegister | None = None,
    name: str = "",
    campaign_rules: CampaignRules = STANDARD_RULES,
    register_id: UUID | None = None,
) -> Register:
    """Open a Register of `owner` and add units in this order, as if by hand (R10), or refuse all of it.

    The history from elsewhere, `past` and each PastUnit, is an act of its own. A Register that exists already is left
    unchanged.
    """
    session, register, new = building.opened(
        actor=actor, owner=owner, faction=faction, campaign_rules=campaign_rules, register_id=register_id
    )
    if new:  # otherwise the form was sent twice, or the id is another Register's: leave both unchanged
        stage = partial(happen, actor=actor, session=session, register=register)
        if past and take_over_register(rulebook_for(register), session.state(register), past):
            stage(word=EntryType.TAKE_OVER, decide=partial(take_over_register, past=past))
        for unit in units:
            if isinstance(unit, PastUnit):
                stage(word=EntryType.TAKE_OVER, decide=partial(take_over_unit, past=unit))
            else:
                join = partial(add_unit, card_slug=unit.card, upgrades=unit.upgrades, name=unit.name)
                stage(word=EntryType.UNIT, decide=join)
        if name.strip():
            stage(word=EntryType.NAME, decide=lambda book, state: name_register(name))
        session.commit()
    return register


def has_imports(register: Register) -> bool:
    """Return whether something was imported into a Register from a list and has not been undone."""
    return register.entries.filter(act=EntryType.TAKE_OVER, undone_by__isnull=True).exists()


def bring_ledgers(
    ledgers: Mapping[Register, Sequence[tuple[LedgerEntry, int | None]]], rows: Sequence[Mapping[str, Any]]
) -> dict[Register, RegisterState]:
    """Write whole ledgers into new Registers, with new digests, and their rows. Return their states.

    Entries come by position, each with the position of the one it undoes, without Register and digest. `rows` are the
    biographies and pictures of Dossiers. Checks no rules: the caller has checked the ledgers.
    """
    _give_keys([entry for entries in ledgers.values() for entry, _ in entries])
    chained = {register: list(_chained(register, entries)) for register, entries in ledgers.items()}
    LedgerEntry.objects.bulk_create(each for entries in chained.values() for each in entries)
    states = {register: replay_entries(entries) for register, entries in chained.items()}
    write_differences([StateChange(register, RegisterState(), state) for register, state in states.items()])
    dossiers = {(each.register_id, each.key): each for each in Dossier.objects.filter(register__in=ledgers)}
    changed = []
    for row in rows:
        dossier = dossiers[row["register_id"], row["key"]]
        dossier.biography, dossier.picture_id = row["biography"], row["picture_id"]
        changed.append(dossier)
    Dossier.objects.bulk_update(changed, ["biography", "picture"], batch_size=500)
    return states


def _give_keys(entries: Sequence[LedgerEntry]) -> None:
    """Give new entries their primary keys, so that entries can refer to those they undo in one bulk insert."""
    with connection.cursor() as cursor:  # the ORM cannot reserve keys
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [LedgerEntry._meta.db_table, len(entries)],
        )
        for entry, (key,) in zip(entries, cursor.fetchall(), strict=True):
            entry.pk = key


def _chained(register: Register, entries: Sequence[tuple[LedgerEntry, int | None]]) -> Iterator[LedgerEntry]:
    for entry, undoes in entries:
        entry.register, entry.undoes = register, entries[undoes - 1][0] if undoes else None
        normalized(entry)
        entry.digest = digest_of(entry, register.digest, undoes)
        register.position, register.digest = entry.position, entry.digest
        yield entry

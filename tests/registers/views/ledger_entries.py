"""Entries of a ledger, and their undo."""

from functools import partial

from django.db import transaction

from registers.models import LedgerEntry
from rules.register import effects as e
from rules.register.effects import to_data
from tests.registers.ledgers import lock, replace, undo
from tests.registers.views.reading import happen

edit = partial(happen, act="edit", step=None)
POINT = e.ReputationGained(amount=1, rule="R48")


def undo_entry(entry: LedgerEntry, reason: str = "") -> LedgerEntry:
    with transaction.atomic():
        [register] = lock(entry.register_id)
        return undo(actor=register.owner, register=register, entry=entry, reason=reason)


def put_in_place_of(entry: LedgerEntry, *effects: e.Effect, act: str = "edit", reason: str = "") -> LedgerEntry:
    """An entry that brings other effects where this one was."""
    with transaction.atomic():
        [register] = lock(entry.register_id)
        new = LedgerEntry(
            act=act,
            actor=register.owner if reason else None,
            reason=reason,
            battle=entry.battle,
            step=entry.step,
            effects=[to_data(effect) for effect in effects],
            undoes=entry,
        )
        replace(register, new)
    return new

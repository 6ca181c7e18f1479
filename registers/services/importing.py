"""Founding a Register with a list that its player already has: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from accounts.models import User
from registers.models import Act, Register
from rules.taking_over import PastRegister, PastUnit, take_over_register, take_over_unit
from rules.terms import USUAL, Terms

from . import founding, ledger
from .act import act

#: A Register that was opened and to which nothing else has happened yet.
OPENED = 1


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
    """Open a Register of `owner` and fill it. Refuses what `founding.open_register` and `fill` refuse."""
    stood = register_id is not None and Register.objects.filter(pk=register_id).exists()
    register = founding.open_register(
        actor=actor, owner=owner, faction=faction, terms=terms, register_id=register_id
    )
    if stood:  # a form that came twice, or one that names a Register of other origin: neither is filled
        return register
    return fill(actor=actor, register_id=register.pk, units=units, past=past, name=name)


@transaction.atomic
def fill(
    *,
    actor: User,
    register_id: UUID,
    units: Sequence[Joining | PastUnit],
    past: PastRegister | None = None,
    name: str = "",
) -> Register:
    """Let units join a Register that was just opened, in this order, as if each was added by hand (R10).

    What it has become elsewhere, `past` and each PastUnit, is an act of its own in the ledger, that says so. A
    Register to which more has happened stays as it is, so that a form which comes twice fills it once. Refuses what
    `founding.add_unit`, `founding.name_register` and `rules.taking_over` refuse; then nobody has joined.
    """
    [register] = ledger.lock(register_id)
    if register.position > OPENED:
        return register
    if past and take_over_register(ledger.book_for(register), ledger.force_of(register), past):
        register = _take_over_values(actor, register_id, past)
    for unit in units:
        if isinstance(unit, PastUnit):
            register = _take_over_unit(actor, register_id, unit)
        else:
            register = founding.add_unit(
                actor=actor, register_id=register_id, position=None,
                card=unit.card, upgrades=unit.upgrades, name=unit.name,
            )  # fmt: skip
    if name.strip():
        register = founding.name_register(actor=actor, register_id=register_id, position=None, name=name)
    return register


def _take_over_values(actor: User, register_id: UUID, past: PastRegister) -> Register:
    return act(
        actor=actor, register_id=register_id, position=None, word=Act.TAKE_OVER,
        decide=lambda book, force: take_over_register(book, force, past),
    )  # fmt: skip


def _take_over_unit(actor: User, register_id: UUID, unit: PastUnit) -> Register:
    return act(
        actor=actor, register_id=register_id, position=None, word=Act.TAKE_OVER,
        decide=lambda book, force: take_over_unit(book, force, unit),
    )  # fmt: skip


def took_over(register: Register) -> bool:
    """Whether something of a Register was taken over from a list, and still stands."""
    return register.entries.filter(act=Act.TAKE_OVER, undone_by__isnull=True).exists()

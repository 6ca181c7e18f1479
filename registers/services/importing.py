"""Founding a Register with a list that its player already has: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from accounts.models import User
from registers.models import Register

from . import founding, ledger

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
    units: Sequence[Joining],
    name: str = "",
    register_id: UUID | None = None,
) -> Register:
    """Open a Register of `owner` and fill it. Refuses what `founding.open_register` and `fill` refuse."""
    register = founding.open_register(actor=actor, owner=owner, faction=faction, register_id=register_id)
    return fill(actor=actor, register_id=register.pk, units=units, name=name)


@transaction.atomic
def fill(*, actor: User, register_id: UUID, units: Sequence[Joining], name: str = "") -> Register:
    """Let units join a Register that was just opened, in this order, as if each was added by hand (R10).

    A Register to which more has happened stays as it is, so that a form which comes twice fills it once. Refuses
    what `founding.add_unit` and `founding.name_register` refuse; then nobody has joined.
    """
    [register] = ledger.lock(register_id)
    if register.position > OPENED:
        return register
    for unit in units:
        register = founding.add_unit(
            actor=actor, register_id=register_id, position=None,
            card=unit.card, upgrades=unit.upgrades, name=unit.name,
        )  # fmt: skip
    if name.strip():
        register = founding.name_register(actor=actor, register_id=register_id, position=None, name=name)
    return register

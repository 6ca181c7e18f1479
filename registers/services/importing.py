"""Founding a Register with a list that its player already has: all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from accounts.models import User
from registers.models import Act, Register
from rules.building import add_unit, name_register
from rules.taking_over import PastRegister, PastUnit, take_over_register, take_over_unit
from rules.terms import USUAL, Terms

from . import founding
from .act import happen
from .ledger import LedgerSession, book_for


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

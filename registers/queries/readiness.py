"""Registers that are not ready for a battle: over their Combat Potential, or with a choice to make."""

from datetime import datetime
from enum import Enum
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from core.db.prepared import Prepared
from registers.ledger.session import rulebook_for
from registers.models import Dossier, DossierUpgrade, LedgerEntry, Register, UnitStatus
from rules.register.building import MINIMUM_CORPS, must_add_corps, next_arcs
from rules.register.state import Dossier as Unit, RegisterState


def with_spent(registers: QuerySet[Register]) -> QuerySet[Register]:
    """Return the Registers with `spent`: the points of all cards on their Dossiers, as `combat_potential_spent`."""
    units = Dossier.objects.filter(register=OuterRef("pk"), status=UnitStatus.SERVING)
    upgrades = DossierUpgrade.objects.filter(dossier__register=OuterRef("pk"), dossier__status=UnitStatus.SERVING)
    return registers.annotate(
        spent=Coalesce(_sum(units, "register", "unit__points"), 0)
        + Coalesce(_sum(upgrades, "dossier__register", "upgrade__points"), 0)
    )


def over_potential(registers: QuerySet[Register]) -> QuerySet[Register]:
    """Return the Registers, with `spent`, whose cards cost more than their Combat Potential."""
    return with_spent(registers).filter(discarded=False, spent__gt=F("combat_potential"))


def names_over_potential(**_signal: Any) -> dict[object, str]:
    """Return the names of all Registers that are over their Combat Potential, by primary key. One query."""
    return {register.pk: str(register) for register in over_potential(Register.objects.all())}


def _sum(rows: QuerySet[Any], group: str, field: str) -> Subquery:
    return Subquery(rows.order_by().values(group).annotate(total=Sum(field)).values("total"))


def touched_at() -> Coalesce:
    """Return the expression for when a Register of a query last changed: its last ledger entry, or its creation."""
    last = LedgerEntry.objects.filter(register=OuterRef("pk")).order_by("-position").values("created_at")[:1]
    return Coalesce(Subquery(last), F("created_at"))


def last_touched(register: Register) -> datetime:
    """Return when a Register last changed."""
    return Register.objects.filter(pk=register.pk).annotate(touched_at=touched_at()).get().touched_at


class Lacking(Enum):
    """Things that a Register lacks and its player has to choose."""

    COMMISSION = "commission"
    STORY_ARC = "story arc"
    CORPS = "corps"


@Prepared
def perhaps_unready(user: int) -> QuerySet[Register]:
    """Return a player's Registers (by key) that may not be ready for a battle, with `units` for `outline`,
    `touched_at`, and their campaigns.

    Read on every page: not commissioned yet, a complete campaign that may continue (R49), or corps units due (R4, R11).
    """
    corps = Q(dossiers__status=UnitStatus.SERVING, dossiers__unit__rank="corps")
    registers = Register.objects.filter(owner=user, discarded=False)
    short = Q(in_field_battle="", corps__lt=MINIMUM_CORPS)
    unready = registers.annotate(corps=Count("dossiers", filter=corps)).filter(
        Q(commissioned=False) | Q(saga_complete=True) | short
    )
    return unready.annotate(units=_units(), touched_at=touched_at()).select_related("enlistment__campaign")


def lacking_of(register: Register, state: RegisterState) -> Lacking | None:
    """Return what a Register lacks; None if it lacks nothing. `state` may be its `outline`."""
    if not register.commissioned:
        return Lacking.COMMISSION
    book = rulebook_for(register)
    if next_arcs(book, state):
        return Lacking.STORY_ARC
    return Lacking.CORPS if not register.in_field_battle and must_add_corps(book, state) else None


def _units() -> ArraySubquery:
    upgrades = DossierUpgrade.objects.filter(dossier=OuterRef("pk")).values("upgrade_id")
    units = Dossier.objects.filter(register=OuterRef("pk"), status=UnitStatus.SERVING).order_by("order")
    return ArraySubquery(
        units.values(json=JSONObject(key="key", card="unit_id", faction="faction", upgrades=ArraySubquery(upgrades)))
    )


def outline(register: Any) -> RegisterState:
    """Return what `lacking_of` reads of the state of a Register of `perhaps_unready`."""
    return RegisterState(
        faction=register.faction,
        commissioned=register.commissioned,
        combat_potential=register.combat_potential,
        arcs_ended=register.arcs_ended,
        saga_complete=register.saga_complete,
        dossiers={unit["key"]: Unit(**unit) for unit in register.units},
    )

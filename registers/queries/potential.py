"""The Combat Potential that Registers have spent, counted by the database for lists of many Registers (R2)."""

from __future__ import annotations

from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from registers.models import Dossier, DossierUpgrade, Register, UnitStatus


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

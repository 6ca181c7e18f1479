"""Mark units as painted, and find those that are."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from core.db.prepared import Prepared
from registers.ledger.session import LedgerSession, check_may_edit
from registers.models import Register
from registers.painting.models import PaintedUnit


def painted_keys(register: Register) -> frozenset[str]:
    """Return the Dossier keys of a Register's painted units, in one query."""
    return frozenset(_keys(register.pk))


@Prepared
def _keys(register: UUID) -> QuerySet[PaintedUnit, str]:
    return PaintedUnit.objects.filter(register__pk=register).values_list("key", flat=True)


@transaction.atomic
def set_painted(*, actor: User, register_id: UUID, key: str, painted: bool) -> None:
    """Mark the unit with this Dossier key as painted, or take the mark away. Repeating it changes nothing; the time of
    the first mark stays. A battle in progress does not matter. Refuses users who may not change the Register. Raises
    Dossier.DoesNotExist for an unknown key.
    """
    register = LedgerSession.lock(register_id).registers[register_id]
    check_may_edit(actor, register, texts=True)
    dossier = register.dossiers.get(key=key)
    if painted:
        PaintedUnit.objects.get_or_create(register=register, key=dossier.key)
    else:
        PaintedUnit.objects.filter(register=register, key=dossier.key).delete()

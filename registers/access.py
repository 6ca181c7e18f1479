"""Access rules for Registers. Campaigns extend them (`campaign_side`)."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User, has_right
from core.db.prepared import Prepared
from registers import campaign_side
from rules.core.violations import refuse

from .models import Register

CORRECT = "registers.change_register"  # the permission of staff who correct every Register


def register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may see it. Raises Http404 otherwise."""
    return _one(user, pk, _owned, campaign_side.campaigns.seen_by, campaign_side.campaigns.managed_by)


def editable_register_for(user: User, pk: UUID, *, texts: bool = False) -> Register:
    """Return the Register, with its owner, if this user may change it (`texts`: its texts, pictures and paint). Raises
    Http404 otherwise. Refuses a Register whose campaign lets nobody change that now.
    """
    register = _one(user, pk, _owned, campaign_side.campaigns.managed_by)
    check_not_frozen(register, texts=texts)
    return register


def correctable_register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may correct it by hand. Raises Http404 otherwise. Refuses a
    Register whose campaign lets nobody change it now.
    """
    register = _one(user, pk, campaign_side.campaigns.managed_by)
    check_not_frozen(register)
    return register


def check_not_frozen(register: Register, *, texts: bool = False) -> None:
    """Refuse a Register whose campaign lets nobody change it now, or its `texts` (`campaign_side.Frozen`)."""
    frozen = campaign_side.campaigns.frozen(register)
    if why := frozen.texts if texts else frozen.game:
        raise refuse("", why)


def may_edit(user: User, register: Register) -> bool:
    """Return whether the user may change the Register; nobody if it was discarded (R10). No query for the owner."""
    return not register.discarded and (register.owner_id == user.pk or may_correct(user, register))


def may_correct(user: User, register: Register) -> bool:
    """Return whether the user may correct the Register by hand."""
    return has_right(user, CORRECT) or bool(_rows(user, register.pk, campaign_side.campaigns.managed_by))


def _owned(user: User | int) -> Q:
    return Q(owner=user)


def _one(user: User, pk: UUID, *conditions: Callable[[User | int], Q]) -> Register:
    if (register := next(iter(_rows(user, pk, *conditions)), None)) is None:
        raise Http404("No such Register")
    return register


def _rows(user: User, pk: UUID, *conditions: Callable[[User | int], Q]) -> QuerySet[Register]:
    return _registers.plain(user, pk, *conditions) if user.is_staff else _registers(user.pk, pk, *conditions)


@Prepared
def _registers(user: User | int, pk: UUID, *conditions: Callable[[User | int], Q]) -> QuerySet[Register]:
    """Return the Register, if one of the conditions holds for it and the user, who is staff, or for the user's key."""
    found = Register.objects.select_related("owner").filter(pk=pk)
    if isinstance(user, User) and has_right(user, CORRECT):
        return found
    condition = reduce(or_, (condition(user) for condition in conditions))
    return found.filter(condition)[:1] if condition else found.none()

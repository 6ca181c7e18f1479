"""Access rules for Registers. Campaigns extend them (`campaign_side`)."""

from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User, has_right
from registers import campaign_side
from rules.core.violations import refuse

from .models import Register

CORRECT = "registers.change_register"  # the permission of staff who correct every Register


def register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may see it. Raises Http404 otherwise."""
    return _one(_named(user, Q(owner=user), campaign_side.campaigns.seen_by(user), _managed(user)), pk)


def editable_register_for(user: User, pk: UUID, *, texts: bool = False) -> Register:
    """Return the Register, with its owner, if this user may change it (`texts`: its texts, pictures and paint). Raises
    Http404 otherwise. Refuses a Register whose campaign lets nobody change that now.
    """
    register = _one(_named(user, Q(owner=user), _managed(user)), pk)
    check_not_frozen(register, texts=texts)
    return register


def correctable_register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may correct it by hand. Raises Http404 otherwise. Refuses a
    Register whose campaign lets nobody change it now.
    """
    register = _one(_named(user, _managed(user)), pk)
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
    return has_right(user, CORRECT) or _named(user, _managed(user)).filter(pk=register.pk).exists()


def _managed(user: User) -> Q:
    return campaign_side.campaigns.managed_by(user)


def _named(user: User, *conditions: Q) -> QuerySet[Register]:
    if has_right(user, CORRECT):
        return Register.objects.all()
    condition = reduce(or_, conditions)
    return Register.objects.filter(condition) if condition else Register.objects.none()


def _one(registers: QuerySet[Register], pk: UUID) -> Register:
    if (register := registers.select_related("owner").filter(pk=pk).first()) is None:
        raise Http404("No such Register")
    return register

"""Access rules for Registers. Other apps extend them in `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User

from .models import Register

#: Takes a user; returns a condition on Register that selects those the user may see, change or correct.
Who = Callable[[User], Q]

_visible: list[Who] = []
_editable: list[Who] = []
_correctable: list[Who] = []


def also_visible(who: Who) -> None:
    """Add `who(user)`, a condition on Register, to what a user may see."""
    _visible.append(who)


def also_editable(who: Who) -> None:
    """Add `who(user)`, a condition on Register, to what a user may change and see."""
    _editable.append(who)


def also_correctable(who: Who) -> None:
    """Add `who(user)`, a condition on Register, to what a user may correct by hand."""
    _correctable.append(who)


def register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may see it. Raises Http404 otherwise."""
    return _one(_named(user, Q(owner=user), [*_visible, *_editable]), pk)


def editable_register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may change it. Raises Http404 otherwise."""
    return _one(_named(user, Q(owner=user), _editable), pk)


def correctable_register_for(user: User, pk: UUID) -> Register:
    """Return the Register, with its owner, if this user may correct it by hand. Raises Http404 otherwise."""
    return _one(_named(user, Q(), _correctable), pk)


def may_edit(user: User, register: Register) -> bool:
    """Return whether the user may change the Register; nobody if it was discarded (R10). No query for the owner."""
    if register.discarded:
        return False
    return register.owner_id == user.pk or _holds(user, register, _editable)


def may_correct(user: User, register: Register) -> bool:
    """Return whether the user may correct the Register by hand."""
    return _holds(user, register, _correctable)


def _holds(user: User, register: Register, others: Iterable[Who]) -> bool:
    return user.is_staff or _named(user, Q(), others).filter(pk=register.pk).exists()


def _named(user: User, condition: Q, others: Iterable[Who]) -> QuerySet[Register]:
    if user.is_staff:
        return Register.objects.all()
    for who in others:
        condition |= who(user)
    return Register.objects.filter(condition) if condition else Register.objects.none()


def _one(registers: QuerySet[Register], pk: UUID) -> Register:
    register = registers.select_related("owner").filter(pk=pk).first()
    if register is None:
        raise Http404("No such Register")
    return register

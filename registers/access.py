"""Who may see a Register, and who may change it.

Its owner and the staff may do both. Rooms above this one say who else may, in their `AppConfig.ready`, and who may
correct it by hand: the staff and those who organise, not its owner.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User

from .models import Register

Who = Callable[[User], Q]

_visible: list[Who] = []
_editable: list[Who] = []
_correctable: list[Who] = []


def also_visible(who: Who) -> None:
    """Let `who(user)`, a condition on Register, name further Registers that a user may see."""
    _visible.append(who)


def also_editable(who: Who) -> None:
    """Let `who(user)`, a condition on Register, name further Registers that a user may change (and see)."""
    _editable.append(who)


def also_correctable(who: Who) -> None:
    """Let `who(user)`, a condition on Register, name the Registers that a user may correct by hand."""
    _correctable.append(who)


def visible_registers(user: User) -> QuerySet[Register]:
    """All Registers that a user may see."""
    return _allowed(user, [*_visible, *_editable])


def register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may see it. Raises Http404 otherwise."""
    return _one(visible_registers(user), pk)


def editable_register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may change it. Raises Http404 otherwise."""
    return _one(_allowed(user, _editable), pk)


def may_edit(user: User, register: Register) -> bool:
    """Whether this user may change it; nobody changes what was discarded (R10)."""
    return not register.discarded and _allowed(user, _editable).filter(pk=register.pk).exists()


def correctable_register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may correct it by hand. Raises Http404 otherwise."""
    return _one(_named(user, Q(pk__in=()), _correctable), pk)


def may_correct(user: User, register: Register) -> bool:
    """Whether this user may correct it by hand."""
    return _named(user, Q(pk__in=()), _correctable).filter(pk=register.pk).exists()


def _allowed(user: User, others: list[Who]) -> QuerySet[Register]:
    return _named(user, Q(owner=user), others)


def _named(user: User, condition: Q, others: list[Who]) -> QuerySet[Register]:
    if user.is_staff:
        return Register.objects.all()
    for who in others:
        condition |= who(user)
    # A condition that follows a relation may find a Register twice; a subquery does not.
    return Register.objects.filter(pk__in=Register.objects.filter(condition).values("pk"))


def _one(registers: QuerySet[Register], pk: UUID) -> Register:
    register = registers.select_related("owner", "story_arc", "trait").filter(pk=pk).first()
    if register is None:
        raise Http404("No such Register")
    return register

"""Who may see a Register, and who may change it.

Its owner and the staff may do both. Rooms above this one say who else may, in their `AppConfig.ready`, and who may
correct it by hand: the staff and those who organise, not its owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Exists, Q, QuerySet
from django.http import Http404

from accounts.models import User
from config.together import Together, columns, made, made_if_any

from .models import Register

Who = Callable[[User | int], Q]

_visible: list[Who] = []
_editable: list[Who] = []
_correctable: list[Who] = []


def also_visible(who: Who) -> None:
    """Let `who(user)` (or the user's key), a condition on Register, name further Registers that a user may see."""
    _visible.append(who)


def also_editable(who: Who) -> None:
    """Let `who(user)` (or the user's key), a condition on Register, name further ones that they may change and see."""
    _editable.append(who)


def also_correctable(who: Who) -> None:
    """Let `who(user)` (or the user's key), a condition on Register, name those that a user may correct by hand."""
    _correctable.append(who)


def register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may see it. Raises Http404 otherwise. It says of itself whether they `may_edit` and
    `may_correct` it."""
    return _one(user, pk, [*_visible, *_editable])


def editable_register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may change it. Raises Http404 otherwise."""
    return _one(user, pk, _editable)


def may_edit(user: User, register: Register) -> bool:
    """Whether this user may change it; nobody changes what was discarded (R10)."""
    return not register.discarded and _allowed(user, _editable).filter(pk=register.pk).exists()


def correctable_register_for(user: User, pk: UUID) -> Register:
    """The Register, if this user may correct it by hand. Raises Http404 otherwise."""
    return _one(user, pk, _correctable, owner=False)


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


# --- One Register ------------------------------------------------------------------------------------------------


def _one(user: User, pk: UUID, whose: Iterable[Who], *, owner: bool = True) -> Register:
    [rows] = _ONE.ask(
        user.is_staff, owner, tuple(whose), tuple(_editable), tuple(_correctable), user=user.pk, register=pk
    )
    if not rows:
        raise Http404("No such Register")
    [row] = rows
    register = made(Register, row)
    register.owner = made_if_any(User, row, "owner__")
    register.may_edit = row["edit"] and not register.discarded
    register.may_correct = row["correct"]
    return register


def _rows(
    staff: bool,
    owner: bool,
    whose: tuple[Who, ...],
    editable: tuple[Who, ...],
    correctable: tuple[Who, ...],
    user: int,
    register: UUID,
) -> QuerySet[Register, Any]:
    def is_named(others: tuple[Who, ...], *, owner: bool) -> Exists:
        condition = Q(owner=user) if owner else Q(pk__in=())
        for who in others:
            condition |= who(user)
        named = Register.objects.filter(pk=register)
        return Exists(named if staff else named.filter(condition))

    found = Register.objects.filter(is_named(whose, owner=owner), pk=register)
    return found.annotate(
        edit=is_named(editable, owner=True), correct=is_named(correctable, owner=False)
    ).values(*columns(Register), *columns(User, "owner__", without=("password",)), "edit", "correct")


_ONE = Together({"user": int, "register": UUID}, _rows)

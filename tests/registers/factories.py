"""Boring things to test with: players, Registers, Forces."""

from __future__ import annotations

from accounts.models import User
from registers.models import Register
from registers.services import founding


def make_player(username: str, **fields: object) -> User:
    """A person who can sign in."""
    return User.objects.create_user(username=username, password="steel-4-parade", **fields)


def make_register(
    owner: User, *, name: str = "Ashen Patrol", units: int = 2, commissioned: bool = True
) -> Register:
    """An imperial Register through the services: a commander (the Paragon, 1) and so many corps units."""
    act = {"actor": owner, "position": None}
    pk = founding.open_register(actor=owner, owner=owner, faction="empire").pk
    founding.add_unit(
        **act,
        register_id=pk,
        card="imperial-officer-ruthless-efficiency",
        name="Captain Sorne",
    )
    for _ in range(units):
        founding.add_unit(**act, register_id=pk, card="stormtroopers")
    founding.choose_story_arc(**act, register_id=pk, story_arc="bring-peace-to-the-galaxy")
    register = founding.name_register(**act, register_id=pk, name=name)
    return founding.commission(**act, register_id=pk) if commissioned else register

"""Boring things to test with: players, Registers, states."""

from django.db import transaction

from accounts.models import User
from registers.ledger.session import LedgerSession, effects_of_entry
from registers.models import LedgerEntry, Register
from registers.services import building
from tests.once import once


@once
def make_player(username: str, **fields: object) -> User:
    """A person who can sign in."""
    return User.objects.create_user(username=username, password="steel-4-parade", **fields)


#: The ledgers of Registers that the services built, by what was asked for: building one takes seven acts.
_built: dict[tuple[str, int, bool], list[LedgerEntry]] = {}


@once
def make_register(owner: User, *, name: str = "Ashen Patrol", units: int = 2, commissioned: bool = True) -> Register:
    """An imperial Register: a commander (the Paragon, 1) and so many corps units.

    The services build the first of its kind in a process; the others get the same entries at once.
    """
    asked = (name, units, commissioned)
    if asked not in _built:
        register = _build(owner, name, units, commissioned=commissioned)
        _built[asked] = list(register.entries.order_by("position"))
        return register
    with transaction.atomic():
        register = Register.objects.create(owner=owner)
        session = LedgerSession.lock(register.pk)
        register = session.registers[register.pk]
        for entry in _built[asked]:
            effects = effects_of_entry(entry)
            session.stage(register, actor=owner, act=entry.act, effects=effects, answers=entry.answers)
        session.commit()
    return register


def _build(owner: User, name: str, units: int, *, commissioned: bool) -> Register:
    act = {"actor": owner, "position": None}
    pk = building.open_register(actor=owner, owner=owner, faction="empire").pk
    building.add_unit(**act, register_id=pk, card="imperial-officer-ruthless-efficiency", name="Captain Sorne")
    for _ in range(units):
        building.add_unit(**act, register_id=pk, card="stormtroopers")
    building.choose_story_arc(**act, register_id=pk, story_arc="bring-peace-to-the-galaxy")
    register = building.name_register(**act, register_id=pk, name=name)
    return building.commission(**act, register_id=pk) if commissioned else register

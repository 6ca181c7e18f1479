"""Registers as they battle begun."""

from django.db import transaction

from registers import projection
from registers.ledger.past import states_before
from registers.models import EntryType, Register
from rules.register.effects import Effect, FieldLeft, FieldTaken, ReputationGained
from tests.registers.factories import make_register
from tests.registers.ledgers import append, lock

POINT = ReputationGained(amount=1, rule="R48")


def write(register: Register, act: str, *effects: Effect, battle: str = "") -> None:
    with transaction.atomic():
        [locked] = lock(register.pk)
        append(actor=register.owner, register=locked, act=act, effects=effects, battle=battle)


def fights(register: Register, battle: str) -> None:
    write(register, EntryType.BEGIN, FieldTaken(battle=battle, rule="R11"), battle=battle)
    write(register, EntryType.GAINS, POINT, battle=battle)
    write(register, EntryType.CANCEL, FieldLeft(rule="R11"), battle=battle)


def test_each_as_it_took_the_field_and_who_stayed_as_it_is(book, player):
    one, other, third = (make_register(player, name=name) for name in ("One", "Other", "Third"))
    before = projection.states_of([one, other, third])
    fights(one, "7")
    one.refresh_from_db()
    after_one = projection.state_of(one)
    for register in (one, other, third):
        fights(register, "8")
    write(third, EntryType.EDIT, POINT)
    third.refresh_from_db()
    assert states_before("7", [one]) == {one.pk: before[one.pk]}
    assert states_before("8", [one, other, third]) == before | {one.pk: after_one}
    now = projection.state_of(third)
    assert states_before("7", [one, third]) == {one.pk: before[one.pk], third.pk: now}
    assert states_before("8", []) == {}

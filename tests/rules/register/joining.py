"""Registers that units join, for the tests of building."""

from dataclasses import replace
from typing import Any

from rules.core.card_types import Unit
from rules.core.rulebook import Rulebook
from rules.register.building import open_register
from rules.register.state import RegisterState, replay
from tests.rules.build import OTHERS, SNOW, TROOPERS, state, without

NEW = "8"
TANK = "tx-225-gavw-occupier-tank"


def opened(**changes: Any) -> RegisterState:
    return replace(replay(open_register()), **changes)


def spare(**changes: Any) -> RegisterState:
    """A commissioned Register in the barracks."""
    return state(in_field=None, **changes)


def with_card(book: Rulebook, unit: Unit) -> Rulebook:
    return replace(book, units={**book.units, unit.slug: unit})


def short(corps: int, **changes: Any) -> RegisterState:
    """A commissioned Register with fewer corps units than it needs."""
    return without(spare(**changes), *[TROOPERS, OTHERS, SNOW][corps:])


def gun_of_the(book: Rulebook, unit: str) -> str:
    """A hardpoint upgrade that is for this unit."""
    name = book.units[unit].name
    return next(
        card.slug
        for card in book.upgrades.values()
        if card.type == "hardpoint" and any(term.value == name for terms in card.restrictions for term in terms)
    )

"""Armies, for the tests of what one may hold."""

from typing import Any

from rules.army import Army, BattleTerms, army_problems
from rules.force import Force
from rules.refusal import Problem
from rules.report import Lent
from rules.rulebook import Rulebook

from .build import force

VADER = "darth-vader-dark-lord-of-the-sith"
SMALL = BattleTerms(size=600)


def army(*units: str, **changes: Any) -> Army:
    return Army(fielded=dict.fromkeys(units, ()), **changes)


def wrong(
    book: Rulebook, army: Army, *, start: Force | None = None, terms: BattleTerms = SMALL
) -> list[Problem]:
    return list(army_problems(book, start or force(), army, terms))


def lent(
    book: Rulebook, asset: str, unit: str = "", *upgrades: str, key: str = "L1", bearer: str = ""
) -> Lent:
    return Lent(
        asset,
        key if unit else "",
        book.units[unit] if unit else None,
        tuple(book.upgrades[slug] for slug in upgrades),
        bearer,
    )

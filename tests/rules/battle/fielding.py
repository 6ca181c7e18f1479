"""Armies, for the tests of what one may hold."""

from typing import Any

from rules.battle.army import Army, BattleSetup, army_violations
from rules.battle.report import Lent
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.state import RegisterState
from tests.rules.build import state

VADER = "darth-vader-dark-lord-of-the-sith"
SMALL = BattleSetup(size=600)


def army(*units: str, **changes: Any) -> Army:
    return Army(fielded=dict.fromkeys(units, ()), **changes)


def wrong(
    book: Rulebook, army: Army, *, start: RegisterState | None = None, setup: BattleSetup = SMALL
) -> list[Violation]:
    return list(army_violations(book, start or state(), army, setup))


def lent(book: Rulebook, asset: str, unit: str = "", *upgrades: str, key: str = "L1", bearer: str = "") -> Lent:
    return Lent(
        asset,
        key if unit else "",
        book.units[unit] if unit else None,
        tuple(book.upgrades[slug] for slug in upgrades),
        bearer,
    )

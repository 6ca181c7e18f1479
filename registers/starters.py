"""Ready-made starters: units of 600 points for a new Register of each Faction that can have one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ops.paths import BASE_DIR
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation
from rules.register.building import add_unit
from rules.register.effects import Effect
from rules.register.state import RegisterState, replay

FILE = BASE_DIR / "fixtures" / "starters.json"


@dataclass(frozen=True, slots=True)
class StarterUnit:
    """A unit of a starter, by slugs: its card and its upgrades; and its Dossier name."""

    card: str
    upgrades: tuple[str, ...] = ()
    name: str = ""


@cache
def starters() -> Mapping[str, tuple[StarterUnit, ...]]:
    """Return the units of each starter, in the order in which they join, by Faction."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        faction: tuple(
            StarterUnit(unit["card"], tuple(unit.get("upgrades", ())), unit.get("name", "")) for unit in units
        )
        for faction, units in found.items()
    }


def starter_effects(book: Rulebook, state: RegisterState) -> list[Sequence[Effect]]:
    """Return the effects of each unit of the starter for this Register, in order.

    Empty if its Faction has none, if units have joined already, or if a campaign rule or a newer card price makes the
    starter illegal (R2 to R8).
    """
    found: list[Sequence[Effect]] = []
    if state.dossiers or state.commissioned:
        return found
    for unit in starters().get(state.faction, ()):
        try:
            found.append(add_unit(book, state, unit.card, upgrades=unit.upgrades, name=unit.name))
        except RuleViolation:
            return []
        state = replay(found[-1], state)
    return found

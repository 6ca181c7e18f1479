"""Ready-made starters: units of 600 points for a new Register of each Faction that can have one."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ops.paths import BASE_DIR
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation
from rules.register.building import add_unit
from rules.register.effects import Effect
from rules.register.state import RegisterState, replay

FILE = BASE_DIR / "fixtures" / "starters.json"


@cache
def starters() -> Mapping[str, Sequence[dict[str, Any]]]:
    """Return the units of each starter, in the order in which they join, by Faction: each with the slug of its `card`
    and of its `upgrades`, and its Dossier `name`, if it has those.
    """
    found: Mapping[str, Sequence[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


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
            upgrades, name = unit.get("upgrades", ()), unit.get("name", "")
            found.append(add_unit(book, state, unit["card"], upgrades=upgrades, name=name))
        except RuleViolation:
            return []
        state = replay(found[-1], state)
    return found

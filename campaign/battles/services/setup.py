"""The setup of one side of a battle: size, reinforcements, Turning Point Mission (R18, R20, R22)."""

from __future__ import annotations

from campaign.battles.models import Battle, Side
from rules.battle import army as armies


def setup_for(battle: Battle, side: Side, sides: list[Side]) -> armies.BattleSetup:
    """Return the size, reinforcements and Turning Point Mission of one side (R18, R20, R22). The sides have their
    Registers loaded.
    """
    other = next(other for other in sides if other.pk != side.pk)
    ahead = other.register.reputation if other.register else 0
    return armies.BattleSetup(
        size=battle.size,
        reinforcements=armies.reinforcements(side.register.reputation, ahead) if side.register else 0,
        own_turning_point=battle.owner == side.colour,
    )

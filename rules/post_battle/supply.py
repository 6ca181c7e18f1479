"""Step 3, Award Supply Points (R30)."""

from __future__ import annotations

from ..dice import RED_DEFENSE
from ..effects import DiceRolled, Noted, SupplyPointsGained
from ..report import Report
from ..script import Pool, Roll, Scene, Script

FOR_PLAYING = 2


def award_supply_points(scene: Scene, report: Report) -> Script[None]:
    """2 SP, and 1 more on a block, or on a surge for the side that won (R30). Skipped if conceded (R51)."""
    if report.conceded:
        yield Noted(rule="R51", why="skipped: conceded")
        return
    yield SupplyPointsGained(amount=FOR_PLAYING, rule="R30", why="for the battle")
    pool = Pool("supply", RED_DEFENSE, 1, "block: +1 SP" + (", surge: +1 SP" if report.won else ""))
    faces = (yield Roll(rule="R30", text="Roll for supplies", pools=(pool,)))["supply"]
    yield DiceRolled(die=RED_DEFENSE, faces=faces, rule="R30", why="supplies")
    if faces == ("block",) or (faces == ("surge",) and report.won):
        yield SupplyPointsGained(amount=1, rule="R30", why=f"a {faces[0]}")

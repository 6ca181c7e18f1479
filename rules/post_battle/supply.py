"""Step 3, Award Supply Points (R30)."""

from rules.battle.report import Report
from rules.core.dice import RED_DEFENSE
from rules.core.translation import gettext, gettext_noop
from rules.post_battle.dialogue import Context, Dialogue, Pool, roll
from rules.register.effects import Noted, SupplyPointsGained

FOR_PLAYING = 2
_GAINED_BY = {"block": gettext_noop("a block"), "surge": gettext_noop("a surge")}


def award_supply_points(context: Context, report: Report) -> Dialogue[None]:
    """Award 2 SP, and 1 more on a block, or on a surge for the side that won (R30). Skipped if conceded (R51)."""
    if report.conceded:
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        return
    yield SupplyPointsGained(amount=FOR_PLAYING, rule="R30", why=gettext_noop("for the battle"))
    gains = (
        gettext("block: +1 SP, surge: +1 SP")
        if report.won
        else gettext("block: +1 SP; surges count only for the winner")
    )
    faces = yield from roll(
        Pool("supply", RED_DEFENSE, 1, gettext("Supplies"), gains),
        rule="R30",
        text=gettext("Roll for supplies."),
        why=gettext_noop("supplies"),
    )
    if faces == ("block",) or (faces == ("surge",) and report.won):
        yield SupplyPointsGained(amount=1, rule="R30", why=_GAINED_BY[faces[0]])

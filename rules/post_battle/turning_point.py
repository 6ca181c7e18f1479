"""Step 2, Turning Point Rewards (R29)."""

from __future__ import annotations

from rules.battle.report import Report
from rules.core.translation import gettext_noop
from rules.post_battle.dialogue import Context, Dialogue
from rules.post_battle.rewards import Occasion, resolve
from rules.register.effects import Noted

from .agendas import holds


def turning_point_rewards(context: Context, report: Report) -> Dialogue[None]:
    """Resolve the mission's end of game for this side, then victory or defeat for its owner (R29, R51).

    A draw is not a win: the owner resolves the defeat, or neither if the house rules say so (`draw`).
    """
    mission = report.turning_point
    if mission is None:
        yield Noted(rule="R29", why=gettext_noop("no Turning Point Mission"))
        return
    if report.conceded:
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        return
    for entry in mission.end_of_game:
        if holds(entry.when, report, lambda text: text in report.claims):
            yield from resolve(context, Occasion(report, "R29", mission.name), entry.reward)
    if not report.owns_turning_point:
        return
    if report.result == "drawn" and context.book.house.draw == "neither":
        yield Noted(rule="R29", why=gettext_noop("a draw: neither victory nor defeat"))
        return
    reward = mission.victory if report.won else mission.defeat
    yield from resolve(context, Occasion(report, "R29", mission.name), reward)

"""Step 2, Turning Point Rewards (R29)."""

from rules.battle.report import Report
from rules.core.card_types import TurningPoint
from rules.core.reward_effects import Clause, OpponentLosesSupplyPoints
from rules.core.translation import gettext_noop, kept
from rules.post_battle.dialogue import Context, Dialogue
from rules.post_battle.rewards import Occasion, resolve
from rules.register.effects import Noted, SupplyPointsSpent

from .agendas import holds


def turning_point_rewards(context: Context, report: Report) -> Dialogue[None]:
    """Resolve the mission's end of game for this side, then victory or defeat for its owner (R29, R51).

    A draw is not a win: the owner resolves the defeat, or neither if the house rules say so (`draw`). What the owner's
    victory or defeat takes from the opponent is lost here by the other side, also if it conceded. An owner who conceded
    skips the step, or has lost the mission (`conceded_mission`).
    """
    if (mission := report.turning_point) is None:
        yield Noted(rule="R29", why=gettext_noop("no Turning Point Mission"))
        return
    if report.conceded and not (report.owns_turning_point and _counts_as_lost(context)):
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        yield from _lose_supply_points(context, report, mission)
        return
    for entry in mission.end_of_game:
        if holds(entry.when, report, lambda text: text in report.claims):
            yield from resolve(context, Occasion(report, "R29", mission.name), entry.reward)
    if not report.owns_turning_point:
        yield from _lose_supply_points(context, report, mission)
        return
    if _is_neither(context, report):
        yield Noted(rule="R29", why=gettext_noop("a draw: neither victory nor defeat"))
        return
    yield from resolve(context, Occasion(report, "R29", mission.name), _of_owner(mission, won=report.won))


def _lose_supply_points(context: Context, report: Report, mission: TurningPoint) -> Dialogue[None]:
    """Lose the SP that the owner's victory or defeat takes; nothing if its owner conceded and skips the step (R51)."""
    owner_skips = report.opponent_conceded and not _counts_as_lost(context)
    if report.owns_turning_point or owner_skips or _is_neither(context, report):
        return
    reward = _of_owner(mission, won=report.lost)
    taken = sum(clause.amount for clause in reward if isinstance(clause, OpponentLosesSupplyPoints))
    if lost := min(taken, context.state.supply_points):
        yield SupplyPointsSpent(amount=lost, rule="R29", why=mission.name)
    elif taken:
        yield Noted(rule="R29", why=kept(gettext_noop("{mission}: no SP to lose"), mission=mission.name))


def _of_owner(mission: TurningPoint, *, won: bool) -> tuple[Clause, ...]:
    return mission.victory if won else mission.defeat


def _counts_as_lost(context: Context) -> bool:
    return context.book.house.conceded_mission == "lost"


def _is_neither(context: Context, report: Report) -> bool:
    return report.result == "drawn" and context.book.house.draw == "neither"

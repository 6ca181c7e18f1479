"""Step 2, Turning Point Rewards (R29)."""

from rules.battle.report import Report
from rules.core.campaign_rules import HouseRules
from rules.core.card_types import TurningPoint
from rules.core.reward_effects import Clause, OpponentLosesSupplyPoints
from rules.core.translation import gettext_noop, kept
from rules.post_battle.dialogue import Context, Dialogue
from rules.post_battle.rewards import Occasion, resolve
from rules.register.effects import Noted, SupplyPointsSpent

from .agendas import holds


def turning_point_rewards(context: Context, report: Report) -> Dialogue[None]:
    """Resolve the mission's end of game for this side, then victory or defeat for its owner (R29, R51).

    What the owner's victory or defeat takes from the opponent is lost here by the other side, also if it conceded. An
    owner who conceded skips the step, or has lost the mission (`conceded_mission`).
    """
    if (mission := report.turning_point) is None:
        yield Noted(rule="R29", why=gettext_noop("no Turning Point Mission"))
        return
    own, reward = report.owns_turning_point, _of_owner(context.book.house, report, mission)
    if report.conceded and not (own and reward is not None):
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
    else:
        for entry in mission.end_of_game:
            if holds(entry.when, report, lambda text: text in report.claims):
                yield from resolve(context, Occasion(report, "R29", mission.name), entry.reward)
        if own and reward is None:
            yield Noted(rule="R29", why=gettext_noop("a draw: neither victory nor defeat"))
        elif own and reward:
            yield from resolve(context, Occasion(report, "R29", mission.name), reward)
    if not own:
        yield from _lose_supply_points(context, mission, reward or ())


def _lose_supply_points(context: Context, mission: TurningPoint, reward: tuple[Clause, ...]) -> Dialogue[None]:
    """Lose the SP that the owner's victory or defeat takes."""
    taken = sum(clause.amount for clause in reward if isinstance(clause, OpponentLosesSupplyPoints))
    if lost := min(taken, context.state.supply_points):
        yield SupplyPointsSpent(amount=lost, rule="R29", why=mission.name)
    elif taken:
        yield Noted(rule="R29", why=kept(gettext_noop("{mission}: no SP to lose"), mission=mission.name))


def _of_owner(house: HouseRules, report: Report, mission: TurningPoint) -> tuple[Clause, ...] | None:
    """Return what the owner resolves: victory or defeat, or None. An owner who conceded cannot win the mission, even if
    both conceded and the report names the owner the winner (R51, `conceded_mission`). A draw is a defeat (R29, `draw`).
    """
    own = report.owns_turning_point
    if report.conceded if own else report.opponent_conceded:
        return mission.defeat if house.conceded_mission == "lost" else None
    if report.result == "drawn":
        return mission.defeat if house.draw == "defeat" else None
    return mission.victory if report.won is own else mission.defeat

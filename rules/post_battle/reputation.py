"""Step 9, Adjust Reputation (R48)."""

from rules.battle.army import AGENDAS_TO_MUST, completed_agendas
from rules.battle.report import Report
from rules.core.translation import gettext_noop, kept
from rules.post_battle.dialogue import Context, Dialogue
from rules.register.effects import Noted, ReputationGained, SupplyPointsGained

SUPPLY_FOR_ALL_AGENDAS = 3


def adjust_reputation(context: Context, report: Report) -> Dialogue[None]:
    """Award 1 Reputation for an ended Story Arc, won or lost; with all 3 Agendas complete 1 more and 3 SP (R48)."""
    if not report.owns_turning_point:
        yield Noted(rule="R48", why=gettext_noop("no Story Arc ended"))
        return
    arc = context.book.story_arcs[context.state.story_arc]
    yield ReputationGained(amount=1, rule="R48", why=kept(gettext_noop("{arc} ended"), arc=arc.name))
    if completed_agendas(arc, context.state) >= AGENDAS_TO_MUST:
        yield ReputationGained(amount=1, rule="R48", why=gettext_noop("all Agendas complete"))
        yield SupplyPointsGained(amount=SUPPLY_FOR_ALL_AGENDAS, rule="R48", why=gettext_noop("all Agendas complete"))

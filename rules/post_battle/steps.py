"""The ten steps in order, and the start of a battle for a Register."""

from collections.abc import Callable, Iterator

from rules.battle.report import Report
from rules.core.translation import gettext, gettext_noop
from rules.core.values import Value
from rules.core.violations import Violation, raise_if_any, refuse
from rules.post_battle.agendas import progress_agendas
from rules.post_battle.aid_requests import make_aid_requests
from rules.post_battle.casualties import determine_casualties
from rules.post_battle.commendations import award_commendations
from rules.post_battle.dialogue import Context, Dialogue
from rules.post_battle.edit_register import edit_register
from rules.post_battle.experience import award_experience
from rules.post_battle.reputation import adjust_reputation
from rules.post_battle.setbacks import gain
from rules.post_battle.story_arc import choose_story_arc
from rules.post_battle.supply import award_supply_points
from rules.post_battle.turning_point import turning_point_rewards
from rules.register.effects import Effect, FieldTaken, SupplyPointsGained
from rules.register.state import RegisterState


class Step(Value):
    """One step: its number, its name as printed, and its script."""

    number: int
    printed: str
    script: Callable[[Context, Report], Dialogue[None]]

    @property
    def name(self) -> str:
        """Its name in the current language."""
        return gettext(self.printed)


STEPS = (
    Step(1, gettext_noop("Progress Agendas"), progress_agendas),
    Step(2, gettext_noop("Turning Point Rewards"), turning_point_rewards),
    Step(3, gettext_noop("Award Supply Points"), award_supply_points),
    Step(4, gettext_noop("Determine Casualties and Setbacks"), determine_casualties),
    Step(5, gettext_noop("Award Experience"), award_experience),
    Step(6, gettext_noop("Award Commendations"), award_commendations),
    Step(7, gettext_noop("Make Aid Requests"), make_aid_requests),
    Step(8, gettext_noop("Edit Register"), edit_register),
    Step(9, gettext_noop("Adjust Reputation"), adjust_reputation),
    Step(10, gettext_noop("Choose New Story Arc"), choose_story_arc),
)
#: The step in which used assets leave a Register (R47).
EDITING = 8
LAST_STEP = len(STEPS)


def step(number: int) -> Step:
    """Return the step with that number, from 1 to 10."""
    return STEPS[number - 1]


def unready_violations(state: RegisterState) -> Iterator[Violation]:
    """Yield why a Register cannot fight at all: not commissioned (R4), or its campaign is complete (R49)."""
    name = state.name or gettext("This Register")
    if not state.commissioned:
        text = gettext("{register} is not finished yet. Finish building it first.", register=name)
        yield Violation("R4", text)
    if state.saga_complete:
        text = gettext("{register} has played its last Story Arc and can no longer fight.", register=name)
        yield Violation("R49", text)


def take_the_field(state: RegisterState, battle: str) -> list[Effect]:
    """Start `battle` for a Register. Refuses one not commissioned (R4), in a battle (R11) or complete (R49)."""
    raise_if_any(unready_violations(state))
    if state.in_field:
        raise refuse("R11", gettext("{register} is already in a battle.", register=state.name))
    return [FieldTaken(battle=battle, trait=state.trait.slug if state.trait else "", rule="R11")]


def gains_of_the_game(context: Context, report: Report) -> Dialogue[None]:
    """Enter the XP and SP that Paragon Command Cards gave during the game, before step 1 (section 5)."""
    for key, amount in report.in_game_experience.items():
        if key in context.state.dossiers and amount:
            yield from gain(context, key, amount, rule="R16", why=gettext_noop("gained during the game"))
    if report.in_game_supply:
        yield SupplyPointsGained(amount=report.in_game_supply, rule="R16", why=gettext_noop("gained during the game"))

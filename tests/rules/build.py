"""Boring parts that the tests of the rules are made of."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.campaign_rules import CampaignRules, HouseRules
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Context, Dialogue, Progress, run
from rules.register.effects import DiceRolled, Effect, ExperienceGained, Noted, VeteranRankReached
from rules.register.state import Dossier, Field, RegisterState

OFFICER = "imperial-officer-ruthless-efficiency"
STORMTROOPERS = "stormtroopers"
SNOWTROOPERS = "snowtroopers"
SCOUTS = "scout-troopers"
BIKES = "74-z-speeder-bikes"
AT_ST = "at-st"

PARAGON, TROOPERS, OTHERS, SNOW, SCOUT, BIKE, WALKER = "1", "2", "3", "4", "5", "6", "7"

#: A small imperial Register: the Paragon, three corps, special forces, support and heavy.
UNITS = {
    PARAGON: (OFFICER, "Captain Sorne"),
    TROOPERS: (STORMTROOPERS, "Grim Hounds"),
    OTHERS: (STORMTROOPERS, "Night Shift"),
    SNOW: (SNOWTROOPERS, "Cold Feet"),
    SCOUT: (SCOUTS, "Red Six"),
    BIKE: (BIKES, "Dust Devils"),
    WALKER: (AT_ST, "Long Shadow"),
}


def state(**changes: Any) -> RegisterState:
    """A commissioned Register in the field, with 1000 points of CP and 5 SP; `changes` are its fields."""
    start = RegisterState(
        name="Ashen Patrol",
        faction="empire",
        commissioned=True,
        combat_potential=1000,
        supply_points=5,
        story_arc="bring-peace-to-the-galaxy",
        dossiers={key: Dossier(key, card, name) for key, (card, name) in UNITS.items()},
        paragon=PARAGON,
        next_key=8,
        in_field=Field("b1"),
    )
    return replace(start, **changes)


def change(state: RegisterState, key: str, **changes: Any) -> RegisterState:
    """The Register with one Dossier changed."""
    return replace(state, dossiers={**state.dossiers, key: replace(state.dossiers[key], **changes)})


def house(book: Rulebook, **readings: str) -> Rulebook:
    """The book with other readings of these switches."""
    return book.under(CampaignRules(house=HouseRules(**readings)))


def without(state: RegisterState, *keys: str) -> RegisterState:
    """The Register without these Dossiers."""
    return replace(state, dossiers={key: unit for key, unit in state.dossiers.items() if key not in keys})


def report(*fielded: str, **facts: Any) -> Report:
    """The report of a side that fielded these units without upgrades."""
    return Report(battle="b1", fielded=dict.fromkeys(fielded, ()), **facts)


def play(
    book: Rulebook,
    state: RegisterState,
    script: Callable[[Context], Dialogue[Any]],
    answers: Iterable[Any] = (),
    *,
    ask_all: bool = False,
) -> Progress:
    """Run a script with these answers, as far as they go."""
    context = Context(book, state)
    return run(context, script(context), answers, ask_all=ask_all)


def done(progress: Progress) -> list[Effect]:
    """The effects of a script that ran to its end."""
    assert progress.question is None
    return list(progress.effects)


def violations(act: Callable[[], object]) -> list[Violation]:
    """All problems of an act that is refused."""
    with pytest.raises(RuleViolation) as caught:
        act()
    return list(caught.value.violations)


def broken(act: Callable[[], object]) -> list[str]:
    """The rules that a refused act breaks, in the order they are named."""
    return [violation.rule for violation in violations(act)]


def xp(unit: str, amount: int, rule: str, why: str, lost: int = 0) -> ExperienceGained:
    """A unit gains XP."""
    return ExperienceGained(unit=unit, amount=amount, lost=lost, rule=rule, why=why)


def reached(unit: str, rank: int) -> VeteranRankReached:
    """A unit reaches a VR."""
    return VeteranRankReached(unit=unit, veteran_rank=rank, rule="R12")


def fell(unit: str, rule: str, why: str, *faces: str, die: str = "black_attack") -> DiceRolled:
    """Dice fell."""
    return DiceRolled(unit=unit, die=die, faces=faces, rule=rule, why=why)


def noted(rule: str, why: str, unit: str = "") -> Noted:
    """Something worth a line."""
    return Noted(unit=unit, rule=rule, why=why)

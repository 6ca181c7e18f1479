"""Step 7, Aid Requests: Medical Supplies."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.dialogue import Choose, ChooseSeveral, Pool, Roll
from rules.register.effects import Effect, SetbackRemoved, SupplyPointsSpent
from rules.register.state import RegisterState

from ..build import SNOW, TROOPERS, change, done, fell, state, violations
from .requesting import paid, step, wish

MEDICAL, SUPPLIES = "request-medical-supplies", "Request Medical Supplies"


def sick(*setbacks: str, **changes: Any) -> RegisterState:
    return change(state(), TROOPERS, setbacks=setbacks, **changes)


def healed(slug: str, why: str = "medical supplies") -> Effect:
    return SetbackRemoved(unit=TROOPERS, setback=slug, rule="R42", why=why)


def rolled(*faces: str) -> Effect:
    return fell(TROOPERS, "R42", "medical supplies", *faces, die="red_defense")


def test_the_last_setback_goes_without_a_roll(book: Rulebook) -> None:
    """R42."""
    assert done(step(book, wish(MEDICAL, unit=TROOPERS), None, start=sick("downtrodden"))) == [
        *paid(MEDICAL, SUPPLIES), healed("downtrodden"),
    ]  # fmt: skip


def test_the_player_chooses_the_first_and_those_for_blocks(book: Rulebook) -> None:
    """R42: a red defense die for each Setback still there."""
    start = sick("downtrodden", "battle-shaken", "battle-fatigue", "downtrodden")
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    dice = step(book, asked, start=start)
    assert dice.question == Roll(
        rule="R42",
        text="Medical supplies: roll 3",
        about=TROOPERS,
        pools=(Pool("aid", "red_defense", 3, "Grim Hounds", "each block removes a Setback"),),
    )
    which = step(book, asked, {"aid": ["block", "surge", "block"]}, start=start)
    assert which.question == ChooseSeveral(
        rule="R42",
        text="Grim Hounds: choose 2 Setbacks to remove.",
        about=TROOPERS,
        kind="setbacks",
        bag={"battle-shaken": 1, "battle-fatigue": 1, "downtrodden": 1},
        labels={"battle-shaken": "Battle-Shaken", "battle-fatigue": "Battle-Fatigue 1", "downtrodden": "Downtrodden 1"},
        count=2,
    )
    gone = ["downtrodden", "battle-shaken"]
    assert done(step(book, asked, {"aid": ["block", "surge", "block"]}, gone, None, start=start)) == [
        *paid(MEDICAL, SUPPLIES),
        healed("downtrodden"),
        rolled("block", "surge", "block"),
        healed("downtrodden", "a block"),
        healed("battle-shaken", "a block"),
    ]


def test_the_first_is_asked_for_where_it_is_not_named(book: Rulebook) -> None:
    """R42: only if there are different ones."""
    asked = step(book, wish(MEDICAL, unit=TROOPERS), start=sick("downtrodden", "battle-shaken")).question
    assert isinstance(asked, Choose)
    assert (asked.rule, asked.about) == ("R42", TROOPERS)
    assert (asked.kind, [option.value for option in asked.options]) == ("setback", ["battle-shaken", "downtrodden"])
    alike = step(book, wish(MEDICAL, unit=TROOPERS), {"aid": ["blank"]}, None, start=sick("downtrodden", "downtrodden"))
    assert done(alike) == [*paid(MEDICAL, SUPPLIES), healed("downtrodden"), rolled("blank")]


def test_one_setback_goes_for_one_block(book: Rulebook) -> None:
    """R42: nothing is asked where only one kind is left."""
    start = sick("downtrodden", "battle-fatigue", "battle-fatigue")
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    assert done(step(book, asked, {"aid": ["surge", "block"]}, ["battle-fatigue"], None, start=start))[3:] == [
        rolled("surge", "block"), healed("battle-fatigue", "a block"),
    ]  # fmt: skip
    forced = step(book, asked, {"aid": ["surge", "block"]}, start=start)
    assert isinstance(forced.question, RequestAid)
    several = sick("downtrodden", "battle-fatigue", "battle-shaken", name="")
    one = step(book, asked, {"aid": ["block", "blank"]}, start=several)
    assert isinstance(one.question, ChooseSeveral)
    assert one.question.text == "Stormtroopers: choose 1 Setback to remove."


@pytest.mark.parametrize(("rank", "cost"), [(0, 1), (1, 1), (2, 2), (3, 3)])
def test_it_costs_the_unit_s_veteran_rank(book: Rulebook, rank: int, cost: int) -> None:
    """R41: at least 1; and may be repeated."""
    start = sick("downtrodden", "downtrodden", veteran_rank=rank)
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    assert step(book, asked, {"aid": ["blank"]}, start=start).effects[1] == SupplyPointsSpent(
        amount=cost, rule="R41", why=SUPPLIES
    )
    twice = step(book, asked, {"aid": ["blank"]}, asked, None, start=replace(start, supply_points=2 * cost))
    assert twice.state.dossiers[TROOPERS].setbacks == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, [Violation("R41", "Choose a unit of the Register.", "unit")]),
        ({"unit": "99"}, [Violation("R41", "Choose a unit of the Register.", "unit")]),
        ({"unit": SNOW}, [Violation("R42", "This unit has no Setback.", "unit")]),
        ({"unit": TROOPERS, "setback": "battle-shaken"},
         [Violation("R42", "This unit does not have that Setback.", "setback")]),
    ],
)  # fmt: skip
def test_medical_supplies_that_are_refused(book: Rulebook, words: dict[str, str], expected: list[Violation]) -> None:
    assert violations(lambda: step(book, wish(MEDICAL, **words), start=sick("downtrodden"))) == expected

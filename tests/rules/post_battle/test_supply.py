"""Step 3, Award Supply Points (R30)."""

from fractions import Fraction
from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.dice import RED_DEFENSE, chance
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Pool, Progress, Roll
from rules.post_battle.supply import award_supply_points
from rules.register.effects import Effect, SupplyPointsGained

from ..build import PARAGON, done, fell, noted, play, report, state


def step(book: Rulebook, side: Report, *answers: Any) -> Progress:
    return play(book, state(), lambda context: award_supply_points(context, side), answers)


def gained(amount: int, why: str) -> Effect:
    return SupplyPointsGained(amount=amount, rule="R30", why=why)


@pytest.mark.parametrize("result", ["won", "lost", "drawn"])
@pytest.mark.parametrize("face", ["block", "surge", "blank"])
def test_two_points_and_perhaps_one_more(book: Rulebook, result: Any, face: str) -> None:
    """R30: block +1; surge +1 if this side won."""
    more = face == "block" or (face == "surge" and result == "won")
    assert done(step(book, report(PARAGON, result=result), {"supply": [face]})) == [
        gained(2, "for the battle"),
        fell("", "R30", "supplies", face, die="red_defense"),
        *[gained(1, f"a {face}")] * more,
    ]


@pytest.mark.parametrize(
    ("result", "words"),
    [("won", "block: +1 SP, surge: +1 SP"), ("drawn", "block: +1 SP; surges count only for the winner")],
)
def test_the_die_says_what_helps(book: Rulebook, result: Any, words: str) -> None:
    assert step(book, report(PARAGON, result=result)).question == Roll(
        rule="R30", text="Roll for supplies.", pools=(Pool("supply", "red_defense", 1, "Supplies", words),)
    )


@pytest.mark.parametrize(
    ("result", "mean"), [("lost", Fraction(5, 2)), ("drawn", Fraction(5, 2)), ("won", Fraction(8, 3))]
)
def test_the_mean_of_section_7(book: Rulebook, result: Any, mean: Fraction) -> None:
    """2.5 not won, 2 + 4/6 won."""
    total = Fraction(0)
    for face in ("block", "surge", "blank"):
        after = step(book, report(PARAGON, result=result), {"supply": [face]}).state
        total += chance(RED_DEFENSE, face) * (after.supply_points - state().supply_points)
    assert total == mean


def test_a_side_that_conceded_skips_the_step(book: Rulebook) -> None:
    """R51."""
    assert done(step(book, report(PARAGON, conceded=True, result="lost"))) == [noted("R51", "skipped: conceded")]

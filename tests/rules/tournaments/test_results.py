"""Endings, winners, scores and margins of victory (E20, E27–E30, E32, E40)."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.tournaments.results import (
    ENDINGS,
    Ending,
    Result,
    Score,
    bye_score,
    expected_winner,
    result_violations,
    scores,
)
from rules.tournaments.rule_sets import EventRules, RuleSet
from tests.rules.tournaments.events import standard_rules

GC = standard_rules(RuleSet.GALACTIC_CONQUEST)
TR = standard_rules(RuleSet.TOURNAMENT_REGULATIONS)
PAIR = ("A", "B")
TIED = "blue: The game is tied, so the blue player wins. Choose the blue player. (E27)"


def result(how: str, **values: Any) -> Result:
    return Result(how=Ending(how), **values)


def wrong(rules: EventRules, entered: Result, **more: Any) -> list[str]:
    return [f"{found.about}: {found}" for found in result_violations(rules, PAIR, entered, **more)]


def test_the_usual_rules() -> None:
    """E7, E20, E29."""
    assert EventRules(rule_set=RuleSet.GALACTIC_CONQUEST, army_size=1000, awarded_points=900) == GC
    assert bye_score(replace(GC, bye_tokens=4)) == Score(3, 900, 4, None)
    assert bye_score(replace(TR, bye_tokens=4)) == Score(1, 0, 0, None)
    assert (TR.army_size, GC.win, TR.win, GC.has_draws, TR.has_draws) == (800, 3, 1, True, False)


@pytest.mark.parametrize(
    ("rules", "entered", "armies", "winner"),
    [
        (GC, result("time", tokens=(4, 3), points=(0, 500)), {}, "A"),
        (GC, result("time", tokens=(3, 4), points=(500, 0)), {}, "B"),
        (GC, result("time", tokens=(3, 3), points=(500, 501)), {}, "B"),
        (GC, result("time", tokens=(3, 3), points=(5, 5)), {"A": 998, "B": 997}, "A"),
        (GC, result("time", tokens=(3, 3), points=(5, 5)), {"A": 997, "B": 997}, ""),
        (GC, result("time", tokens=(3, 3), points=(5, 5)), {"A": 997}, None),
        (GC, result("time", tokens=(3, 3), points=(5, 5)), None, None),
        (GC, result("victory", tokens=(0, 9)), {}, None),
        (GC, result("draw", points=(300, 200)), {}, ""),
        (GC, result("conceded", by="A", points=(300, 200)), {}, "B"),
        (GC, result("no_show", by="B"), {}, "A"),
        (TR, result("six_rounds", tokens=(1, 2)), {}, "B"),
        (TR, result("six_rounds", tokens=(2, 2), points=(300, 200)), {}, "A"),
        (TR, result("time", tokens=(2, 2), points=(200, 200), blue="B"), {"A": 800, "B": 790}, "B"),
        (TR, result("time", tokens=(2, 2), points=(200, 200)), {"A": 800, "B": 790}, None),
        (TR, result("both_defeated", tokens=(2, 2), points=(800, 790), blue="B"), {}, "B"),
        (TR, result("both_defeated", tokens=(3, 2), points=(700, 790), blue="B"), {}, "A"),
        (TR, result("all_defeated", tokens=(0, 4)), {}, None),
    ],
)
def test_who_must_have_won(rules: EventRules, entered: Result, armies: Any, winner: str | None) -> None:
    """E27: tokens, points defeated, then the larger army (GC) or the blue player (TR)."""
    assert expected_winner(rules, PAIR, entered, armies) == winner


@pytest.mark.parametrize(
    ("rules", "entered"),
    [
        (GC, result("victory", winner="A", points=(1000, 0))),
        (GC, result("time", winner="A", tokens=(3, 2))),
        (GC, result("time", tokens=(2, 2))),
        (GC, result("draw")),
        (GC, result("conceded", winner="A", by="B", points=(400, 300))),
        (GC, result("no_show", winner="A", by="B")),
        (TR, result("all_defeated", winner="B", points=(700, 800), tokens=(3, 0))),
        (TR, result("six_rounds", winner="B", blue="B")),
        (TR, result("conceded", winner="A", by="B", agreed=True, tokens=(1, 2))),
    ],
)
def test_what_can_be(rules: EventRules, entered: Result) -> None:
    assert wrong(rules, entered) == []


@pytest.mark.parametrize(
    ("rules", "entered", "texts"),
    [
        (
            TR,
            result("victory", winner="A"),
            ["how: A game cannot end that way under these rules. Choose another ending. (E27)"],
        ),
        (TR, result("draw"), ["how: A game cannot end that way under these rules. Choose another ending. (E27)"]),
        (GC, result("six_rounds"), ["how: A game cannot end that way under these rules. Choose another ending. (E27)"]),
        (GC, result("draw", tokens=(-1, 0)), ["points: Points and tokens cannot be negative. (E28)"]),
        (
            GC,
            result("draw", roll="X", blue="Y"),
            ["blue: Choose one of the two players. (E28)", "roll: Choose one of the two players. (E28)"],
        ),
        (GC, result("conceded", winner="A"), ["by: Say who conceded or did not appear. (E30)"]),
        (GC, result("no_show", by="both"), ["by: Choose one of the two players. (E28)"]),
        (TR, result("conceded", by="both"), ["by: Both is for a no-show. (E32)"]),
        (TR, result("no_show", by="both", winner="A"), ["winner: Neither player appeared, so nobody wins. (E27)"]),
        (GC, result("no_show", winner="B", by="B"), ["winner: By these figures the winner is A. (E27)"]),
        (GC, result("draw", winner="B"), ["winner: By these figures the game is a draw. (E27)"]),
        (GC, result("time", winner="B", tokens=(3, 2)), ["winner: By these figures the winner is A. (E27)"]),
        (GC, result("victory"), ["winner: Choose the winner. (E27)"]),
        (TR, result("all_defeated"), ["winner: Choose the winner. (E27)"]),
        (TR, result("time"), [TIED]),
        (TR, result("six_rounds", winner="A", tokens=(3, 3), points=(200, 200)), [TIED]),
        (TR, result("both_defeated", winner="B"), [TIED]),
        (
            GC,
            result("victory", winner="A", points=(1001, 0)),
            ["points: Enter at most 1000, the points of the opponent’s army. (E28)"],
        ),
    ],
)
def test_what_cannot_be(rules: EventRules, entered: Result, texts: list[str]) -> None:
    assert wrong(rules, entered) == texts


def test_more_points_than_the_other_army_has() -> None:
    """E28; who defeats all units of a smaller army has 800 all the same (E27)."""
    text = "points: Enter at most 790, the points of the opponent’s army. (E28)"
    armies = {"A": 800, "B": 790}
    assert wrong(TR, result("six_rounds", winner="A", tokens=(2, 1), points=(795, 0)), armies=armies) == [text]
    assert wrong(TR, result("all_defeated", winner="A", points=(800, 0)), armies=armies) == []
    assert wrong(TR, result("both_defeated", winner="A", tokens=(2, 1), points=(800, 800)), armies=armies) == []


@pytest.mark.parametrize(
    ("rules", "most", "how"), [(GC, 900, "no_show"), (GC, 900, "conceded"), (TR, 800, "conceded"), (TR, 800, "no_show")]
)
def test_who_gives_up_a_small_army_is_worth_what_is_awarded(rules: EventRules, most: int, how: str) -> None:
    """E30: the winner's figures may be entered as they count, also against an army of fewer points."""
    armies = {"A": 700, "B": 700}
    assert wrong(rules, result(how, winner="A", by="B", points=(most, 700)), armies=armies) == []
    texts = [f"points: Enter at most {at_most}, the points of the opponent’s army. (E28)" for at_most in (most, 700)]
    assert wrong(rules, result(how, winner="A", by="B", points=(most + 1, 701)), armies=armies) == texts


def test_a_bracket_game_needs_a_winner() -> None:
    """E40."""
    text = "roll: A bracket game needs a winner. Enter who won the priority roll. (E40)"
    assert wrong(GC, result("time"), in_bracket=True) == [text]
    assert wrong(GC, result("time", roll="B"), in_bracket=True) == []
    assert wrong(GC, result("victory", winner="B"), in_bracket=True) == []


@pytest.mark.parametrize(
    ("rules", "entered", "first", "second"),
    [
        (GC, result("victory", winner="A", points=(620, 410), tokens=(7, 4)), (3, 620, 7, "7/11"), (0, 410, 4, "4/11")),
        (GC, result("time", points=(300, 300), tokens=(5, 5)), (1, 300, 5, "1/2"), (1, 300, 5, "1/2")),
        (GC, result("draw"), (1, 0, 0, "1/2"), (1, 0, 0, "1/2")),
        (
            GC,
            result("conceded", winner="A", by="B", points=(480, 250), tokens=(3, 2)),
            (3, 900, 3, None),
            (0, 250, 2, "0"),
        ),
        (GC, result("conceded", winner="B", by="A", points=(0, 950)), (0, 0, 0, "0"), (3, 950, 0, None)),
        (GC, result("no_show", winner="A", by="B", points=(5, 5), tokens=(1, 1)), (3, 900, 0, None), (0, 0, 0, "0")),
        (
            TR,
            result("six_rounds", winner="A", points=(500, 300), tokens=(3, 2)),
            (1, 500, 3, "3/5"),
            (0, 300, 2, "2/5"),
        ),
        (TR, result("time", winner="A", blue="A"), (1, 0, 0, "1/2"), (0, 0, 0, "1/2")),
        (TR, result("all_defeated", winner="B", points=(0, 790), tokens=(4, 1)), (0, 0, 4, "0"), (1, 800, 1, "1")),
        (TR, result("both_defeated", winner="A", tokens=(1, 0)), (1, 800, 1, "1"), (0, 800, 0, "0")),
        (TR, result("conceded", winner="A", by="B", points=(100, 90)), (1, 800, 0, None), (0, 90, 0, "0")),
        (TR, result("conceded", winner="A", by="B", agreed=True, tokens=(1, 2)), (1, 800, 1, "1/3"), (0, 0, 2, "2/3")),
        (TR, result("no_show", winner="B", by="A"), (0, 0, 0, "0"), (1, 0, 0, None)),
        (TR, result("no_show", by="both"), (0, 0, 0, "0"), (0, 0, 0, "0")),
    ],
)
def test_what_a_game_is_worth(rules: EventRules, entered: Result, first: Any, second: Any) -> None:
    """E29, E30, E32."""
    expected = tuple(Score(*each[:3], None if each[3] is None else Fraction(each[3])) for each in (first, second))
    assert scores(rules, PAIR, entered) == expected


def test_what_a_bye_is_worth() -> None:
    """E20."""
    assert (bye_score(GC), bye_score(TR)) == (Score(3, 900, 0, None), Score(1, 0, 0, None))


def test_each_ending_belongs_to_a_rule_set() -> None:
    assert {ending for endings in ENDINGS.values() for ending in endings} == set(Ending)

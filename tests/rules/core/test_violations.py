"""How the rules say no."""

import pytest

from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse, violations_of


def test_a_refusal_carries_all_problems_with_their_rules() -> None:
    refusal = RuleViolation([Violation("R5", "It is unique."), Violation("R2", "Too dear.", "vader")])
    assert str(refusal) == "It is unique. (R5) Too dear. (R2)"
    assert refusal.rules == {"R5", "R2"}


def test_what_breaks_no_rule_of_the_book_names_none() -> None:
    assert str(RuleViolation([Violation("", "Choose a name."), Violation("R5", "It is unique.")])) == (
        "Choose a name. It is unique. (R5)"
    )


def test_a_single_problem_is_ready_to_be_raised() -> None:
    assert refuse("R9", "Name it.", "3").violations == (Violation("R9", "Name it.", "3"),)


def test_an_act_is_asked_what_is_against_it() -> None:
    def never() -> None:
        raise refuse("R9", "Name it.")

    assert (violations_of(never), violations_of(lambda: None)) == ((Violation("R9", "Name it."),), ())


def test_no_problem_no_refusal() -> None:
    assert raise_if_any(iter(())) is None


def test_any_problem_is_refused() -> None:
    with pytest.raises(RuleViolation) as caught:
        raise_if_any([Violation("R3", "Wrong Faction.")])
    assert caught.value.violations == (Violation("R3", "Wrong Faction."),)

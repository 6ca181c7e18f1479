"""Step 4, Casualty Checks: dice that are added and dice that are rolled again."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.casualties import AddDice, Reroll, Rolled, is_war_weary, rerolls_for
from rules.post_battle.dialogue import Option, Pool, Roll
from rules.register.state import RegisterState

from ..build import OTHERS, PARAGON, SNOW, TROOPERS, broken, change, done, fell, house, report, state, violations, xp
from .checking import again, check, down, roll, side, step

# --- War Weary -----------------------------------------------------------------------------------------------


def weary(*more: str, unit: str = TROOPERS, start: RegisterState | None = None, **changes: Any) -> RegisterState:
    return change(start or state(), unit, setbacks=("war-weary", *more), **changes)


def test_who_is_war_weary(book: Rulebook) -> None:
    """R32: whatever the arc is now."""
    assert [is_war_weary(book, unit.dossiers[TROOPERS]) for unit in (weary(), weary("downtrodden"), state())] == [
        True, True, False,
    ]  # fmt: skip


def test_who_adds_a_die_is_asked_first(book: Rulebook) -> None:
    """R32."""
    asked = step(book, side(TROOPERS, OTHERS), start=weary()).question
    assert asked == AddDice(
        rule="R32",
        text="War Weary: which units add a die? The others reroll all blanks once.",
        units=(Option(TROOPERS, "Grim Hounds", "Stormtroopers · 0 XP, VR 0 · War Weary"),),
    )


def test_a_die_is_added(book: Rulebook) -> None:
    """R32."""
    start = weary()
    asked = step(book, side(TROOPERS, OTHERS), [TROOPERS], start=start).question
    assert isinstance(asked, Roll)
    assert [(pool.key, pool.count) for pool in asked.pools] == [("check:2", 2), ("check:3", 1)]
    blanks = roll(t2="blank blank", t3="blank")
    assert done(step(book, side(TROOPERS, OTHERS), [TROOPERS], blanks, start=start)) == [
        check(TROOPERS, "blank", "blank"),
        xp(TROOPERS, 1, "R34", "escaped"),
        check(OTHERS, "blank"),
        xp(OTHERS, 1, "R34", "escaped"),
    ]


def test_else_every_blank_is_rerolled_once(book: Rulebook) -> None:
    """R32: the last stage counts."""
    start = weary("downtrodden", "battle-shaken")
    first = roll(t2="blank hit blank", t3="blank")
    asked = step(book, side(TROOPERS, OTHERS), [], first, start=start).question
    assert asked == Roll(
        rule="R32", text="Reroll the blanks.", pools=(Pool("blanks:2", "black_attack", 2, "Grim Hounds"),)
    )
    answers = ([], first, {"blanks:2": ["blank", "surge"]})
    assert done(step(book, side(TROOPERS, OTHERS), *answers, start=start)) == [
        check(TROOPERS, "blank", "hit", "blank"),
        fell(TROOPERS, "R31", "blanks rerolled", "blank", "hit", "surge"),
        check(OTHERS, "blank"),
        xp(OTHERS, 1, "R34", "escaped"),
        down(TROOPERS),
    ]


def test_without_a_blank_nothing_is_rerolled(book: Rulebook) -> None:
    """R32."""
    assert done(step(book, side(TROOPERS), [], roll(t2="surge"), start=weary())) == [
        check(TROOPERS, "surge"), down(TROOPERS),
    ]  # fmt: skip


def test_some_add_and_some_reroll(book: Rulebook) -> None:
    """R32."""
    start = weary(unit=OTHERS, start=weary())
    answers = ([OTHERS], roll(t2="blank", t3="blank blank"), {"blanks:2": ["blank"]})
    assert done(step(book, side(TROOPERS, OTHERS), *answers, start=start)) == [
        check(TROOPERS, "blank"),
        fell(TROOPERS, "R31", "blanks rerolled", "blank"),
        xp(TROOPERS, 1, "R34", "escaped"),
        check(OTHERS, "blank", "blank"),
        xp(OTHERS, 1, "R34", "escaped"),
    ]


@pytest.mark.parametrize("answer", [None, TROOPERS, [OTHERS], [TROOPERS, TROOPERS], [[TROOPERS]], {TROOPERS: 1}])
def test_only_war_weary_units_add_a_die(book: Rulebook, answer: Any) -> None:
    text = "Only War Weary units that make a check may add a die, once each."
    assert violations(lambda: step(book, side(TROOPERS, OTHERS), answer, start=weary())) == [Violation("R32", text)]


# --- Rerolls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commendations", "dice", "rerolls"),
    [
        ((), 3, 0), (("resilient",), 1, 0), (("resilient",), 2, 1), (("resilient",), 4, 1),
        (("resilient", "dedicated-to-the-cause"), 1, 0), (("resilient", "dedicated-to-the-cause"), 2, 2),
        (("resilient", "dedicated-to-the-cause"), 5, 2),
    ],
)  # fmt: skip
def test_how_many_dice_may_be_rerolled(book: Rulebook, commendations: tuple[str, ...], dice: int, rerolls: int) -> None:
    """R33: with 2 or more dice; 2 with both, not 3 [reading], unless the house says so."""
    unit = change(state(), TROOPERS, commendations=commendations).dossiers[TROOPERS]
    assert rerolls_for(book, unit, dice) == rerolls
    assert rerolls_for(house(book, dedicated="three_dice"), unit, dice) == rerolls + (rerolls == 2)


def tough(*setbacks: str, both: bool = False) -> RegisterState:
    had = ("resilient", "dedicated-to-the-cause")
    return change(state(), TROOPERS, setbacks=setbacks, commendations=had if both else had[:1])


TWO = ("downtrodden", "battle-shaken")


def test_the_roll_is_seen_before_the_reroll(book: Rulebook) -> None:
    """R33."""
    asked = step(book, side(TROOPERS, OTHERS), roll(t2="surge hit", t3="hit"), start=tough(*TWO)).question
    assert asked == Reroll(
        rule="R33", text="Choose the dice to reroll.", checks=(Rolled(TROOPERS, "Grim Hounds", ("surge", "hit"), 1),)
    )
    asked = step(book, side(TROOPERS), roll(t2="surge hit"), {TROOPERS: [0]}, start=tough(*TWO)).question
    assert asked == Roll(
        rule="R33", text="Reroll the chosen dice.", pools=(Pool("reroll:2", "black_attack", 1, "Grim Hounds"),)
    )


def test_a_nameless_unit_is_called_by_its_card(book: Rulebook) -> None:
    start = change(tough(*TWO), TROOPERS, name="")
    dice = step(book, side(TROOPERS), start=start).question
    assert isinstance(dice, Roll)
    assert [pool.text for pool in dice.pools] == ["Stormtroopers"]
    asked = step(book, side(TROOPERS), roll(t2="surge hit"), start=start).question
    assert isinstance(asked, Reroll)
    assert [rolled.label for rolled in asked.checks] == ["Stormtroopers"]


def test_the_rerolled_die_takes_the_place_of_the_old(book: Rulebook) -> None:
    """R33."""
    answers = (roll(t2="surge blank"), {TROOPERS: [0]}, again(TROOPERS, "critical"))
    assert done(step(book, side(TROOPERS), *answers, start=tough(*TWO))) == [
        check(TROOPERS, "surge", "blank"),
        fell(TROOPERS, "R31", "rerolled", "critical", "blank"),
        xp(TROOPERS, 1, "R34", "escaped"),
    ]


def test_two_dice_with_dedicated_to_the_cause_in_any_order(book: Rulebook) -> None:
    """R33: faces go to the places from left to right."""
    start = tough(*TWO, "downtrodden", both=True)
    answers = (roll(t2="surge blank surge"), {TROOPERS: [2, 0]}, again(TROOPERS, "blank", "critical"))
    assert done(step(book, side(TROOPERS), *answers, start=start)) == [
        check(TROOPERS, "surge", "blank", "surge"),
        fell(TROOPERS, "R31", "rerolled", "blank", "blank", "critical"),
        xp(TROOPERS, 1, "R34", "escaped"),
    ]


@pytest.mark.parametrize("answer", [{}, {TROOPERS: []}])
def test_a_reroll_may_be_left(book: Rulebook, answer: dict[str, Any]) -> None:
    """R33: up to."""
    assert done(step(book, side(TROOPERS), roll(t2="blank blank"), answer, start=tough(*TWO))) == [
        check(TROOPERS, "blank", "blank"), xp(TROOPERS, 1, "R34", "escaped"),
    ]  # fmt: skip


def test_a_die_added_by_war_weary_counts(book: Rulebook) -> None:
    """R33: Resilient with one Setback rerolls then."""
    start = tough("war-weary")
    asked = step(book, side(TROOPERS), [TROOPERS], roll(t2="surge blank"), start=start).question
    assert isinstance(asked, Reroll)
    assert done(step(book, side(TROOPERS), [], roll(t2="surge"), start=start)) == [
        check(TROOPERS, "surge"), down(TROOPERS),
    ]  # fmt: skip


def test_rerolls_come_after_the_blanks(book: Rulebook) -> None:
    """R33: and may take one of them again."""
    answers = ([], roll(t2="blank hit"), {"blanks:2": ["surge"]}, {TROOPERS: [0]}, again(TROOPERS, "blank"))
    progress = step(book, side(TROOPERS), *answers, start=tough("war-weary", "downtrodden"))
    assert list(progress.effects) == [
        check(TROOPERS, "blank", "hit"),
        fell(TROOPERS, "R31", "blanks rerolled", "surge", "hit"),
        fell(TROOPERS, "R31", "rerolled", "blank", "hit"),
    ]


@pytest.mark.parametrize(
    ("answer", "violation"),
    [
        (
            None,
            Violation(
                "R33", "Only units with Resilient or Dedicated to the Cause can reroll, and only with 2 dice or more."
            ),
        ),
        (
            {OTHERS: [0]},
            Violation(
                "R33", "Only units with Resilient or Dedicated to the Cause can reroll, and only with 2 dice or more."
            ),
        ),
        ({TROOPERS: 1}, Violation("R33", "Choose the dice to reroll.", TROOPERS)),
        ({TROOPERS: ["0"]}, Violation("R33", "Choose the dice to reroll.", TROOPERS)),
        ({TROOPERS: [True]}, Violation("R33", "Choose the dice to reroll.", TROOPERS)),
        ({TROOPERS: [0, 1]}, Violation("R33", "Grim Hounds can reroll up to 1, each die once.", TROOPERS)),
        ({TROOPERS: [2]}, Violation("R33", "This die does not belong to Grim Hounds. Choose another one.", TROOPERS)),
        ({TROOPERS: [-1]}, Violation("R33", "This die does not belong to Grim Hounds. Choose another one.", TROOPERS)),
    ],
)
def test_rerolls_that_are_refused(book: Rulebook, answer: Any, violation: Violation) -> None:
    first = roll(t2="hit hit", t3="hit")
    assert violations(lambda: step(book, side(TROOPERS, OTHERS), first, answer, start=tough(*TWO))) == [violation]


def test_no_die_is_rerolled_twice(book: Rulebook) -> None:
    start = tough(*TWO, both=True)
    assert broken(lambda: step(book, side(TROOPERS), roll(t2="hit hit"), {TROOPERS: [0, 0]}, start=start)) == ["R33"]


def test_a_second_flat_footed_after_a_check(book: Rulebook) -> None:
    """R36: the unit that escaped with a Setback falls all the same."""
    start = change(state(), SNOW, setbacks=("flat-footed",))
    progress = step(
        book, report(PARAGON, SNOW, defeated=(SNOW,)), roll(t4="hit"), {"setback:4": ["critical"]}, start=start
    )
    assert set(progress.state.fallen) == {SNOW}
    assert progress.state.fallen[SNOW] == replace(start.dossiers[SNOW], experience=1)

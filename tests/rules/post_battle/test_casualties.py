"""Step 4, Determine Casualties and Setbacks (R31 to R38)."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.effects import DiceRolled, Effect, SetbackGained, TraitGained, UnitFell
from rules.force import Field, Force
from rules.post_battle.casualties import (
    AddDice,
    Reroll,
    Rolled,
    checked_units,
    determine_casualties,
    dice_for,
    is_war_weary,
    outcome,
    rerolls_for,
)
from rules.refusal import Problem
from rules.report import Lent, Report
from rules.rulebook import Rulebook
from rules.script import Choose, Option, Pool, Progress, Roll, Scene

from ..build import (
    OTHERS,
    PARAGON,
    SCOUT,
    SNOW,
    TROOPERS,
    broken,
    change,
    done,
    fell,
    force,
    house,
    noted,
    play,
    problems,
    report,
    without,
    xp,
)

ARMY = (PARAGON, TROOPERS, OTHERS, SCOUT)


def side(*defeated: str, **facts: Any) -> Report:
    return report(*ARMY, defeated=defeated, **facts)


def step(book: Rulebook, side: Report, *answers: Any, start: Force | None = None) -> Progress:
    return play(book, start or force(), lambda scene: determine_casualties(scene, side), answers)


def roll(**faces: Iterable[str]) -> dict[str, list[str]]:
    """Checks as an answer: t2="hit blank" is the roll of unit 2."""
    return {f"check:{unit[1:]}": str(words).split() for unit, words in faces.items()}


def again(unit: str, *faces: str) -> dict[str, list[str]]:
    return {f"reroll:{unit}": list(faces)}


def check(unit: str, *faces: str) -> DiceRolled:
    return fell(unit, "R31", "Casualty Check", *faces)


def setback(unit: str, face: str, slug: str) -> list[Effect]:
    return [fell(unit, "R36", "Setback", face), SetbackGained(unit=unit, setback=slug, rule="R36")]


def down(unit: str) -> UnitFell:
    return UnitFell(unit=unit, rule="R35", why="casualty")


def named(unit: str) -> Option:
    start = force()
    dossier = start.dossiers[unit]
    return Option(
        unit, dossier.name, {TROOPERS: "Stormtroopers", PARAGON: "Imperial Officer"}[unit] + " · 0 XP, VR 0"
    )


# --- Who makes a check ---------------------------------------------------------------------------------------


def test_nobody_was_defeated(book: Rulebook) -> None:
    assert done(step(book, side())) == [noted("R34", "no unit makes a Casualty Check")]


def test_only_defeated_units_of_the_register_make_one(book: Rulebook) -> None:
    """Units lent by assets make no check, nor do those that are gone already."""
    lent = side("L1", TROOPERS, OTHERS, lent=(Lent("request-assistance", "L1", book.units["at-st"]),))
    scene = Scene(book, without(force(), OTHERS))
    assert checked_units(scene, lent) == [TROOPERS]


def test_all_checks_are_one_question(book: Rulebook) -> None:
    """R31: 1 black attack die, and 1 more for each Setback after the first."""
    start = change(force(), SCOUT, setbacks=("downtrodden", "downtrodden", "battle-shaken"))
    assert step(book, side(SCOUT, TROOPERS), start=start).question == Roll(
        rule="R31",
        text="Roll: Casualty Check",
        pools=(
            Pool("check:5", "black_attack", 3, "Red Six"),
            Pool("check:2", "black_attack", 1, "Grim Hounds"),
        ),
    )


def test_units_are_resolved_in_the_order_of_the_report(book: Rulebook) -> None:
    """R38."""
    assert done(step(book, side(SCOUT, TROOPERS), roll(t2="surge", t5="surge"))) == [
        check(SCOUT, "surge"), check(TROOPERS, "surge"), down(SCOUT), down(TROOPERS),
    ]  # fmt: skip


@pytest.mark.parametrize(("setbacks", "dice"), [(0, 1), (1, 1), (2, 2), (3, 3), (6, 6)])
def test_dice_of_a_check(setbacks: int, dice: int) -> None:
    """R31: max(1, Setbacks)."""
    unit = change(force(), TROOPERS, setbacks=("downtrodden",) * setbacks).dossiers[TROOPERS]
    assert dice_for(unit) == dice


# --- Results -------------------------------------------------------------------------------------------------


def test_any_surge_is_a_casualty(book: Rulebook) -> None:
    """R34, R35."""
    progress = step(book, side(TROOPERS), roll(t2="surge"))
    assert done(progress) == [check(TROOPERS, "surge"), down(TROOPERS)]
    assert set(progress.force.fallen) == {TROOPERS}


def test_only_criticals_give_2_xp_and_a_setback(book: Rulebook) -> None:
    """R34."""
    assert done(step(book, side(TROOPERS), roll(t2="critical"), {"setback:2": ["hit"]})) == [
        check(TROOPERS, "critical"),
        xp(TROOPERS, 2, "R34", "only criticals"),
        *setback(TROOPERS, "hit", "battle-fatigue"),
    ]


def test_any_hit_gives_a_setback(book: Rulebook) -> None:
    """R34."""
    assert done(step(book, side(TROOPERS), roll(t2="hit"), {"setback:2": ["surge"]})) == [
        check(TROOPERS, "hit"), *setback(TROOPERS, "surge", "downtrodden"),
    ]  # fmt: skip


def test_otherwise_the_unit_has_escaped_with_1_xp(book: Rulebook) -> None:
    """R34."""
    assert done(step(book, side(TROOPERS), roll(t2="blank"))) == [
        check(TROOPERS, "blank"), xp(TROOPERS, 1, "R34", "escaped"),
    ]  # fmt: skip


def test_the_first_result_that_applies(book: Rulebook) -> None:
    """R34, over all rolls of two dice."""

    def expected(*faces: str) -> str:
        if "surge" in faces:
            return "casualty"
        if set(faces) == {"critical"}:
            return "boon"
        return "setback" if "hit" in faces else "escaped"

    rolls = list(product(("hit", "critical", "surge", "blank"), repeat=2))
    assert {faces: outcome(faces) for faces in rolls} == {faces: expected(*faces) for faces in rolls}


def test_the_setback_dice_of_all_units_fall_together(book: Rulebook) -> None:
    asked = step(book, side(TROOPERS, SCOUT, OTHERS), roll(t2="hit", t5="critical", t3="blank")).question
    assert asked == Roll(
        rule="R36",
        text="Roll for Setbacks",
        pools=(
            Pool("setback:2", "black_attack", 1, "Grim Hounds: Setback"),
            Pool("setback:5", "black_attack", 1, "Red Six: Setback"),
        ),
    )


def test_a_paragon_rolls_a_trait_instead(book: Rulebook) -> None:
    """R35."""
    assert done(step(book, side(PARAGON), roll(t1="surge"), {"trait:1": ["blank"]})) == [
        check(PARAGON, "surge"),
        noted("R35", "a Paragon does not fall, but is marked by it", PARAGON),
        fell(PARAGON, "R37", "Defining Trait", "blank"),
        TraitGained(trait="unsure", games=2, rule="R37"),
    ]


def test_a_unit_shielded_by_daring_defense(book: Rulebook) -> None:
    """R28, R35."""
    start = force(story_arc="peacekeeping-mission", in_field=Field("b1", "", 1))
    marked = side(TROOPERS, OTHERS, agenda="daring-defense", marked=(TROOPERS,))
    assert done(step(book, marked, roll(t2="surge", t3="surge"), {"setback:2": ["hit"]}, start=start)) == [
        check(TROOPERS, "surge"),
        check(OTHERS, "surge"),
        xp(TROOPERS, 2, "R35", "shielded by the Agenda"),
        down(OTHERS),
        *setback(TROOPERS, "hit", "battle-fatigue"),
    ]


# --- Medevac -------------------------------------------------------------------------------------------------


def test_whom_a_medevac_may_save(book: Rulebook) -> None:
    """R35, R47: the asset leaves even if it saved nobody."""
    asked = step(book, side(TROOPERS, PARAGON, "L1", assets=("medevac",)))
    assert asked.question == Choose(
        rule="R35",
        text="Medevac: which defeated unit makes no Casualty Check?",
        kind="medevac",
        options=(named(TROOPERS), named(PARAGON)),
        decline="nobody",
    )


def test_the_unit_it_saves_makes_no_check(book: Rulebook) -> None:
    saving = side(TROOPERS, OTHERS, assets=("medevac",))
    saved = noted("R35", "saved by a Medevac: no Casualty Check", TROOPERS)
    assert done(step(book, saving, TROOPERS, roll(t3="blank"))) == [
        saved, check(OTHERS, "blank"), xp(OTHERS, 1, "R34", "escaped"),
    ]  # fmt: skip
    assert done(step(book, side(TROOPERS, assets=("medevac",)), TROOPERS)) == [
        saved, noted("R34", "no unit makes a Casualty Check"),
    ]  # fmt: skip


def test_it_may_save_nobody(book: Rulebook) -> None:
    assert done(step(book, side(TROOPERS, assets=("medevac",)), None, roll(t2="surge"))) == [
        check(TROOPERS, "surge"), down(TROOPERS),
    ]  # fmt: skip


def test_without_defeated_units_it_is_not_asked_for(book: Rulebook) -> None:
    assert done(step(book, side("L1", assets=("medevac",)))) == [
        noted("R34", "no unit makes a Casualty Check")
    ]


# --- Tunnel Vision -------------------------------------------------------------------------------------------

VISION = Field("b1", "tunnel-vision")


@pytest.mark.parametrize(
    ("field", "agenda", "defeated", "units"),
    [
        (VISION, "keep-them-in-line", (), [PARAGON]),
        (VISION, "keep-them-in-line", (TROOPERS,), [TROOPERS, PARAGON]),
        (VISION, "keep-them-in-line", (PARAGON, TROOPERS), [PARAGON, TROOPERS]),
        (VISION, "", (), []),
        (Field("b1", "tunnel-vision", 1), "keep-them-in-line", (), []),
        (Field("b1", "unsure"), "keep-them-in-line", (), []),
        (Field("b1"), "keep-them-in-line", (), []),
        (None, "keep-them-in-line", (), []),
    ],
)
def test_an_agenda_that_did_not_progress_costs_the_paragon_a_check(
    book: Rulebook, field: Field | None, agenda: str, defeated: tuple[str, ...], units: list[str]
) -> None:
    """Once, even if it was also defeated [reading]; for the Trait it had when the battle began (R37)."""
    scene = Scene(book, force(in_field=field))
    assert checked_units(scene, side(*defeated, agenda=agenda)) == units


BLIND = {"agenda": "keep-them-in-line"}


@pytest.mark.parametrize(
    ("defeated", "trait", "again"),
    [
        ((PARAGON,), VISION, True),
        ((), VISION, False),
        ((TROOPERS,), VISION, False),
        ((PARAGON,), Field("b1"), False),
    ],
)
def test_or_it_makes_two(book: Rulebook, defeated: tuple[str, ...], trait: Field, again: bool) -> None:
    """R27, `tunnel_vision_check`: the second when all of the first is done, with the dice it has then."""
    two, start = house(book, tunnel_vision_check="two_checks"), force(in_field=trait)
    start = change(start, PARAGON, setbacks=("downtrodden",))
    side_ = side(*defeated, **BLIND)
    units = checked_units(Scene(two, start), side_)
    first = {f"check:{key}": ["blank"] for key in units}
    if not again:
        expected = [effect for key in units for effect in (check(key, "blank"), xp(key, 1, "R34", "escaped"))]
        assert done(step(two, side_, first, start=start)) == expected
        return
    hit, setback = {"check:1": ["hit"]}, {"setback:1": ["hit"]}
    second = {"check:1": ["blank", "blank"]}
    assert done(step(two, side_, hit, setback, second, start=start)) == [
        check(PARAGON, "hit"),
        fell(PARAGON, "R36", "Setback", "hit"),
        SetbackGained(unit=PARAGON, setback="battle-fatigue", rule="R36"),
        noted("R27", "a second Casualty Check, for Tunnel Vision", PARAGON),
        check(PARAGON, "blank", "blank"),
        xp(PARAGON, 1, "R34", "escaped"),
    ]


def test_a_paragon_saved_by_a_medevac_makes_no_check_for_it_either(book: Rulebook) -> None:
    blind = side(PARAGON, agenda="keep-them-in-line", assets=("medevac",))
    assert done(step(book, blind, PARAGON, start=force(in_field=VISION))) == [
        noted("R35", "saved by a Medevac: no Casualty Check", PARAGON),
        noted("R34", "no unit makes a Casualty Check"),
    ]


# --- War Weary -----------------------------------------------------------------------------------------------


def weary(*more: str, unit: str = TROOPERS, start: Force | None = None, **changes: Any) -> Force:
    return change(start or force(), unit, setbacks=("war-weary", *more), **changes)


def test_who_is_war_weary(book: Rulebook) -> None:
    """R32: whatever the arc is now."""
    assert [is_war_weary(book, unit.dossiers[TROOPERS]) for unit in (weary(), weary("downtrodden"), force())] == [
        True, True, False,
    ]  # fmt: skip


def test_who_adds_a_die_is_asked_first(book: Rulebook) -> None:
    """R32."""
    asked = step(book, side(TROOPERS, OTHERS), start=weary()).question
    assert asked == AddDice(
        rule="R32",
        text="War Weary: who adds a die? The others reroll every blank once.",
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
        rule="R32", text="Roll: blanks rerolled", pools=(Pool("blanks:2", "black_attack", 2, "Grim Hounds"),)
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


@pytest.mark.parametrize(
    "answer", [None, TROOPERS, [OTHERS], [TROOPERS, TROOPERS], [[TROOPERS]], {TROOPERS: 1}]
)
def test_only_war_weary_units_add_a_die(book: Rulebook, answer: Any) -> None:
    text = "Only War Weary units that make a check may add a die, once each."
    assert problems(lambda: step(book, side(TROOPERS, OTHERS), answer, start=weary())) == [
        Problem("R32", text)
    ]


# --- Rerolls -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commendations", "dice", "rerolls"),
    [
        ((), 3, 0), (("resilient",), 1, 0), (("resilient",), 2, 1), (("resilient",), 4, 1),
        (("resilient", "dedicated-to-the-cause"), 1, 0), (("resilient", "dedicated-to-the-cause"), 2, 2),
        (("resilient", "dedicated-to-the-cause"), 5, 2),
    ],
)  # fmt: skip
def test_how_many_dice_may_be_rerolled(
    book: Rulebook, commendations: tuple[str, ...], dice: int, rerolls: int
) -> None:
    """R33: with 2 or more dice; 2 with both, not 3 [reading], unless the house says so."""
    unit = change(force(), TROOPERS, commendations=commendations).dossiers[TROOPERS]
    assert rerolls_for(book, unit, dice) == rerolls
    assert rerolls_for(house(book, dedicated="three_dice"), unit, dice) == rerolls + (rerolls == 2)


def tough(*setbacks: str, both: bool = False) -> Force:
    had = ("resilient", "dedicated-to-the-cause")
    return change(force(), TROOPERS, setbacks=setbacks, commendations=had if both else had[:1])


TWO = ("downtrodden", "battle-shaken")


def test_the_roll_is_seen_before_the_reroll(book: Rulebook) -> None:
    """R33."""
    asked = step(book, side(TROOPERS, OTHERS), roll(t2="surge hit", t3="hit"), start=tough(*TWO)).question
    assert asked == Reroll(
        rule="R33",
        text="Which dice are rerolled?",
        checks=(Rolled(TROOPERS, "Grim Hounds", ("surge", "hit"), 1),),
    )
    asked = step(book, side(TROOPERS), roll(t2="surge hit"), {TROOPERS: [0]}, start=tough(*TWO)).question
    assert asked == Roll(
        rule="R33", text="Roll: rerolled", pools=(Pool("reroll:2", "black_attack", 1, "Grim Hounds"),)
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
    ("answer", "problem"),
    [
        (None, Problem("R33", "Only units with Resilient or its like reroll, and only from 2 dice on.")),
        (
            {OTHERS: [0]},
            Problem("R33", "Only units with Resilient or its like reroll, and only from 2 dice on."),
        ),
        ({TROOPERS: 1}, Problem("R33", "Name the dice by their places.", TROOPERS)),
        ({TROOPERS: ["0"]}, Problem("R33", "Name the dice by their places.", TROOPERS)),
        ({TROOPERS: [True]}, Problem("R33", "Name the dice by their places.", TROOPERS)),
        ({TROOPERS: [0, 1]}, Problem("R33", "Grim Hounds may reroll up to 1, each die once.", TROOPERS)),
        ({TROOPERS: [2]}, Problem("R33", "Grim Hounds has no such die.", TROOPERS)),
        ({TROOPERS: [-1]}, Problem("R33", "Grim Hounds has no such die.", TROOPERS)),
    ],
)
def test_rerolls_that_are_refused(book: Rulebook, answer: Any, problem: Problem) -> None:
    first = roll(t2="hit hit", t3="hit")
    assert problems(lambda: step(book, side(TROOPERS, OTHERS), first, answer, start=tough(*TWO))) == [problem]


def test_no_die_is_rerolled_twice(book: Rulebook) -> None:
    start = tough(*TWO, both=True)
    assert broken(
        lambda: step(book, side(TROOPERS), roll(t2="hit hit"), {TROOPERS: [0, 0]}, start=start)
    ) == ["R33"]


def test_a_second_flat_footed_after_a_check(book: Rulebook) -> None:
    """R36: the unit that escaped with a Setback falls all the same."""
    start = change(force(), SNOW, setbacks=("flat-footed",))
    progress = step(
        book,
        report(PARAGON, SNOW, defeated=(SNOW,)),
        roll(t4="hit"),
        {"setback:4": ["critical"]},
        start=start,
    )
    assert set(progress.force.fallen) == {SNOW}
    assert progress.force.fallen[SNOW] == replace(start.dossiers[SNOW], experience=1)

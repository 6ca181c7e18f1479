"""Step 4, Determine Casualties and Setbacks (R31 to R38): who makes a check, and what it comes to."""

from itertools import product

import pytest

from rules.battle.report import Lent
from rules.core.rulebook import Rulebook
from rules.post_battle.casualties import checked_units, dice_for, outcome
from rules.post_battle.dialogue import Choose, Context, Option, Pool, Progress, Roll
from rules.register.effects import Effect, SetbackGained, TraitGained
from rules.register.state import Field

from ..build import OTHERS, PARAGON, SCOUT, TROOPERS, change, done, fell, house, noted, state, without, xp
from .checking import check, down, roll, side, step


def setback(unit: str, face: str, slug: str) -> list[Effect]:
    return [fell(unit, "R36", "Setback", face), SetbackGained(unit=unit, setback=slug, rule="R36")]


def named(unit: str) -> Option:
    start = state()
    dossier = start.dossiers[unit]
    return Option(unit, dossier.name, {TROOPERS: "Stormtroopers", PARAGON: "Imperial Officer"}[unit] + " · 0 XP, VR 0")


# --- Who makes a check ---------------------------------------------------------------------------------------


def test_nobody_was_defeated(book: Rulebook) -> None:
    assert done(step(book, side())) == [noted("R34", "no unit makes a Casualty Check")]


def test_only_defeated_units_of_the_register_make_one(book: Rulebook) -> None:
    """Units lent by assets make no check, nor do those that are gone already."""
    lent = side("L1", TROOPERS, OTHERS, lent=(Lent("request-assistance", "L1", book.units["at-st"]),))
    context = Context(book, without(state(), OTHERS))
    assert checked_units(context, lent) == [TROOPERS]


def test_all_checks_are_one_question(book: Rulebook) -> None:
    """R31: 1 black attack die, and 1 more for each Setback after the first."""
    start = change(state(), SCOUT, setbacks=("downtrodden", "downtrodden", "battle-shaken"))
    assert step(book, side(SCOUT, TROOPERS), start=start).question == Roll(
        rule="R31",
        text="Roll the Casualty Checks.",
        pools=(Pool("check:5", "black_attack", 3, "Red Six"), Pool("check:2", "black_attack", 1, "Grim Hounds")),
    )


def test_units_are_resolved_in_the_order_of_the_report(book: Rulebook) -> None:
    """R38."""
    assert done(step(book, side(SCOUT, TROOPERS), roll(t2="surge", t5="surge"))) == [
        check(SCOUT, "surge"), check(TROOPERS, "surge"), down(SCOUT), down(TROOPERS),
    ]  # fmt: skip


@pytest.mark.parametrize(("setbacks", "dice"), [(0, 1), (1, 1), (2, 2), (3, 3), (6, 6)])
def test_dice_of_a_check(setbacks: int, dice: int) -> None:
    """R31: max(1, Setbacks)."""
    unit = change(state(), TROOPERS, setbacks=("downtrodden",) * setbacks).dossiers[TROOPERS]
    assert dice_for(unit) == dice


# --- Results -------------------------------------------------------------------------------------------------


def test_any_surge_is_a_casualty(book: Rulebook) -> None:
    """R34, R35."""
    progress = step(book, side(TROOPERS), roll(t2="surge"))
    assert done(progress) == [check(TROOPERS, "surge"), down(TROOPERS)]
    assert set(progress.state.fallen) == {TROOPERS}


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
        text="Roll the Setbacks.",
        pools=(
            Pool("setback:2", "black_attack", 1, "Grim Hounds", "Setback", "R36"),
            Pool("setback:5", "black_attack", 1, "Red Six", "Setback", "R36"),
        ),
    )


def test_a_paragon_rolls_a_trait_instead(book: Rulebook) -> None:
    """R35."""
    assert done(step(book, side(PARAGON), roll(t1="surge"), {"trait:1": ["blank"]})) == [
        check(PARAGON, "surge"),
        noted("R35", "a Paragon is never a casualty: it gains a Defining Trait", PARAGON),
        fell(PARAGON, "R37", "Defining Trait", "blank"),
        TraitGained(trait="unsure", games=2, rule="R37"),
    ]


def test_a_unit_shielded_by_daring_defense(book: Rulebook) -> None:
    """R28, R35."""
    start = state(story_arc="peacekeeping-mission", in_field=Field("b1", "", 1))
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
        text="Medevac: which defeated unit is saved from its Casualty Check?",
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
    assert done(step(book, side("L1", assets=("medevac",)))) == [noted("R34", "no unit makes a Casualty Check")]


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
    context = Context(book, state(in_field=field))
    assert checked_units(context, side(*defeated, agenda=agenda)) == units


def test_or_bringing_no_agenda_is_not_progressing(book: Rulebook) -> None:
    """R27, R52, `tunnel_vision_without_agenda`."""
    strict = house(book, tunnel_vision_without_agenda="check")
    fields = (VISION, Field("b1", "unsure"))
    assert [checked_units(Context(strict, state(in_field=field)), side()) for field in fields] == [[PARAGON], []]


def test_hits_beside_the_surge_of_a_paragon(book: Rulebook) -> None:
    """R35, R52: it resolves nothing more of that roll, or by `trait_and_hits` the hits too."""
    start = change(state(), PARAGON, setbacks=("downtrodden", "downtrodden"))
    side_, rolled = side(PARAGON), {"check:1": ["surge", "hit"]}
    assert pools(step(book, side_, rolled, start=start)) == ["trait:1"]
    both = house(book, trait_and_hits="hits_too")
    assert pools(step(both, side_, rolled, start=start)) == ["setback:1", "trait:1"]
    assert pools(step(both, side_, {"check:1": ["surge", "blank"]}, start=start)) == ["trait:1"]
    two = change(state(), TROOPERS, setbacks=("downtrodden", "downtrodden"))
    assert done(step(both, side(TROOPERS), {"check:2": ["surge", "hit"]}, start=two)) == [
        check(TROOPERS, "surge", "hit"), down(TROOPERS),
    ]  # fmt: skip


def pools(progress: Progress) -> list[str]:
    assert isinstance(progress.question, Roll)
    return [pool.key for pool in progress.question.pools]


BLIND = {"agenda": "keep-them-in-line"}


@pytest.mark.parametrize(
    ("defeated", "trait", "again"),
    [((PARAGON,), VISION, True), ((), VISION, False), ((TROOPERS,), VISION, False), ((PARAGON,), Field("b1"), False)],
)
def test_or_it_makes_two(book: Rulebook, defeated: tuple[str, ...], trait: Field, again: bool) -> None:
    """R27, `tunnel_vision_check`: the second when all of the first is done, with the dice it has then."""
    two, start = house(book, tunnel_vision_check="two_checks"), state(in_field=trait)
    start = change(start, PARAGON, setbacks=("downtrodden",))
    side_ = side(*defeated, **BLIND)
    units = checked_units(Context(two, start), side_)
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
    assert done(step(book, blind, PARAGON, start=state(in_field=VISION))) == [
        noted("R35", "saved by a Medevac: no Casualty Check", PARAGON),
        noted("R34", "no unit makes a Casualty Check"),
    ]

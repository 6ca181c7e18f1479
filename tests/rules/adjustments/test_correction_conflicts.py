"""Corrections by hand on a Register that would be another one by then."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.adjustments.corrections import (
    DIFFERENCE,
    KEEP,
    LEAVE_OUT,
    Conflict,
    ConflictChoice,
    Reapplied,
    WantedValue,
    corrected,
    plain,
    reapply,
)
from rules.core.rulebook import Rulebook
from rules.register.effects import Corrected, Effect, Noted, from_data, to_data
from rules.register.state import RegisterState, Trait, replay, value_of
from tests.rules.adjustments.wishes import WISHES
from tests.rules.build import OTHERS, TROOPERS, WALKER, change, state, without

#: XP from 10 to 14, SP from 5 to 9 and two Setbacks, in one correction.
SEVERAL = (
    WantedValue("supply_points", 9),
    WantedValue("experience", 14, unit=TROOPERS),
    WantedValue("setbacks", ["war-weary", "downtrodden"], unit=TROOPERS),
)


def effects_of(book: Rulebook, *wishes: WantedValue, **before: Any) -> tuple[Effect, ...]:
    """The effects of a correction of the Register on which TROOPERS have 10 XP."""
    found = corrected(book, change(state(**before), TROOPERS, experience=10), wishes)
    assert found.effects
    return found.effects


def choose(found: Reapplied, way: str) -> dict[str, ConflictChoice]:
    """Make one choice for all conflicts that allow it, otherwise the first possible one."""
    return {
        each.about: ConflictChoice(way if way in each.ways else each.ways[0], plain(each.now))
        for each in found.conflicts
    }


def resolved(book: Rulebook, now: RegisterState, effects: tuple[Effect, ...], way: str) -> Reapplied:
    """The correction once nothing is left to be decided."""
    choices: dict[str, ConflictChoice] = {}
    for _ in range(9):
        found = reapply(book, now, effects, choices)
        if not found.conflicts:
            return found
        choices |= choose(found, way)
    raise AssertionError("It asks for ever")


def test_on_the_same_register_it_is_the_same(book: Rulebook) -> None:
    effects = effects_of(book, *SEVERAL)
    now = change(state(), TROOPERS, experience=10)
    assert reapply(book, now, effects, {}) == Reapplied(effects=effects, after=replay(effects, now))


@pytest.mark.parametrize(
    ("way", "experience", "why"),
    [
        (KEEP, 14, "value kept after an amendment"),
        (DIFFERENCE, 15, "difference kept after an amendment"),
        (LEAVE_OUT, 11, None),
    ],
)
def test_only_the_value_in_conflict_is_asked_for(book: Rulebook, way: str, experience: int, why: str | None) -> None:
    effects, now = effects_of(book, *SEVERAL), change(state(), TROOPERS, experience=11)
    found = reapply(book, now, effects, {})
    conflict = Conflict(
        field="experience", unit=TROOPERS, old=10, new=14, now=11, by_difference=15,
        ways=(KEEP, DIFFERENCE, LEAVE_OUT),
    )  # fmt: skip
    assert found.conflicts == (conflict,)
    found = resolved(book, now, effects, way)
    unit = found.after.dossiers[TROOPERS]
    assert (unit.experience, conflict.result(way)) == (experience, experience)
    assert (found.after.supply_points, unit.setbacks) == (9, ("war-weary", "downtrodden"))
    sentences = [each.why for each in found.effects if isinstance(each, Corrected) and each.field == "experience"]
    assert sentences == ([why] if why else [])
    assert found.left_out == (() if why else (conflict,))
    assert replay(found.effects, now) == found.after


def test_a_choice_counts_only_for_the_value_it_was_made_for(book: Rulebook) -> None:
    effects, now = effects_of(book, *SEVERAL), change(state(), TROOPERS, experience=12)
    choices = {f"{TROOPERS}.experience": ConflictChoice(DIFFERENCE, 11)}
    assert [each.now for each in reapply(book, now, effects, choices).conflicts] == [12]


def test_cards_keep_their_difference_too(book: Rulebook) -> None:
    effects = effects_of(book, *SEVERAL)
    now = change(state(), TROOPERS, experience=10, setbacks=("battle-shaken",))
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert (conflict.about, conflict.now) == (f"{TROOPERS}.setbacks", ("battle-shaken",))
    assert conflict.by_difference == ("battle-shaken", "war-weary", "downtrodden")


def test_a_difference_that_is_not_possible_is_not_offered(book: Rulebook) -> None:
    effects = effects_of(book, WantedValue("supply_points", 1))
    [conflict] = reapply(book, state(supply_points=3), effects, {}).conflicts
    assert (conflict.ways, conflict.by_difference) == ((KEEP, LEAVE_OUT), None)
    taken = tuple(replace(each, old=each.new, new=each.old) for each in effects_of(book, SEVERAL[2])
                  if isinstance(each, Corrected))  # fmt: skip
    [conflict] = reapply(book, change(state(), TROOPERS, setbacks=("war-weary",)), taken, {}).conflicts
    assert conflict.ways == (KEEP, LEAVE_OUT)


def test_a_value_that_is_so_anyway(book: Rulebook) -> None:
    """XP would be 14 by themselves: 14 or 18 may have been meant. A name is no sum: nothing is asked."""
    effects = effects_of(book, WantedValue("experience", 14, unit=TROOPERS), WantedValue("name", "Dawn"))
    now = change(state(name="Dawn"), TROOPERS, experience=14)
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert (conflict.field, conflict.ways, conflict.by_difference) == ("experience", (KEEP, DIFFERENCE), 18)
    found = resolved(book, now, effects, KEEP)
    assert found.after == now
    assert [(each.old, each.new) for each in found.effects if isinstance(each, Corrected)] == [(14, 14)]


def test_a_unit_that_would_not_be_there(book: Rulebook) -> None:
    """It is asked for once; what the correction says of others stays."""
    effects = (*effects_of(book, *SEVERAL), *effects_of(book, WantedValue("experience", 3, unit=OTHERS)))
    now = without(state(), TROOPERS)
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert conflict == Conflict(field="", unit=TROOPERS)
    found = resolved(book, now, effects, KEEP)
    assert (found.after.supply_points, found.after.dossiers[OTHERS].experience) == (9, 3)
    assert found.left_out == (conflict,)


def test_a_unit_that_was_struck_and_would_be_another(book: Rulebook) -> None:
    effects = effects_of(book, WantedValue("dossier", None, unit=WALKER))
    now = change(state(), WALKER, experience=2)
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert (conflict.about, conflict.ways) == (f"{WALKER}.dossier", (KEEP, LEAVE_OUT))
    assert WALKER not in resolved(book, now, effects, KEEP).after.dossiers
    assert resolved(book, now, effects, LEAVE_OUT).after == now


def test_progress_that_went_with_the_story_arc(book: Rulebook) -> None:
    """R49: it was reset because the Story Arc became another one, which it does not any more."""
    before = {"agendas": {"keep-them-in-line": 2}}
    effects = effects_of(book, WantedValue("story_arc", "a-pirates-life"), **before)
    assert len(effects) == 2
    now = state(story_arc="light-the-spark", agendas={"keep-them-in-line": 2})
    assert resolved(book, now, effects, LEAVE_OUT).after == now
    found = resolved(book, now, effects, KEEP).after
    assert (found.story_arc, found.agendas) == ("a-pirates-life", {})


def test_upgrades_in_slots_of_commendations_follow(book: Rulebook) -> None:
    """R8: which upgrade is in such a slot is found anew, and nobody is asked for it."""
    before = change(state(), TROOPERS, upgrades=("stormtrooper",), by_commendation=("stormtrooper",))
    found = corrected(book, before, [WantedValue("upgrades", [], unit=TROOPERS)])
    assert [each.field for each in found.effects] == ["upgrades", "by_commendation"]
    now = change(state(), TROOPERS, upgrades=("stormtrooper",))
    after = reapply(book, now, found.effects, {})
    assert (after.conflicts, after.after.dossiers[TROOPERS].by_commendation) == ((), ())


def test_slots_of_commendations_are_emptied_with_their_upgrades(book: Rulebook) -> None:
    """R8: also where they would have held others than the correction knew."""
    before = change(state(), TROOPERS, upgrades=("stormtrooper",), by_commendation=("stormtrooper",))
    effects = corrected(book, before, [WantedValue("upgrades", [], unit=TROOPERS)]).effects
    now = change(state(), TROOPERS, by_commendation=("stormtrooper", "stormtrooper"))
    assert resolved(book, now, effects, KEEP).after == change(now, TROOPERS, by_commendation=())


def test_slots_of_commendations_follow_a_correction_that_knew_of_none(book: Rulebook) -> None:
    before = change(state(), TROOPERS, upgrades=("stormtrooper",))
    effects = corrected(book, before, [WantedValue("upgrades", [], unit=TROOPERS)]).effects
    now = change(before, TROOPERS, by_commendation=("stormtrooper",))
    assert reapply(book, now, effects, {}).after == change(now, TROOPERS, upgrades=(), by_commendation=())


def test_slots_of_commendations_stay_with_upgrades_that_are_left_out(book: Rulebook) -> None:
    before = change(state(), TROOPERS, upgrades=("stormtrooper",), by_commendation=("stormtrooper",))
    effects = corrected(book, before, [WantedValue("upgrades", [], unit=TROOPERS)]).effects
    now = change(before, TROOPERS, upgrades=("stormtrooper", "stormtrooper"))
    assert resolved(book, now, effects, LEAVE_OUT).after == now


def test_a_unit_cannot_come_back_where_another_is(book: Rulebook) -> None:
    taken = [
        each for each in effects_of(book, WantedValue("dossier", None, unit=WALKER)) if isinstance(each, Corrected)
    ]
    back = tuple(replace(each, old=each.new, new=each.old) for each in taken)
    now = change(state(), WALKER, experience=2)
    [conflict] = reapply(book, now, back, {}).conflicts
    assert conflict.ways == (LEAVE_OUT,)


def test_the_difference_is_no_choice_where_it_is_the_value_itself(book: Rulebook) -> None:
    """Cards in another order: without the one that was taken away, the same is left."""
    before = change(state(), TROOPERS, setbacks=("war-weary", "downtrodden"))
    effects = corrected(book, before, [WantedValue("setbacks", ["downtrodden"], unit=TROOPERS)]).effects
    now = change(state(), TROOPERS, setbacks=("downtrodden", "war-weary"))
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert (conflict.ways, conflict.by_difference) == ((KEEP, LEAVE_OUT), None)


def test_a_trait_is_kept_or_left_out(book: Rulebook) -> None:
    effects = effects_of(book, WantedValue("trait", ["unsure", 2]))
    now = state(trait=Trait("unsure", 1, fresh=True))
    [conflict] = reapply(book, now, effects, {}).conflicts
    assert conflict.ways == (KEEP, LEAVE_OUT)
    assert resolved(book, now, effects, KEEP).after.trait == Trait("unsure", 2, fresh=True)


def test_notes_stay(book: Rulebook) -> None:
    note = Noted(rule="R43", why="corrected despite the rule")
    found = reapply(book, state(supply_points=7), (*effects_of(book, SEVERAL[0]), note), {})
    assert (found.effects, len(found.conflicts)) == ((note,), 1)


@given(
    wishes=st.lists(WISHES, min_size=1, max_size=6, unique_by=lambda wish: wish.about),
    since=st.lists(WISHES, max_size=4),
    way=st.sampled_from([KEEP, DIFFERENCE, LEAVE_OUT]),
)
def test_whatever_is_chosen_adds_up(
    book: Rulebook, wishes: list[WantedValue], since: list[WantedValue], way: str
) -> None:
    """What is kept is so afterwards, what is left out is as it would be, and all effects can be added up again."""
    effects = corrected(book, state(), wishes).effects
    now = corrected(book, state(), since).after
    conflicts = {each.about: each for each in reapply(book, now, effects, {}).conflicts}
    found = resolved(book, now, effects, way)
    stored = [from_data(json.loads(json.dumps(to_data(effect)))) for effect in found.effects]
    assert replay(stored, now) == found.after
    for each in conflicts.values():
        if each.field in ("experience", "supply_points", "setbacks") and way in each.ways:
            after = value_of(found.after, each.field, unit=each.unit)
            assert plain(after) == plain(each.result(way))

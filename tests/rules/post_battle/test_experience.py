"""Step 5, Award Experience and the Most Feared Rival (R39, R40, R51)."""

from typing import Any

import pytest

from rules.battle.report import Lent, Report
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Await, Choose, Option, Progress
from rules.post_battle.experience import award_experience, nameable
from rules.register.effects import Effect, RivalNamed
from rules.register.state import Field, RegisterState

from ..build import (
    OTHERS,
    PARAGON,
    SCOUT,
    TROOPERS,
    broken,
    change,
    done,
    house,
    noted,
    play,
    reached,
    report,
    state,
    without,
    xp,
)

THEIRS = [["4", "Dust Wardens"], ["L1", "Chewbacca"]]
SURVIVORS = Await(
    rule="R39", text="Ben is not done with step 4 yet. Only survivors can be named rival.", what="survivors"
)
RIVAL = Await(rule="R39", text="Ben has not named a rival among your units yet.", what="rival")


def side(*units: str, **facts: Any) -> Report:
    return report(*(units or (PARAGON, TROOPERS)), opponent="Ben", **facts)


def step(book: Rulebook, side: Report, *answers: Any, start: RegisterState | None = None) -> Progress:
    return play(book, start or state(), lambda context: award_experience(context, side), answers)


def took_part(*units: str) -> list[Effect]:
    return [xp(unit, 1, "R39", "took part") for unit in units]


def names(rival: str, name: str) -> RivalNamed:
    return RivalNamed(rival=rival, name=name, rule="R39")


NOBODY = RivalNamed(rule="R39")
NONE_THERE = RivalNamed(rule="R39", why="no unit of the opponent can be named")


def test_first_the_other_side_s_step_4_is_waited_for(book: Rulebook) -> None:
    assert step(book, side()).question == SURVIVORS


def test_then_one_of_its_survivors_is_named(book: Rulebook) -> None:
    """R39: lent units may be named."""
    assert step(book, side(), THEIRS).question == Choose(
        rule="R39",
        text="Name the Most Feared Rival among the units of Ben.",
        kind="rival",
        options=(Option("4", "Dust Wardens"), Option("L1", "Chewbacca")),
        may_lack=True,
    )
    assert broken(lambda: step(book, side(), THEIRS, TROOPERS)) == ["R39"]


def test_then_the_rival_among_ones_own_is_waited_for(book: Rulebook) -> None:
    waiting = step(book, side(), THEIRS, "4")
    assert (list(waiting.effects), waiting.question) == ([names("4", "Dust Wardens")], RIVAL)


def test_one_for_each_unit_that_took_part_one_at_an_objective_three_for_the_rival(book: Rulebook) -> None:
    """R39, in that order."""
    there = side(PARAGON, TROOPERS, OTHERS, contesting=(OTHERS, PARAGON))
    start = change(state(), OTHERS, experience=3)
    assert done(step(book, there, THEIRS, "L1", OTHERS, start=start)) == [
        names("L1", "Chewbacca"),
        *took_part(PARAGON, TROOPERS, OTHERS),
        xp(OTHERS, 1, "R39", "at an objective at the end"),
        reached(OTHERS, 1),
        xp(PARAGON, 1, "R39", "at an objective at the end"),
        xp(OTHERS, 3, "R39", "Most Feared Rival of Ben"),
    ]


def test_the_only_survivor_is_the_rival(book: Rulebook) -> None:
    """R39: nobody is asked."""
    [survivor] = THEIRS[:1]
    assert step(book, side(), [survivor]).effects == (names(*survivor),)


def test_a_record_may_lack_a_rival_that_a_player_has_to_name(book: Rulebook) -> None:
    """R39: only a side that conceded may name nobody [reading]."""
    assert step(book, side(conceded=True), THEIRS).question.decline == "nobody"  # type: ignore[union-attr]
    assert done(step(book, side(), THEIRS, None, None)) == [NOBODY, *took_part(PARAGON, TROOPERS)]


def test_a_casualty_gets_nothing_more(book: Rulebook) -> None:
    """R39."""
    there = side(PARAGON, TROOPERS, OTHERS, contesting=(TROOPERS,))
    start = without(state(), TROOPERS)
    assert done(step(book, there, THEIRS, None, None, start=start)) == [NOBODY, *took_part(PARAGON, OTHERS)]


def test_a_lent_rival_gains_nothing(book: Rulebook) -> None:
    """R39; nor does a lent unit at an objective."""
    lent = Lent("heroic-intervention", "L1", book.units["darth-vader-dark-lord-of-the-sith"])
    there = side(PARAGON, lent=(lent,), contesting=("L1",))
    assert done(step(book, there, THEIRS, None, "L1")) == [
        NOBODY, *took_part(PARAGON), noted("R39", "Most Feared Rival: Darth Vader, a lent unit"),
    ]  # fmt: skip


def test_a_rival_that_was_taken_off_the_register_since_gains_nothing(book: Rulebook) -> None:
    """R39; an organizer's correction may have come between the naming and the award."""
    assert done(step(book, side(PARAGON), THEIRS, None, TROOPERS, start=without(state(), TROOPERS))) == [
        NOBODY, *took_part(PARAGON),
        noted("R39", "Most Feared Rival: a unit that has left the Register"),
    ]  # fmt: skip


def test_a_cut_is_shown(book: Rulebook) -> None:
    """R13: 24 + 3 gives 25 where the maximum is VR 3."""
    start = change(state(), TROOPERS, experience=23, veteran_rank=2)
    assert done(step(book, side(TROOPERS), THEIRS, None, TROOPERS, start=start)) == [
        NOBODY,
        *took_part(TROOPERS),
        xp(TROOPERS, 1, "R39", "Most Feared Rival of Ben", lost=2),
        reached(TROOPERS, 3),
    ]


# --- Who may be named ----------------------------------------------------------------------------------------


def test_those_who_took_part_and_are_no_casualties(book: Rulebook) -> None:
    """R39."""
    lent = Lent("heroic-intervention", "L1", book.units["darth-vader-dark-lord-of-the-sith"])
    there = side(PARAGON, TROOPERS, OTHERS, lent=(lent, Lent("requisition-special-equipment")))
    assert nameable(book, change(without(state(), TROOPERS), OTHERS, name=""), there) == [
        (PARAGON, "Captain Sorne"), (OTHERS, "Stormtroopers"), ("L1", "Darth Vader"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "facts", "count"),
    [
        (Field("b1", "captious-command"), {}, 0), (Field("b1", "unsure"), {}, 2), (Field("b1"), {}, 2), (None, {}, 2),
        (Field("b1"), {"conceded": True}, 0),
    ],
)  # fmt: skip
def test_captious_command_and_a_concession_hide_everybody(
    book: Rulebook, field: Field | None, facts: dict[str, Any], count: int
) -> None:
    """R40, for the Trait it had when the battle began; R51."""
    assert len(nameable(book, state(in_field=field), side(**facts))) == count


def test_a_side_with_captious_command_waits_for_no_rival(book: Rulebook) -> None:
    """R40."""
    start = state(in_field=Field("b1", "captious-command"))
    assert done(step(book, side(), THEIRS, "4", start=start)) == [
        names("4", "Dust Wardens"), *took_part(PARAGON, TROOPERS),
    ]  # fmt: skip


def test_an_opponent_of_whom_nobody_can_be_named(book: Rulebook) -> None:
    """R40."""
    assert done(step(book, side(), [], None)) == [
        RivalNamed(rule="R40", why="no unit of the opponent can be named"), *took_part(PARAGON, TROOPERS),
    ]  # fmt: skip


# --- Guests and concessions ----------------------------------------------------------------------------------


def test_a_guest_names_a_rival_through_the_player_who_reports(book: Rulebook) -> None:
    """R40."""
    guest = side(opponent_is_guest=True)
    vader = Lent("heroic-intervention", "L1", book.units["darth-vader-dark-lord-of-the-sith"])
    assert step(book, side(PARAGON, TROOPERS, opponent_is_guest=True, lent=(vader,))).question == Choose(
        rule="R39",
        text="Which of your units does Ben name the Most Feared Rival?",
        kind="guest_rival",
        options=(
            Option(PARAGON, "Captain Sorne", "Imperial Officer · 0 XP, VR 0"),
            Option(TROOPERS, "Grim Hounds", "Stormtroopers · 0 XP, VR 0"),
            Option("L1", "Darth Vader", "lent"),
        ),
        decline="nobody",
    )
    assert done(step(book, guest, TROOPERS)) == [
        NONE_THERE, *took_part(PARAGON, TROOPERS), xp(TROOPERS, 3, "R39", "Most Feared Rival of Ben"),
    ]  # fmt: skip
    assert done(step(book, guest, None)) == [NONE_THERE, *took_part(PARAGON, TROOPERS)]


def test_a_side_that_conceded_gains_nothing_but_may_name_a_rival(book: Rulebook) -> None:
    """R51, R40 [reading]: and no rival is named on it."""
    beaten = side(conceded=True, result="lost", contesting=(TROOPERS,))
    assert done(step(book, beaten, THEIRS, "4")) == [names("4", "Dust Wardens"), noted("R51", "skipped: conceded")]


def test_or_who_concedes_names_nobody(book: Rulebook) -> None:
    """R40, `conceding_rival`: the other side's player learns of none, and neither does a guest's opponent."""
    strict = house(book, conceding_rival="names_nobody")
    nobody = RivalNamed(rule="R40", why="a side that conceded names no rival")
    beaten = side(conceded=True, result="lost")
    assert done(step(strict, beaten)) == [nobody, noted("R51", "skipped: conceded")]
    won = side(opponent_conceded=True, result="won")
    assert done(step(strict, won)) == [NONE_THERE, *took_part(PARAGON, TROOPERS)]
    guest = side(opponent_conceded=True, opponent_is_guest=True, result="won")
    assert done(step(strict, guest)) == [NONE_THERE, *took_part(PARAGON, TROOPERS)]
    assert step(strict, side()).question == SURVIVORS


def test_nobody_is_named_on_a_side_that_conceded(book: Rulebook) -> None:
    """R51: but it may name one of this side's."""
    won = side(opponent_conceded=True, result="won")
    assert step(book, won).question == RIVAL
    assert done(step(book, won, TROOPERS)) == [
        NONE_THERE, *took_part(PARAGON, TROOPERS), xp(TROOPERS, 3, "R39", "Most Feared Rival of Ben"),
    ]  # fmt: skip


def test_both_conceded(book: Rulebook) -> None:
    """R51 [reading]."""
    assert done(step(book, side(conceded=True, opponent_conceded=True))) == [
        NONE_THERE, noted("R51", "skipped: conceded"),
    ]  # fmt: skip


def test_special_forces_take_part_like_any_other(book: Rulebook) -> None:
    assert done(step(book, side(SCOUT), THEIRS, None, None)) == [NOBODY, *took_part(SCOUT)]

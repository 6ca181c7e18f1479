"""Rewards: dice and order tokens, marked units and the Paragon."""

from dataclasses import replace
from typing import Any

import pytest

from rules.battle.report import Lent, Report
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import ChooseSeveral, Pool, Roll
from rules.register.effects import OrderTokensDrawn, SupplyPointsGained
from tests.rules.build import OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, done, fell, report, state, without
from tests.rules.post_battle.rewarding import GAIN, gains, give, offered, to_paragon

# --- Dice and tokens -----------------------------------------------------------------------------------------


def rolls(count: int | str, **faces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"do": "roll", "die": "black_attack", "count": count, "per_face": faces}]


def supply(amount: int) -> list[dict[str, Any]]:
    return [{"do": "gain_supply_points", "amount": amount}]


def test_faces_are_resolved_in_the_order_of_section_8(book: Rulebook) -> None:
    """hit, critical, block, surge, blank; faces without a reward give nothing."""
    clauses = rolls(4, blank=supply(4), surge=supply(3), hit=supply(1))
    assert give(book, clauses).question == Roll(
        rule="R26", text="Prize: roll 4", pools=(Pool("reward", "black_attack", 4, "Prize"),)
    )
    faces = ["blank", "surge", "critical", "hit"]
    assert done(give(book, clauses, {"reward": faces})) == [
        fell("", "R26", "Prize", *faces),
        *(SupplyPointsGained(amount=amount, rule="R26", why="Prize") for amount in (1, 3, 4)),
    ]


def test_each_die_with_the_face_gives_its_reward(book: Rulebook) -> None:
    clauses = rolls(2, hit=[{"do": "choose_units", "count": 1, "each": [GAIN]}])
    assert done(give(book, clauses, {"reward": ["hit", "hit"]}, SNOW, SNOW)) == [
        fell("", "R26", "Prize", "hit", "hit"), *gains(SNOW, SNOW),
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "dice"), [("progressions", 2), ("equipment_removed", 3), ("unheard_of", 0), (0, 0)])
def test_how_many_dice(book: Rulebook, count: int | str, dice: int) -> None:
    """A roll of 0 dice is not asked."""
    side = report(PARAGON, asks={"equipment_removed": 3})
    progress = give(book, rolls(count, hit=supply(1)), side=side, progressions=2)
    assert progress.question == (
        Roll(rule="R26", text=f"Prize: roll {dice}", pools=(Pool("reward", "black_attack", dice, "Prize"),))
        if dice
        else None
    )


TOKENS = [{"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]}]


def drawn(*ranks: str) -> OrderTokensDrawn:
    return OrderTokensDrawn(ranks=ranks, rule="R26", why="Prize")


def test_order_tokens_are_those_of_the_units_fielded(book: Rulebook) -> None:
    """Lent units have none."""
    side = report(PARAGON, TROOPERS, OTHERS, SCOUT, lent=(Lent("request-assistance", "L1", book.units["at-st"]),))
    assert give(book, TOKENS, side=side, progressions=2).question == ChooseSeveral(
        rule="R26",
        text="Prize: draw 2 order tokens",
        kind="ranks",
        bag={"commander": 1, "corps": 2, "special-forces": 1},
        labels={"commander": "commander", "corps": "corps", "special-forces": "special forces"},
        count=2,
    )


def test_a_token_has_the_rank_at_which_the_battle_force_lists_its_unit(book: Rulebook) -> None:
    """The Imperial Remnant's scouts are corps (R18), and so is who may be chosen for a token of the corps."""
    side = report(PARAGON, SCOUT, battle_force="imperial-remnant")
    question = give(book, TOKENS, side=side, progressions=2).question
    assert isinstance(question, ChooseSeveral)
    assert question.bag == {"commander": 1, "corps": 1}
    unit = give(book, TOKENS, ["corps", "commander"], side=side, progressions=2).question
    assert offered(unit) == [TROOPERS, OTHERS, SNOW, SCOUT]


def test_a_unit_that_was_reassigned_leaves_its_token(book: Rulebook) -> None:
    start = state()
    away = replace(without(start, SCOUT), reassigned={SCOUT: start.dossiers[SCOUT]})
    side = report(PARAGON, SCOUT)
    assert done(give(book, TOKENS, ["special-forces", "commander"], start=away, side=side, progressions=2)) == [
        drawn("special-forces", "commander"), *gains(PARAGON)
    ]  # fmt: skip


def test_one_token_is_a_token(book: Rulebook) -> None:
    question = give(book, TOKENS, side=report(PARAGON, TROOPERS), progressions=1).question
    assert isinstance(question, ChooseSeveral)
    assert question.text == "Prize: draw 1 order token"


def test_for_each_token_a_different_unit_of_that_rank_on_the_register(book: Rulebook) -> None:
    """Asked for only if several fit; fielded or not."""
    side = report(PARAGON, TROOPERS, OTHERS)
    first = give(book, TOKENS, ["corps", "corps"], side=side, progressions=2)
    assert offered(first.question) == [TROOPERS, OTHERS, SNOW]
    second = give(book, TOKENS, ["corps", "corps"], SNOW, side=side, progressions=2)
    assert offered(second.question) == [TROOPERS, OTHERS]
    assert done(give(book, TOKENS, ["corps", "corps"], SNOW, OTHERS, side=side, progressions=2)) == [
        drawn("corps", "corps"),
        *gains(SNOW, OTHERS),
    ]
    assert done(give(book, TOKENS, ["commander", "corps"], OTHERS, side=side, progressions=2)) == [
        drawn("commander", "corps"),
        *gains(PARAGON, OTHERS),
    ]


def test_no_more_tokens_than_units_fielded_are_drawn(book: Rulebook) -> None:
    assert done(give(book, TOKENS, ["commander"], side=report(PARAGON), progressions=2)) == [
        drawn("commander"),
        *gains(PARAGON),
    ]
    assert done(give(book, TOKENS, side=Report(), progressions=2)) == []
    assert done(give(book, TOKENS, side=report(PARAGON), progressions=0)) == []


def test_a_rank_of_which_no_further_unit_is_left_gives_nothing(book: Rulebook) -> None:
    """Fielded units may have fallen meanwhile; their tokens are there all the same."""
    start = state()
    fallen = {key: start.dossiers[key] for key in (OTHERS, SNOW)}
    left = replace(without(start, OTHERS, SNOW), fallen=fallen)
    side = report(PARAGON, TROOPERS, OTHERS)
    assert done(give(book, TOKENS, ["corps", "corps"], start=left, side=side, progressions=2)) == [
        drawn("corps", "corps"),
        *gains(TROOPERS),
    ]


# --- Marked units and the Paragon ----------------------------------------------------------------------------


def test_every_marked_unit_that_is_still_here(book: Rulebook) -> None:
    side = report(PARAGON, TROOPERS, OTHERS, marked=(TROOPERS, "L1", OTHERS), defeated=(TROOPERS,))
    everyone, spared = (
        {"do": "marked_units", "then": [GAIN]},
        {"do": "marked_units", "then": [GAIN], "only": "undefeated"},
    )
    assert done(give(book, [everyone], side=side)) == gains(TROOPERS, OTHERS)
    assert done(give(book, [spared], side=side)) == gains(OTHERS)


def test_the_paragon_of_a_clause_does_not_take_the_place_of_the_unit_chosen(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": [*to_paragon(GAIN), GAIN]}]
    assert done(give(book, clauses, TROOPERS)) == gains(PARAGON, TROOPERS)

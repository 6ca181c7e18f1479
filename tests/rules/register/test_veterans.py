"""Experience and Veteran Rank (R12 to R14)."""

import pytest

from rules.core.rulebook import Rulebook
from rules.register.veterans import experience_cap, gain_experience, maximum_veteran_rank, veteran_rank
from tests.rules.build import PARAGON, TROOPERS, change, house, reached, state, xp


def test_veteran_rank_by_experience() -> None:
    """R12: 0–4→0, 5–12→1, 13–24→2, 25–39→3, 40–49→4, 50→5."""
    expected = [0] * 5 + [1] * 8 + [2] * 12 + [3] * 15 + [4] * 10 + [5]
    assert [veteran_rank(experience) for experience in range(51)] == expected


@pytest.mark.parametrize(
    ("rank", "maximum"),
    [("commander", 5), ("operative", 4), ("corps", 3), ("special-forces", 3), ("support", 3), ("heavy", 3)],
)
def test_maximum_veteran_rank_by_rank(book: Rulebook, rank: str, maximum: int) -> None:
    """R12."""
    card = next(unit.slug for unit in book.units.values() if unit.rank == rank)
    unit = change(state(), TROOPERS, card=card).dossiers[TROOPERS]
    assert maximum_veteran_rank(book, unit) == maximum


def test_special_training_raises_the_maximum_up_to_five(book: Rulebook) -> None:
    """R12, R44."""
    trained = [change(state(), TROOPERS, training=times).dossiers[TROOPERS] for times in range(4)]
    assert [maximum_veteran_rank(book, unit) for unit in trained] == [3, 4, 5, 5]
    assert [experience_cap(book, unit) for unit in trained] == [25, 40, 50, 50]


def test_a_gain_that_reaches_no_rank(book: Rulebook) -> None:
    assert gain_experience(book, state(), TROOPERS, 4, rule="R39", why="took part") == [
        xp(TROOPERS, 4, "R39", "took part")
    ]


def test_a_gain_that_would_pass_the_maximum_is_cut_to_it(book: Rulebook) -> None:
    """R13: 24 + 3 with maximum 3 gives 25."""
    start = change(state(), TROOPERS, experience=24, veteran_rank=2)
    assert gain_experience(book, start, TROOPERS, 3, rule="R39", why="rival") == [
        xp(TROOPERS, 1, "R39", "rival", lost=2),
        reached(TROOPERS, 3),
    ]


@pytest.mark.parametrize(
    ("had", "rank", "training", "amount", "gained", "lost", "ranks"),
    [(24, 2, 0, 3, 3, 0, [3]), (25, 3, 0, 3, 0, 3, []), (24, 2, 0, 30, 26, 4, [3]), (49, 4, 2, 3, 1, 2, [5]),
     (20, 2, 0, 3, 3, 0, []), (27, 3, 1, 3, 3, 0, []), (41, 3, 1, 3, 0, 3, [4])],
)  # fmt: skip
def test_or_the_gain_that_reaches_the_maximum_counts_whole(
    book: Rulebook, had: int, rank: int, training: int, amount: int, gained: int, lost: int, ranks: list[int]
) -> None:
    """R13, `last_gain`: 24 + 3 with maximum 3 gives 27, then no more; 50 are the most there are."""
    whole = house(book, last_gain="whole")
    start = change(state(), TROOPERS, experience=had, veteran_rank=rank, training=training)
    assert gain_experience(whole, start, TROOPERS, amount, rule="R39", why="rival") == [
        xp(TROOPERS, gained, "R39", "rival", lost=lost), *(reached(TROOPERS, one) for one in ranks),
    ]  # fmt: skip


def test_a_unit_at_its_maximum_gains_nothing_more(book: Rulebook) -> None:
    """R13."""
    start = change(state(), TROOPERS, experience=25, veteran_rank=3)
    assert gain_experience(book, start, TROOPERS, 2, rule="R34", why="") == [xp(TROOPERS, 0, "R34", "", lost=2)]


def test_a_unit_whose_maximum_fell_below_its_experience_loses_nothing(book: Rulebook) -> None:
    """R2, R14: a card that changes its rank takes nothing away."""
    start = change(state(), TROOPERS, experience=42, veteran_rank=4)
    assert gain_experience(book, start, TROOPERS, 2, rule="R34", why="") == [xp(TROOPERS, 0, "R34", "", lost=2)]


def test_two_ranks_may_be_reached_at_once(book: Rulebook) -> None:
    """R15: each of them owes a Commendation."""
    assert gain_experience(book, state(), PARAGON, 13, rule="R26", why="") == [
        xp(PARAGON, 13, "R26", ""),
        reached(PARAGON, 1),
        reached(PARAGON, 2),
    ]


def test_a_rank_once_earned_is_not_reached_again(book: Rulebook) -> None:
    """R14: VR is never lost, even if XP is; regained XP gives no second Commendation."""
    start = change(state(), TROOPERS, experience=3, veteran_rank=1)
    assert gain_experience(book, start, TROOPERS, 3, rule="R39", why="") == [xp(TROOPERS, 3, "R39", "")]

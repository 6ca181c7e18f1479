"""The cut and the bracket (E38–E43)."""

import pytest

from rules.core.violations import RuleViolation
from rules.tournaments.bracket import (
    BracketGame,
    bracket_order,
    cut_violation,
    decided_by,
    drawn_games,
    fitting_cuts,
    next_games,
    numbered_games,
    places,
    seeded_games,
    seeds_after_cut,
)
from rules.tournaments.draws import Draw
from rules.tournaments.results import Ending, Result
from tests.rules.tournaments.data import load

DRAW = Draw(bytes(32), "event-1")


@pytest.mark.parametrize("size", ["2", "4", "8", "16"])
def test_the_printed_orders(size: str) -> None:
    """E39."""
    assert bracket_order(int(size)) == load("bracket-orders")[size]


def won(game: BracketGame, player: str) -> BracketGame:
    return BracketGame(game.players, player)


def test_a_bracket_of_four() -> None:
    """E39, E43: losers share a place, the winner is the first."""
    games = seeded_games("ABCD")
    assert games == (BracketGame(("A", "D")), BracketGame(("B", "C")))
    with pytest.raises(RuleViolation, match=r"A game of this round has no result yet. \(E39\)"):
        next_games(games, "ABCD")
    first = (won(games[0], "D"), won(games[1], "B"))
    final = next_games(first, "ABCD")
    assert final == (BracketGame(("D", "B")),)
    assert places([first, final]) == {"A": "3-4", "C": "3-4"}
    assert places([first, [won(final[0], "B")]]) == {"A": "3-4", "C": "3-4", "D": "2", "B": "1"}


def test_who_leaves_before_the_first_game_is_replaced() -> None:
    """E38, the printed example: the fifth enters as the fourth, everybody below moves up."""
    ranking = ["First", "Steven", "Third", "Fourth", "Eve", "Sixth"]
    assert seeds_after_cut(ranking, set(ranking), 4) == ["First", "Steven", "Third", "Fourth"]
    assert seeds_after_cut(ranking, set(ranking) - {"Steven"}, 4) == ["First", "Third", "Fourth", "Eve"]
    assert seeds_after_cut(ranking, set(ranking) - {"Steven", "Eve"}, 4) == ["First", "Third", "Fourth", "Sixth"]


@pytest.mark.parametrize("size", [0, 1, 6])
def test_cuts_that_cannot_be(size: int) -> None:
    assert cut_violation(size) == "A cut takes 2, 4, 8, 16, … players."
    with pytest.raises(RuleViolation, match=r"A cut takes 2, 4, 8, 16, … players. \(E38\)"):
        seeds_after_cut(list("ABCDEFG"), set("ABCDEFG"), size)


def test_cuts_that_fit_fewer_players() -> None:
    """E38: a smaller one that they fill, and one in which the best have a bye."""
    assert [fitting_cuts(players) for players in range(2, 10)] == [
        (2, 2), (2, 4), (4, 4), (4, 8), (4, 8), (4, 8), (8, 8), (8, 16),
    ]  # fmt: skip


def test_who_leaves_between_two_games_gives_a_bye() -> None:
    """E41: and has the place of the game that they did not play."""
    games = seeded_games("ABCD")
    first = (won(games[0], "A"), won(games[1], "C"))
    final = next_games(first, "BCD")
    assert final == (BracketGame(("C", ""), "C"),)
    assert places([first, final]) == {"D": "3-4", "B": "3-4", "A": "2", "C": "1"}
    nobody = next_games(first, "BD")
    assert nobody == (BracketGame(("", "")),)
    assert places([first, nobody]) == {"D": "3-4", "B": "3-4", "A": "2", "C": "2"}


def test_nobody_is_left_to_enter() -> None:
    """E38: the last seeds stay empty, so that the best seeds have a bye."""
    assert seeds_after_cut("ABCDEF", set("ACDEF"), 4) == list("ACDE")
    seeds = seeds_after_cut("ABCD", set("ACD"), 4)
    assert seeds == ["A", "C", "D", ""]
    games = seeded_games(seeds)
    assert games == (BracketGame(("A", ""), "A"), BracketGame(("C", "D")))
    assert places([games]) == {}


def test_a_drawn_game_is_decided_by_the_priority_roll() -> None:
    """E40."""
    assert decided_by(("A", "B"), Result(how=Ending.TIME, roll="B")) == "B"
    assert decided_by(("A", "B"), Result(how=Ending.VICTORY, winner="A")) == "A"
    assert decided_by(("A", "B"), Result(how=Ending.TIME)) == ""


@pytest.mark.parametrize("players", [2, 3, 5, 8, 9])
def test_elimination_only(players: int) -> None:
    """E42: byes up to the next power of two; each game leaves one player."""
    names = [str(number) for number in range(players)]
    games = drawn_games(DRAW, names)
    size = 1 << (players - 1).bit_length()
    assert (len(games), sum(not game.players[1] for game in games)) == (size // 2, size - players)
    assert sorted(player for game in games for player in game.players if player) == sorted(names)
    assert games == drawn_games(DRAW, names[::-1])
    columns = [games]
    while len(columns[-1]) > 1 or columns[-1][0].is_open:
        decided = tuple(won(game, game.players[0]) for game in columns[-1])
        columns[-1] = decided
        if len(decided) == 1:
            break
        columns.append(next_games(decided, names))
    assert sorted(places(columns)) == sorted(names)


def test_games_drawn_elsewhere_are_numbered_at_random() -> None:
    """E42: the same numbers, in whatever order the games come."""
    games = [BracketGame(("A", "B")), BracketGame(("C", "D")), BracketGame(("E", ""), "E"), BracketGame(("F", ""), "F")]
    numbered = numbered_games(DRAW, games)
    assert sorted(numbered, key=lambda game: game.players) == games
    assert numbered_games(DRAW, games[::-1]) == numbered


def test_a_bracket_of_one() -> None:
    with pytest.raises(RuleViolation, match=r"A bracket needs at least two players. \(E42\)"):
        drawn_games(DRAW, ["A"])


def test_the_chain_of_the_regulations_is_the_fixed_bracket() -> None:
    """E39: the winner of game 1 meets the winner of the last game, in every round."""
    for size in (4, 8, 16, 32):
        order = bracket_order(size)
        meet = [frozenset(pair) for pair in zip(order[::2], order[1::2], strict=True)]
        assert sorted(map(sorted, meet)) == [[seed, size + 1 - seed] for seed in range(1, size // 2 + 1)]
        assert [min(pair) for pair in meet] == bracket_order(size // 2)


@pytest.mark.parametrize("rounds", range(1, 6))
def test_the_two_best_seeds_meet_only_in_the_final(rounds: int) -> None:
    seeds = [str(seed) for seed in range(1 << rounds)]
    games = seeded_games(seeds)
    for _ in range(rounds - 1):
        assert {"0", "1"} not in [set(game.players) for game in games]
        best = [won(game, min(game.players, key=int)) for game in games]
        games = next_games(best, seeds)
    assert set(games[0].players) == {"0", "1"}

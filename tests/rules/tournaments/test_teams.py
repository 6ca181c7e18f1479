"""Teams: mates do not meet while that can be avoided, and their figures are added up (E17, E33)."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given, strategies as st

from rules.tournaments.draws import Draw
from rules.tournaments.pairing import pair_round
from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import figures_compared, standings
from rules.tournaments.teams import TeamStanding, team_standings
from tests.rules.tournaments.events import standard_rules

DRAW = Draw(bytes(range(32)), "event-1")


def matchings(players: tuple[str, ...]) -> Iterator[list[frozenset[str]]]:
    """Yield every way to pair all players."""
    if not players:
        yield []
        return
    first, *others = players
    for other in others:
        for rest in matchings(tuple(each for each in others if each != other)):
            yield [frozenset((first, other)), *rest]


@given(st.data())
def test_mates_meet_only_if_no_pairing_avoids_it(data: Any) -> None:
    """E17, E18: nor is there a rematch more than the pairings with so few mates have."""
    players = tuple("ABCDEFGH"[: data.draw(st.sampled_from((2, 4, 6, 8)))])
    teams = data.draw(st.dictionaries(st.sampled_from(players), st.sampled_from("xyz")))
    points = {player: data.draw(st.integers(0, 9)) for player in players}
    met = data.draw(st.sets(st.sampled_from([pair for each in matchings(players) for pair in each])))
    rounds = [PlayedRound(games=(PlayedGame(tuple(sorted(pair))),)) for pair in met]  # type: ignore[arg-type]

    def cost(pairs: list[frozenset[str]]) -> tuple[int, int]:
        mates = sum(one in teams and teams[one] == teams.get(other) for one, other in map(sorted, pairs))
        return mates, sum(pair in met for pair in pairs)

    found = pair_round(DRAW, 2, points, rounds, players, teams)
    assert cost([frozenset(pair) for pair in found.pairs]) == min(map(cost, matchings(players)))


def test_the_figures_of_members_are_added_up() -> None:
    """All of them or the best k, and a team of one. A tie goes to the best member."""
    rules = standard_rules(RuleSet.GALACTIC_CONQUEST)
    won = [
        PlayedGame((one, other), Result(how=Ending.VICTORY, winner=one, points=(points, 0), tokens=(1, 0)))
        for one, other, points in (("A", "B", 600), ("C", "D", 500), ("E", "F", 500))
    ]
    tickets = {player: place for place, player in enumerate("ABCDEFG")}
    ordered = standings(rules, tickets, [PlayedRound(games=tuple(won))])
    teams = {"A": "x", "B": "x", "C": "y", "E": "y", "D": "z", "G": "z"}
    figures = {each.player: figures_compared(rules, each) for each in ordered}
    best = figures["C"]
    both = tuple(one + other for one, other in zip(best, figures["E"], strict=True))
    all_count = team_standings(rules, ordered, teams)
    assert [(each.team, each.rank) for each in all_count] == [("y", 1), ("x", 2), ("z", 3)]
    assert all_count[0] == TeamStanding("y", 1, both, ("C", "E"))
    assert all_count[0].figures[0] == 6
    one_counts = team_standings(rules, ordered, teams, best=1)
    assert [each.counted for each in one_counts] == [("A",), ("C",), ("D",)]
    assert one_counts[1].figures == best
    level = team_standings(rules, ordered, {"C": "y", "E": "x"})
    assert [each.team for each in level] == ["y", "x"]
    assert level[0].figures == level[1].figures

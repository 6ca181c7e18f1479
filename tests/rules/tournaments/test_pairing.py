"""Swiss pairing (E17–E19), tables (E22) and draws that can be checked (E23)."""

import itertools
from collections import Counter
from typing import Any

import networkx
import pytest
from hypothesis import given, strategies as st

from rules.core.violations import RuleViolation
from rules.tournaments import pairing
from rules.tournaments.draws import Act, Draw, commitment
from rules.tournaments.pairing import Pairing, cheapest_matching, next_bye, pair_costs, pair_round
from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound, meetings
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import standings
from rules.tournaments.tables import assign_tables, tables_of_players
from tests.rules.tournaments.data import load
from tests.rules.tournaments.events import standard_rules

DRAW = Draw(bytes(range(32)), "event-1")
REGRESSIONS = {case["name"]: case for case in load("pairing-regressions")}


def played(*pairs: Any) -> list[PlayedRound]:
    """Each pair met in a round of its own."""
    return [PlayedRound(games=(PlayedGame((one, other)),)) for one, other in pairs]


def paired(points: dict[str, int], rounds: list[PlayedRound], number: int = 2) -> Pairing:
    ranking = sorted(points, key=lambda player: (-points[player], player))
    return pair_round(DRAW, number, points, rounds, ranking)


def as_sets(pairs: Any) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairs}


@pytest.mark.parametrize(
    "case", [case for case in REGRESSIONS.values() if "points" in case and "unplayed" not in case],
    ids=lambda case: case["name"],
)  # fmt: skip
@pytest.mark.parametrize("number", range(2, 7))
def test_positions_that_broke_other_software(case: Any, number: int) -> None:
    """E17, E18: for whatever the seed draws."""
    found = paired(case["points"], played(*case["played"]), number)
    pairs = as_sets(found.pairs)
    assert pairs >= as_sets(case.get("must", []))
    assert not pairs & as_sets(case.get("must_not", []))
    assert len(pairs) == case.get("pairs", len(case["points"]) // 2)
    if "allowed" in case:
        assert pairs in [as_sets(allowed) for allowed in case["allowed"]]


def test_leaders_who_have_not_met_are_parted_where_the_others_have() -> None:
    """E17: a rematch below is worse than a difference above (6, 3, 3, 0 points)."""
    found = paired({"A": 6, "B": 6, "C": 3, "D": 0}, played("CD"))
    assert as_sets(found.pairs) in (as_sets(["AC", "BD"]), as_sets(["AD", "BC"]))
    assert found.rematches == ()


def test_the_search_is_complete() -> None:
    """E17: six players of whom every one has met three; the only pairing left is found."""
    left = as_sets(["AD", "BE", "CF"])
    met = [pair for pair in itertools.combinations("ABCDEF", 2) if frozenset(pair) not in left]
    assert as_sets(paired(dict.fromkeys("ABCDEF", 1), played(*met)).pairs) == left


def test_two_triangles_force_one_rematch() -> None:
    """E18: it is named, and only one is taken."""
    case = REGRESSIONS["six players after three rounds whose unplayed graph is two triangles"]
    unplayed = as_sets(case["unplayed"])
    met = [pair for pair in itertools.combinations(case["points"], 2) if frozenset(pair) not in unplayed]
    found = paired(case["points"], played(*met))
    assert [frozenset(pair) not in unplayed for pair in found.pairs].count(True) == 1
    assert as_sets(found.rematches) == as_sets(found.pairs) - unplayed


def with_byes(points: dict[str, int], had: set[str]) -> tuple[list[PlayedRound], list[str]]:
    ranking = sorted(points, key=lambda player: (-points[player], player))
    return [PlayedRound(byes=frozenset(had))], ranking


@pytest.mark.parametrize("name", ["five players, bye already had by ids 3", "three players, all had a bye"])
def test_who_has_the_bye(name: str) -> None:
    """E19: the lowest-ranked without one; if all have had one, the lowest-ranked of those with the fewest."""
    case = REGRESSIONS[name]
    points = {str(player): score for player, score, _bye in case["players"]}
    rounds, ranking = with_byes(points, {str(player) for player, _score, bye in case["players"] if bye})
    assert pair_round(DRAW, 2, points, rounds, ranking).bye == str(case["must_bye"])


def test_the_bye_of_seventeen_players() -> None:
    """E19: the one on two points has had none; three on four points had none, either."""
    points = {str(number): 4 if number < 17 else 2 for number in range(1, 18)}
    rounds, ranking = with_byes(points, {str(number) for number in range(4, 17)})
    assert pair_round(DRAW, 4, points, rounds, ranking).bye == "17"


def test_the_next_bye_by_the_standings() -> None:
    rules = standard_rules(RuleSet.GALACTIC_CONQUEST)
    rounds = [PlayedRound(games=(PlayedGame(("A", "B"), Result(how=Ending.VICTORY, winner="A")),), byes=frozenset("C"))]
    ordered = standings(rules, {"A": 1, "B": 2, "C": 3}, rounds)
    assert [next_bye(ordered, active, rounds) for active in ("ABC", "AC", "C")] == ["B", "A", "C"]


def test_a_bye_that_would_avoid_a_rematch_is_offered() -> None:
    """E19: three players of whom two have met: the bye of the third forces their rematch."""
    points = dict.fromkeys("ABC", 0)
    rounds = [PlayedRound(games=(PlayedGame(("A", "B")),))]
    found = pair_round(DRAW, 2, points, rounds, "ABC")
    assert found == Pairing(pairs=(("A", "B"),), bye="C", rematches=(("A", "B"),), other_bye="B")
    nowhere = pair_round(DRAW, 4, points, played("AB", "AC", "BC"), "ABC")
    assert (nowhere.rematches, nowhere.other_bye) == ((("A", "B"),), "")
    one_team = pair_round(DRAW, 2, points, rounds, "ABC", {"A": "X", "C": "X"})
    assert (one_team.bye, one_team.other_bye) == ("C", "A")  # the bye of B would bring teammates together
    mates = pair_round(DRAW, 2, points, [PlayedRound()], "ABC", {"A": "X", "B": "X"})
    assert (mates.bye, mates.faults, mates.other_bye) == ("C", (1, 0), "B")


def test_another_bye_is_looked_for_in_one_more_matching(monkeypatch: pytest.MonkeyPatch) -> None:
    """E19: with one for each player, 300 with teammates who have to meet took a minute."""
    sizes = []

    def counted(costs: Any) -> Any:
        sizes.append(len(costs))
        return cheapest_matching(costs)

    monkeypatch.setattr(pairing, "cheapest_matching", counted)
    points = {str(number): 0 for number in range(1, 12)}
    teams = dict.fromkeys(sorted(points)[:9], "X")
    found = pair_round(DRAW, 2, points, [PlayedRound()], sorted(points, reverse=True), teams)
    assert (found.bye, found.faults, found.other_bye) == ("1", (3, 0), "")
    assert sizes == [45, 66]


def test_the_first_round_is_drawn() -> None:
    """E17, E19: fixed for ever by the seed, and another seed draws otherwise."""
    points = dict.fromkeys("ABCDEFG", 0)
    first, other = (pair_round(Draw(bytes([seed]) * 32, "event-1"), 1, points, [], "ABCDEFG") for seed in (1, 2))
    assert first == Pairing(pairs=(("A", "C"), ("B", "E"), ("D", "F")), bye="G")
    assert other != first
    assert pair_round(Draw(bytes([1]) * 32, "event-1"), 1, dict(reversed(points.items())), [], "GFEDCBA") == first


@pytest.mark.parametrize("players", ["", "A"])
def test_too_few_players_to_pair(players: str) -> None:
    with pytest.raises(RuleViolation, match=r"A round needs at least two players. \(E17\)"):
        pair_round(DRAW, 1, dict.fromkeys(players, 0), [], players)


@st.composite
def positions(draw: st.DrawFn, most: int = 8) -> tuple[dict[str, int], list[PlayedRound], int]:
    """Points, who has met, and the number of the round, for an even number of players."""
    players = [chr(ord("A") + place) for place in range(2 * draw(st.integers(1, most // 2)))]
    points = {player: draw(st.integers(0, 4)) * 3 for player in players}
    met = draw(st.lists(st.sampled_from(list(itertools.combinations(players, 2))), max_size=12))
    return points, played(*met), draw(st.integers(2, 9))


def all_pairings(players: list[str]) -> list[list[tuple[str, str]]]:
    if not players:
        return [[]]
    first, *others = players
    return [
        [(first, other), *rest]
        for other in others
        for rest in all_pairings([player for player in others if player != other])
    ]


@given(positions())
def test_never_an_avoidable_rematch_and_the_smallest_differences(position: Any) -> None:
    """E17, against every pairing there is."""
    points, rounds, number = position
    met = meetings(rounds)

    def badness(pairs: Any) -> tuple[int, int]:
        return (
            sum(bool(met[frozenset(pair)]) for pair in pairs),
            sum((points[one] - points[other]) ** 2 for one, other in pairs),
        )

    found = paired(points, rounds, number)
    assert sorted(player for pair in found.pairs for player in pair) == sorted(points)
    assert badness(found.pairs) == min(map(badness, all_pairings(sorted(points))))
    assert len(found.rematches) == badness(found.pairs)[0]


@given(positions(most=12))
def test_another_solver_finds_the_same_pairs(position: Any) -> None:
    """E23: the optimum is unique."""
    points, rounds, number = position
    players = sorted(points)
    costs = list(pair_costs(DRAW, number, points, meetings(rounds), players))
    graph = networkx.Graph()
    most = max(cost for _one, _other, cost in costs)
    graph.add_weighted_edges_from((one, other, most - cost + 1) for one, other, cost in costs)
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    assert as_sets(cheapest_matching(costs)) == as_sets(theirs)


@given(positions(most=6), st.data())
def test_the_right_player_has_the_bye(position: Any, data: st.DataObject) -> None:
    """E19: among those with the fewest byes the lowest-ranked, whatever else is drawn."""
    points, rounds, number = position
    absent = data.draw(st.sampled_from(sorted(points)))
    points = {player: score for player, score in points.items() if player != absent}
    had = data.draw(st.lists(st.sampled_from([*sorted(points), absent]), max_size=9))
    rounds = [*rounds, PlayedRound(), *(PlayedRound(byes=frozenset({player})) for player in had)]
    ranking = data.draw(st.permutations(sorted(points)))
    if len(points) < 2:
        return
    fewest = min(had.count(player) for player in points)
    bye = [player for player in ranking if had.count(player) == fewest][-1]
    found = pair_round(DRAW, number, points, rounds, ranking)
    assert found.bye == bye
    assert sorted([bye, *(player for pair in found.pairs for player in pair)]) == sorted(points)


def test_nobody_plays_on_a_table_twice_where_that_is_possible() -> None:
    """E22."""
    pairs = [("A", "B"), ("C", "D"), ("E", "F")]
    first = assign_tables(pairs, [], {})
    assert first == (1, 2, 3)
    before = [PlayedRound(games=tuple(PlayedGame(pair, None, table) for pair, table in zip(pairs, first, strict=True)))]
    again = [("A", "C"), ("B", "E"), ("D", "F")]
    assert assign_tables(again, before, {}) == (3, 2, 1)
    assert tables_of_players(before)["A", 1] == tables_of_players(before)["F", 3] == 1


def test_fixed_tables() -> None:
    """E22: the first of two players with the same fixed table has it. Without its player a table is free."""
    pairs = [("A", "B"), ("C", "D"), ("E", "F")]
    assert assign_tables(pairs, [], {"D": 1}) == (2, 1, 3)
    assert assign_tables(pairs, [], {"D": 9, "F": 9, "X": 2}) == (1, 9, 2)
    assert assign_tables([], [], {}) == ()


def test_all_tables_of_the_hall_are_used_before_one_repeats() -> None:
    """E22: also those that the round before did not need. Kept ones are for games that a person puts there."""
    pairs = [("A", "B"), ("C", "D")]
    before = [
        PlayedRound(games=(PlayedGame(pairs[0], None, 1), PlayedGame(pairs[1], None, 2))),
        PlayedRound(games=(PlayedGame(pairs[0], None, 2), PlayedGame(pairs[1], None, 1))),
    ]
    assert sorted(assign_tables(pairs, before, {})) == [1, 2]
    assert assign_tables(pairs, before, {}, 4) == (3, 4)
    assert assign_tables(pairs, before, {}, 4, {3}) in ((4, 1), (4, 2), (1, 4), (2, 4))
    assert assign_tables(pairs, [], {}, 1, {1}) == (2, 3)


@given(st.integers(1, 5), st.data())
def test_each_pair_has_a_table_of_its_own(count: int, data: st.DataObject) -> None:
    players = [chr(ord("A") + place) for place in range(2 * count)]
    pairs = [(players[2 * place], players[2 * place + 1]) for place in range(count)]
    earlier = [
        PlayedRound(games=tuple(PlayedGame((one, other), None, data.draw(st.integers(1, 5))) for one, other in pairs))
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    fixed = data.draw(st.dictionaries(st.sampled_from(players), st.integers(1, 7), max_size=2))
    tables = assign_tables(pairs, earlier, fixed)
    assert len(set(tables)) == count
    assert min(tables) > 0


def test_draws_can_be_checked() -> None:
    """E23: these numbers must never change, because exported events are checked by them."""
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    draw = Draw(bytes(32), "event-1")
    assert draw.pair_weight(3, "B", "A") == draw.number(Act.PAIR, 3, "A", "B") == 67825123799771484
    assert draw.ticket("A") == 12251907495050520
    for seed in (bytes(32), bytes(range(100))):
        draw = Draw(seed, "event-1")
        pairs = [(one, other, draw.pair_weight(3, one, other)) for one, other in ("1B", "1é", "Bé")]
        assert list(draw.pair_weights(3, ["é", "B", "1"])) == pairs
    with pytest.raises(ValueError, match="No line may hold another"):
        draw.ticket("A\nB")


def test_the_numbers_of_draws_are_spread() -> None:
    """E23: each of eight players is first about as often as any other."""
    firsts = Counter(DRAW.order(Act.FIRST_BYE, number, "ABCDEFGH")[0] for number in range(800))
    assert sorted(firsts) == list("ABCDEFGH")
    assert max(firsts.values()) - min(firsts.values()) < 60

"""Swiss pairing as one matching over all players (E17–E19)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import neg
from types import MappingProxyType

from rules.core.translation import gettext
from rules.core.values import KeywordValue
from rules.core.violations import refuse
from rules.tournaments.draws import BITS, Act, Draw
from rules.tournaments.rounds import PlayedRound, byes, meetings
from rules.tournaments.standings import Standing

#: Bits for the chance weights of all pairs together: up to 65,536 pairs.
_CHANCE_BITS = BITS + 16
#: Bits for the squared differences of event points of all pairs together.
_DIFFERENCE_BITS = 32
#: Bits for the number of rematches of all pairs together.
_REMATCH_BITS = 10
NO_TEAMS: Mapping[str, str] = MappingProxyType({})

Pair = tuple[str, str]


class Pairing(KeywordValue):
    """A draft of a round: pairs with the higher points first, who has the bye (or empty), and which pairs are
    rematches, and how many are `teammates`, that no other pairing with this bye avoids. `other_bye` would avoid one of
    them (E19); usually empty.
    """

    pairs: tuple[Pair, ...]
    bye: str = ""
    rematches: tuple[Pair, ...] = ()
    teammates: int = 0
    other_bye: str = ""

    @property
    def faults(self) -> tuple[int, int]:
        """How many pairs should not meet, teammates first: the fewer, the better."""
        return self.teammates, len(self.rematches)


def pair_round(
    draw: Draw,
    round_number: int,
    points: Mapping[str, int],
    rounds: Sequence[PlayedRound],
    ranking: Sequence[str],
    teams: Mapping[str, str] = NO_TEAMS,
) -> Pairing:
    """Return the pairing of a Swiss round.

    `points` are the event points of the active players, `rounds` those of this stage that were paired before, and
    `ranking` the active players, best first (the ticket included); it decides on the bye. `teams` are the teams of
    those who have one, an option of ours. The pairing has the fewest pairs of teammates, then the fewest rematches,
    then the smallest sum of squared differences of points, then the smallest sum of the numbers that the seed gives
    each pair (E17, E18, E23). Refuses fewer than two players.
    """
    if len(points) < 2:
        raise refuse("E17", gettext("A round needs at least two players."))
    met = meetings(rounds)
    candidates = bye_order(draw, round_number, points, rounds, ranking) if len(points) % 2 else [""]
    found = _pairing(draw, round_number, points, met, teams, candidates[0])
    if found.bye and any(found.faults):
        bye, fewest = _best_bye(candidates, _avoided(met, teams))
        return replace(found, other_bye=bye if fewest < _weight(*found.faults) else "")
    return found


def _weight(teammates: int, rematches: int) -> int:
    return (teammates << _REMATCH_BITS) + rematches


def _avoided(met: Mapping[frozenset[str], int], teams: Mapping[str, str]) -> dict[tuple[str, ...], int]:
    """Return the weight of each pair that should not meet, its players in order."""
    mates = {pair for pair in combinations(sorted(teams), 2) if teams[pair[0]] == teams[pair[1]]}
    again = {tuple(sorted(pair)) for pair in met if met[pair]}
    return {pair: _weight(pair in mates, pair in again) for pair in mates | again}


def _best_bye(candidates: Sequence[str], avoided: Mapping[tuple[str, ...], int]) -> tuple[str, int]:
    """Return the first of the candidates without whom the others can be paired best, and the weight of those pairs. It
    takes one matching, in which anybody may meet nobody: one for each candidate took minutes of 300 players.
    """
    nobody = len(candidates)
    costs = [(place, nobody, place) for place in range(nobody)]
    for one, other in combinations(range(nobody), 2):
        costs.append((one, other, nobody * avoided.get(tuple(sorted((candidates[one], candidates[other]))), 0)))
    pairs = {(min(pair), max(pair)) for pair in cheapest_matching(costs)}
    bye = next(one for one, other in pairs if other == nobody)
    return candidates[bye], sum(cost for one, other, cost in costs if (one, other) in pairs) // nobody


def bye_order(
    draw: Draw, round_number: int, players: Collection[str], rounds: Sequence[PlayedRound], ranking: Sequence[str]
) -> list[str]:
    """Return the active players in the order in which they are given the bye (E19). Before anything was played, the
    order is drawn; later the fewest byes come first, then the lowest rank.
    """
    if not rounds:
        return draw.order(Act.FIRST_BYE, round_number, players)
    had, places = byes(rounds), {player: place for place, player in enumerate(ranking)}
    return sorted(players, key=lambda player: (had[player], -places[player]))


def next_bye(ordered: Sequence[Standing], active: Collection[str], rounds: Sequence[PlayedRound]) -> str:
    """Return which active player is given the next bye after at least one round, by standings best first (E19)."""
    had, ranks = byes(rounds), {standing.player: standing.rank for standing in ordered}
    return min(active, key=lambda player: (had[player], -ranks[player]))


def pair_costs(
    draw: Draw,
    round_number: int,
    points: Mapping[str, int],
    met: Mapping[frozenset[str], int],
    players: Sequence[str],
    teams: Mapping[str, str] = NO_TEAMS,
) -> Iterator[tuple[int, int, int]]:
    """Yield the places of each two players and the cost of pairing them: teammates, rematch, difference and chance in
    one number. The minimum of the sums is unique but for a chance of about one in a trillion, so that any correct
    solver finds the same pairs (E23).
    """
    places = {player: place for place, player in enumerate(players)}
    avoided = _avoided(met, teams)
    for one, other, chance in draw.pair_weights(round_number, players):
        difference = (points[one] - points[other]) ** 2
        cost = (((avoided.get((one, other), 0) << _DIFFERENCE_BITS) + difference) << _CHANCE_BITS) + chance
        place, other_place = places[one], places[other]
        yield (place, other_place, cost) if place < other_place else (other_place, place, cost)


def cheapest_matching(costs: Sequence[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """Return the pairs of places that leave nobody over where that is possible, at the smallest sum of costs."""
    import rustworkx  # lazy: rare

    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(1 + max((other for _one, other, _cost in costs), default=-1)))
    graph.add_edges_from(costs)
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=neg)


def _pairing(
    draw: Draw,
    round_number: int,
    points: Mapping[str, int],
    met: Mapping[frozenset[str], int],
    teams: Mapping[str, str],
    bye: str,
) -> Pairing:
    players = sorted((player for player in points if player != bye), key=lambda player: (-points[player], player))
    found = cheapest_matching(list(pair_costs(draw, round_number, points, met, players, teams)))
    places = sorted((min(pair), max(pair)) for pair in found)
    pairs = tuple((players[one], players[other]) for one, other in places)
    return Pairing(
        pairs=pairs, bye=bye, rematches=tuple(pair for pair in pairs if met[frozenset(pair)]),
        teammates=sum(one in teams and teams[one] == teams.get(other) for one, other in pairs),
    )  # fmt: skip

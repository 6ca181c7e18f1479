"""Propose the pairings of a round, and change a draft of them. Pure functions on the keys of Registers."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from rules.core.values import KeywordValue
from rules.tournaments.draws import BITS, Act, Draw
from rules.tournaments.pairing import cheapest_matching

#: Blue and Red of a battle; Red is empty for a bye.
Pair = tuple[str, str]
BYE = ""

#: Bits of each part of a pair's cost, the least important first. Each part is wide enough for the sum over all pairs
#: of 200 Registers, so that no sum reaches the next part; all together fit the matching's 127 bits.
_CHANCE, _DIFFERENCE, _REPEATED, _DAYS, _MET, _MATES, _ONE_PLAYER, _BYES = 40, 33, 8, 7, 11, 8, 8, 12
#: A larger difference of points, and more meetings, count as these.
_MOST_DIFFERENT, _MOST_MET, _MOST_BYES = 8000, 15, 30
#: Whether Registers of one team meet: as rarely as possible, as it happens, or as often as possible.
APART, ANY, TOGETHER = "apart", "any", "together"
ALL_DAYS = frozenset(range(7))
#: The rank of a second battle for a system is worse by this, so that every system has one first.
LATER = 1000


class Entrant(KeywordValue):
    """A Register that takes part in a round, by its `key`. `points` are compared: Combat Potential, or the record.
    `byes` is how often it had a bye, `player` whose it is, `team` its team (empty: none), and `days` the weekdays (0 is
    Monday) on which its player can play.
    """

    key: str
    points: int = 0
    byes: int = 0
    player: str = ""
    team: str = ""
    days: frozenset[int] = ALL_DAYS


def propose(
    draw: Draw,
    number: int,
    entrants: Sequence[Entrant],
    met: Mapping[frozenset[str], int],
    avoid: Collection[frozenset[str]] = (),
    mates: str = APART,
) -> list[Pair]:
    """Return the pairs of a round, those with more points first, and the bye last.

    If the number is odd, one of those with the fewest byes has the bye. Then the proposal has as few pairs of one
    player's own Registers as possible, then the fewest pairs of teammates (the most if `mates` is TOGETHER), the fewest
    meetings before (`met`), the fewest pairs without a day on which both can play, the fewest pairs to `avoid`, and the
    smallest squared differences of points. The seed of `draw` decides between equal ones, so the same values give the
    same proposal.
    """
    listed = sorted(entrants, key=lambda each: (-each.points, each.key))
    by_place: list[Entrant | None] = [*listed, *([None] if len(listed) % 2 else [])]
    costs = [
        (place, at, _cost(draw, number, (one, other), met, avoid, mates))
        for (place, one), (at, other) in combinations(enumerate(by_place), 2)
    ]
    if not costs:
        return []
    places = sorted((min(pair), max(pair)) for pair in cheapest_matching(costs))
    pairs = [(_key(by_place[one]), _key(by_place[other])) for one, other in places]
    return sorted(pairs, key=lambda pair: pair[1] == BYE)


def _cost(
    draw: Draw,
    number: int,
    pair: tuple[Entrant | None, Entrant | None],
    met: Mapping[frozenset[str], int],
    avoid: Collection[frozenset[str]],
    mates: str,
) -> int:
    one, other = pair
    keys = frozenset((_key(one), _key(other)))
    chance = draw.pair_weight(number, _key(one), _key(other)) >> (BITS - (_CHANCE - _REPEATED))
    byes = one_player = in_teams = meetings = no_day = difference = 0
    if one and other:
        one_player = bool(one.player) and one.player == other.player
        in_teams = mates != ANY and (bool(one.team) and one.team == other.team) == (mates == APART)
        meetings = min(met.get(keys, 0), _MOST_MET)
        no_day = not one.days & other.days
        difference = min(abs(one.points - other.points), _MOST_DIFFERENT) ** 2
    elif one:
        byes = min(one.byes, _MOST_BYES)
    cost = 0
    for value, bits in (
        (byes, _BYES), (one_player, _ONE_PLAYER), (in_teams, _MATES), (meetings, _MET), (no_day, _DAYS),
        (keys in avoid, _REPEATED), (difference, _DIFFERENCE), (chance, _CHANCE),
    ):  # fmt: skip
        cost = (cost << bits) + value
    return cost


def _key(entrant: Entrant | None) -> str:
    return entrant.key if entrant else BYE


def assign(draw: Draw, number: int, ranks: Sequence[Mapping[str, int]]) -> list[str]:
    """Return a system for each pair, by key. `ranks` has for each pair how far each system is from what it should fight
    for, 0 being best. A system has two battles only where there are more pairs than systems. The seed of `draw` decides
    between equal ones.
    """
    systems = sorted({key for each in ranks for key in each})
    rounds = -(-len(ranks) // len(systems)) if systems else 0
    places = [(key, turn) for turn in range(rounds) for key in systems]
    costs = [
        (
            pair,
            len(ranks) + place,
            ((rank[key] + turn * LATER) << BITS) + draw.number(Act.TICKET, number, str(pair), key),
        )
        for pair, rank in enumerate(ranks)
        for place, (key, turn) in enumerate(places)
    ]
    found = {min(pair): places[max(pair) - len(ranks)][0] for pair in cheapest_matching(costs)}
    return [found.get(pair, "") for pair in range(len(ranks))]


def colored(pair: Pair, *, blue: Mapping[str, int], must: Collection[str], draw: Draw, number: int) -> Pair:
    """Return a pair with Blue first: who must play its Turning Point Mission (R22), else who was Blue less often.
    `blue` counts how often each Register was Blue, `must` are those that have to play their Turning Point Mission.
    """
    if BYE in pair:
        return max(pair), BYE
    one, other = sorted(
        pair, key=lambda key: (key not in must, blue.get(key, 0), draw.number(Act.TICKET, number, key), key)
    )
    return one, other


def places_of(pairs: Sequence[Pair], key: str) -> tuple[int, str] | None:
    """Return the index of the pair that a Register is in, and its opponent (empty for a bye), or None."""
    for index, (blue, red) in enumerate(pairs):
        if key in (blue, red):
            return index, red if key == blue else blue
    return None


def swapped(pairs: Sequence[Pair], one: str, other: str) -> list[Pair]:
    """Return a draft in which two Registers have changed places. Two opponents change colors. Two that have no opponent
    meet. One that was left out takes the other's place.
    """
    places = [places_of(pairs, key) for key in (one, other)]
    if not any(place and place[1] for place in places):
        return [*(pair for pair in pairs if one not in pair and other not in pair), (one, other)]
    exchange = {one: other, other: one}
    return [(exchange.get(blue, blue), exchange.get(red, red)) for blue, red in pairs]


def added(pairs: Sequence[Pair], key: str) -> list[Pair]:
    """Return a draft with one more Register: it meets the one that has a bye, or else has the bye itself."""
    if places_of(pairs, key):
        return list(pairs)
    free = next((blue for blue, red in pairs if red == BYE), "")
    return [*(pair for pair in pairs if pair != (free, BYE)), (free, key) if free else (key, BYE)]


def without(pairs: Sequence[Pair], key: str) -> list[Pair]:
    """Return a draft without a Register. Its opponent meets the one that has a bye, or else has the bye."""
    if (place := places_of(pairs, key)) is None:
        return list(pairs)
    rest = [pair for pair in pairs if key not in pair]
    return added(rest, place[1]) if place[1] else rest

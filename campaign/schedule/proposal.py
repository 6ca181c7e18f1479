"""Propose the pairings of a round, and change a draft of them. Pure functions on the keys of Registers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.tournaments.draws import BITS, Act, Draw
from rules.tournaments.pairing import cheapest_matching

#: Blue and Red of a battle; Red is empty for a bye.
Pair = tuple[str, str]
BYE = ""

#: Bits of each part of a pair's cost, the least important first. Each part is wide enough for the sum over all pairs
#: of 200 Registers, so that no sum reaches the next part; all together fit the matching's 127 bits.
_CHANCE, _DIFFERENCE, _REPEATED, _MET, _ONE_PLAYER, _BYES = 40, 33, 8, 11, 8, 12
#: A larger difference of points, and more meetings, count as these.
_MOST_DIFFERENT, _MOST_MET, _MOST_BYES = 8000, 15, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A Register that takes part in a round, by its `key`. `points` are compared: Combat Potential, or the record.
    `byes` is how often it had a bye, and `player` whose it is.
    """

    key: str
    points: int = 0
    byes: int = 0
    player: str = ""


def propose(
    draw: Draw,
    number: int,
    entrants: Sequence[Entrant],
    met: Mapping[frozenset[str], int],
    avoid: Collection[frozenset[str]] = (),
) -> list[Pair]:
    """Return the pairs of a round, those with more points first, and the bye last.

    If the number is odd, one of those with the fewest byes has the bye. Then the proposal has as few pairs of one
    player's own Registers as possible, then the fewest meetings before (`met`), then the fewest pairs to `avoid`, then
    the smallest squared differences of points. The seed of `draw` decides between equal ones, so the same values give
    the same proposal.
    """
    listed = sorted(entrants, key=lambda each: (-each.points, each.key))
    by_place: list[Entrant | None] = [*listed, *([None] if len(listed) % 2 else [])]
    costs = list(_costs(draw, number, by_place, met, avoid))
    if not costs:
        return []
    places = sorted((min(pair), max(pair)) for pair in cheapest_matching(costs))
    pairs = [(_key(by_place[one]), _key(by_place[other])) for one, other in places]
    return sorted(pairs, key=lambda pair: pair[1] == BYE)


def _costs(
    draw: Draw,
    number: int,
    by_place: Sequence[Entrant | None],
    met: Mapping[frozenset[str], int],
    avoid: Collection[frozenset[str]],
) -> Iterator[tuple[int, int, int]]:
    for place, one in enumerate(by_place):
        for other_place in range(place + 1, len(by_place)):
            yield place, other_place, _cost(draw, number, (one, by_place[other_place]), met, avoid)


def _cost(
    draw: Draw,
    number: int,
    pair: tuple[Entrant | None, Entrant | None],
    met: Mapping[frozenset[str], int],
    avoid: Collection[frozenset[str]],
) -> int:
    one, other = pair
    keys = frozenset((_key(one), _key(other)))
    chance = draw.pair_weight(number, _key(one), _key(other)) >> (BITS - (_CHANCE - _REPEATED))
    parts = [(0, _BYES), (0, _ONE_PLAYER), (0, _MET), (int(keys in avoid), _REPEATED), (0, _DIFFERENCE)]
    if one and other:
        difference = min(abs(one.points - other.points), _MOST_DIFFERENT)
        parts[1] = (int(bool(one.player) and one.player == other.player), _ONE_PLAYER)
        parts[2] = (min(met.get(keys, 0), _MOST_MET), _MET)
        parts[4] = (difference**2, _DIFFERENCE)
    elif one:
        parts[0] = (min(one.byes, _MOST_BYES), _BYES)
    cost = 0
    for value, bits in parts:
        cost = (cost << bits) + value
    return (cost << _CHANCE) + chance


def _key(entrant: Entrant | None) -> str:
    return entrant.key if entrant else BYE


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
    place = places_of(pairs, key)
    if place is None:
        return list(pairs)
    rest = [pair for pair in pairs if key not in pair]
    return added(rest, place[1]) if place[1] else rest

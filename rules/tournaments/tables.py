"""Tables of a round: nobody plays on the same table twice where that is possible (E22)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rules.tournaments.pairing import Pair, cheapest_matching
from rules.tournaments.rounds import PlayedRound

#: Weight of one repeated table against the distance of pairs from their usual tables.
_REPEATED = 1 << 32


def assign_tables(
    pairs: Sequence[Pair],
    rounds: Sequence[PlayedRound],
    fixed: Mapping[str, int],
    hall: int = 0,
    kept: Collection[int] = (),
) -> tuple[int, ...]:
    """Return a table number, from 1, for each pair in its order. `rounds` are all that were played before. A player in
    `fixed` has that table in each game; of two such players the first one has it. The other tables repeat for as few
    players as possible, and then stay near to the order of the pairs: the first pair has the first table. `hall` tables
    stand there (0: as many as are needed; further numbers follow where they do not suffice); those in `kept` stay free.
    """
    tables: dict[int, int] = {}
    for place, pair in enumerate(pairs):
        wanted = next((fixed[player] for player in pair if player in fixed), 0)
        if wanted and wanted not in tables.values():
            tables[place] = wanted
    free_pairs = [place for place in range(len(pairs)) if place not in tables]
    taken = {*tables.values(), *kept}
    last = max(hall, len(pairs) + len(taken))
    numbers = [number for number in range(1, last + 1) if number not in taken]
    free_tables = [number for place, number in enumerate(numbers) if place < len(free_pairs) or number <= hall]
    rows = {player: row for row, place in enumerate(free_pairs) for player in pairs[place]}
    repeated: Counter[tuple[int, int]] = Counter()
    for (player, number), times in tables_of_players(rounds).items():
        if player in rows:
            repeated[rows[player], number] += times
    usual = list(enumerate(free_tables[: len(free_pairs)]))
    found = {(row, len(free_pairs) + row) for row, _number in usual}
    if not repeated.keys().isdisjoint(usual):
        found = cheapest_matching(
            [
                (row, len(free_pairs) + column, repeated.get((row, number), 0) * _REPEATED + (row - column) ** 2)
                for row in range(len(free_pairs))
                for column, number in enumerate(free_tables)
            ]
        )
    for one, other in found:
        row, column = min(one, other), max(one, other) - len(free_pairs)
        tables[free_pairs[row]] = free_tables[column]
    return tuple(tables[place] for place in range(len(pairs)))


def tables_of_players(rounds: Sequence[PlayedRound]) -> Counter[tuple[str, int]]:
    """Return how often each player has played at each table."""
    return Counter((player, game.table) for each in rounds for game in each.games for player in game.players)

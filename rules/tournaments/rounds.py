"""What was played: the rounds of a stage with their games, byes and unpaired losses."""

from collections import Counter
from collections.abc import Iterable

from rules.core.values import KeywordValue, Value
from rules.tournaments.results import Result


class PlayedGame(Value):
    """A game of two players, known by their entries; without a result while it is open. `table` is its number, or 0."""

    players: tuple[str, str]
    result: Result | None = None
    table: int = 0

    @property
    def pair(self) -> frozenset[str]:
        """The two players in no order."""
        return frozenset(self.players)

    def opponent_of(self, player: str) -> str:
        """Return the other player."""
        return self.players[self.players[0] == player]


class PlayedRound(KeywordValue):
    """A round: its games, who had a bye, and whom an unpaired loss was given (late entry and rejoining, E21, E25)."""

    games: tuple[PlayedGame, ...] = ()
    byes: frozenset[str] = frozenset()
    unpaired_losses: frozenset[str] = frozenset()

    @property
    def players(self) -> frozenset[str]:
        """Everyone who took part in the round or was given an unpaired loss for it."""
        paired = frozenset(player for game in self.games for player in game.players)
        return paired | self.byes | self.unpaired_losses


def meetings(rounds: Iterable[PlayedRound]) -> Counter[frozenset[str]]:
    """Return how often each two players were paired in these rounds, also in games that are still open."""
    return Counter(game.pair for each in rounds for game in each.games)


def byes(rounds: Iterable[PlayedRound]) -> Counter[str]:
    """Return how many byes each player has had. A win by no-show or concession is not a bye (E19)."""
    return Counter(player for each in rounds for player in each.byes)

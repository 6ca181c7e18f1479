"""The cut and the single elimination bracket (E38–E43)."""

from collections.abc import Collection, Sequence

from rules.core.translation import gettext
from rules.core.values import Value
from rules.core.violations import refuse
from rules.tournaments.draws import Act, Draw
from rules.tournaments.results import Result


class BracketGame(Value):
    """A game of a bracket. An empty second player is a bye for the first; both are empty if both have dropped. `winner`
    is empty while the game is open, or if nobody was left to win it.
    """

    players: tuple[str, str]
    winner: str = ""

    @property
    def is_open(self) -> bool:
        """Whether two players have still to play it."""
        return all(self.players) and not self.winner


def cut_violation(size: int) -> str:
    """Return what is wrong with a cut to `size` players, or an empty text: it must be a power of two."""
    return gettext("A cut takes 2, 4, 8, 16, … players.") if size < 2 or size & (size - 1) else ""


def fitting_cuts(players: int) -> tuple[int, int]:
    """Return the largest cut that so many players fill, and the smallest one in which all of them have a place, the
    best with a bye (E38). Both are the same for a power of two.
    """
    return 1 << (players.bit_length() - 1), 1 << (players - 1).bit_length()


def seeds_after_cut(ranking: Sequence[str], active: Collection[str], size: int) -> list[str]:
    """Return who plays the bracket, the best seed first, by the Swiss ranking, best first (E38).

    Only active players advance. A player who has left before a bracket game is played is not in `active`, so everybody
    below moves up one seed and the next in the standings enters last. Where nobody is left to enter, the last seeds are
    empty, so that the best seeds have a bye. Refuses a cut that is no power of two.
    """
    if wrong := cut_violation(size):
        raise refuse("E38", wrong)
    advancing = [player for player in ranking if player in active][:size]
    return advancing + [""] * (size - len(advancing))


def bracket_order(size: int) -> list[int]:
    """Return the seeds, from 1, in the order of the first column of a bracket for a power of two (E39)."""
    order = [1]
    while len(order) < size:
        top = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, top - one)]
    return order


def seeded_games(seeds: Sequence[str]) -> tuple[BracketGame, ...]:
    """Return the first games of a bracket in page order, by seeds, best first (E39). An empty seed gives a bye."""
    column = [seeds[seed - 1] for seed in bracket_order(len(seeds))]
    return tuple(bracket_game(column[place], column[place + 1]) for place in range(0, len(column), 2))


def drawn_games(draw: Draw, players: Collection[str]) -> tuple[BracketGame, ...]:
    """Return the first games of an event that is elimination only, in their order on the page (E42). The byes of the
    first round (the next power of two less the players), the pairs and the numbers of the games are drawn. Refuses
    fewer than two players.
    """
    if len(players) < 2:
        raise refuse("E42", gettext("A bracket needs at least two players."))
    size = 1 << (len(players) - 1).bit_length()
    order = draw.order(Act.BRACKET_BYE, 0, players)
    byes, paired = order[: size - len(players)], order[size - len(players) :]
    games = [BracketGame((player, ""), player) for player in byes]
    games += [BracketGame((paired[place], paired[place + 1])) for place in range(0, len(paired), 2)]
    return numbered_games(draw, games)


def numbered_games(draw: Draw, games: Sequence[BracketGame]) -> tuple[BracketGame, ...]:
    """Return the first games of an event that is elimination only in their order on the page, numbered at random (E42).
    The winner of game 1 then meets the winner of the last game, as the regulations have it.
    """
    by_name = {game.players[0]: game for game in games}
    numbered = [by_name[name] for name in draw.order(Act.BRACKET_GAME, 0, by_name)]
    places = bracket_order(len(numbered))
    return tuple(numbered[number - 1] for number in places)


def decided_by(players: tuple[str, str], result: Result) -> str:
    """Return who advances by a result: the winner, or who won the priority roll of a drawn game (E40)."""
    return result.winner or (result.roll if result.roll in players else "")


def next_games(games: Sequence[BracketGame], active: Collection[str]) -> tuple[BracketGame, ...]:
    """Return the next column: neighbors meet, because the bracket is fixed (E39). A player who has dropped gives the
    next opponent a bye (E41). Refuses to go on while a game is open.
    """
    if any(game.is_open for game in games):
        raise refuse("E39", gettext("A game of this round has no result yet."))
    advancing = [game.winner if game.winner in active else "" for game in games]
    return tuple(bracket_game(advancing[place], advancing[place + 1]) for place in range(0, len(advancing) - 1, 2))


def bracket_game(one: str, other: str) -> BracketGame:
    """Return the game of two players; a player without an opponent has a bye and wins it (E41)."""
    if one and other:
        return BracketGame((one, other))
    alone = one or other
    return BracketGame((alone, ""), alone)


def places(columns: Sequence[Sequence[BracketGame]]) -> dict[str, str]:
    """Return the place of each player who is out or has won, by the columns so far: "1", "2", "3-4", "5-8" (E39). A
    player who has won a game and left before the next one loses that one (E41).
    """
    found: dict[str, str] = {}
    before: Sequence[BracketGame] = ()
    for column in columns:
        best, worst = len(column) + 1, 2 * len(column)
        place = str(best) if best == worst else f"{best}-{worst}"
        gone = [
            game.winner for game in before if game.winner and not any(game.winner in each.players for each in column)
        ]
        lost = [player for game in column if not game.is_open for player in game.players if player != game.winner]
        found.update((player, place) for player in gone + lost if player)
        before = column
    if len(before) == 1 and before[0].winner:
        found[before[0].winner] = "1"
    return found

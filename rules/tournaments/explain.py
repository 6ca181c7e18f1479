"""How the figures of one player came about: each round, each opponent, each fraction (E37)."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

from rules.core.values import KeywordValue
from rules.tournaments.results import Result, Score, bye_score, scores
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import EventRules
from rules.tournaments.standings import HALF, Standing, mean, standings


class Kind(StrEnum):
    """What a player did in a round."""

    GAME = "game"
    OPEN = "open"
    BYE = "bye"
    UNPAIRED_LOSS = "unpaired_loss"
    MISSED = "missed"


class RoundFigures(KeywordValue):
    """What one round was worth to a player. `number` counts the rounds from 1. `points` are event points. `margin` is
    the margin of victory as it counts: that of the game, or the mean of the player's other games if the round has none
    of its own, which `margin_is_mean` says (E32). `opponent` and `result` are empty except for games.
    """

    number: int
    kind: Kind
    opponent: str = ""
    result: Result | None = None
    points: int = 0
    defeated: int = 0
    tokens: int = 0
    margin: Fraction = Fraction(0)
    margin_is_mean: bool = False


class Explanation(KeywordValue):
    """The figures of a player and what they are made of.

    `rounds` are those that count. `opponents` are the standings of the opponents in the order of the games; somebody
    met twice is there twice (E35). `byes` are those that count as an opponent with 0, if the event has that option.
    `mean_margin` is the mean margin of the player's scored games, 50 % if there is none (E32).
    """

    standing: Standing
    rounds: tuple[RoundFigures, ...]
    opponents: tuple[Standing, ...]
    byes: int
    mean_margin: Fraction

    @property
    def margin_total(self) -> Fraction:
        """The sum of the margins of all rounds; divided by their number it is the average margin (E36)."""
        return sum((each.margin for each in self.rounds), Fraction(0))

    @property
    def has_mean_margins(self) -> bool:
        """Whether a round counts with the mean margin of the others."""
        return any(each.margin_is_mean for each in self.rounds)


def ratio(standing: Standing) -> Fraction:
    """Return a player's event points for each round played, 0 before the first: what an opponent is worth (E35)."""
    return Fraction(standing.points, standing.rounds) if standing.rounds else Fraction(0)


def explain(
    rules: EventRules,
    tickets: Mapping[str, int],
    rounds: Sequence[PlayedRound],
    player: str,
    ordered: Sequence[Standing] | None = None,
) -> Explanation:
    """Return how a player's figures came about; the arguments are those of `standings`. `ordered` are the standings if
    they are known. Raises KeyError for a player without a ticket.
    """
    found = {each.player: each for each in ordered or standings(rules, tickets, rounds)}
    own = found[player]
    scored = [margin for margin in own.margins if margin is not None]
    mean_margin = mean(scored) if scored else HALF
    return Explanation(
        standing=own,
        rounds=tuple(_round_figures(rules, rounds, player, mean_margin)),
        opponents=tuple(found[each] for each in own.opponents),
        byes=sum(player in each.byes for each in rounds) if rules.bye_is_opponent else 0,
        mean_margin=mean_margin,
    )


def _round_figures(
    rules: EventRules, rounds: Sequence[PlayedRound], player: str, mean_margin: Fraction
) -> Iterator[RoundFigures]:
    for number, each in enumerate(rounds, start=1):
        game = next((game for game in each.games if player in game.players), None)
        if game and game.result:
            score = scores(rules, game.players, game.result)[game.players.index(player)]
            found = _scored(number, Kind.GAME, score, mean_margin, game.opponent_of(player), game.result)
        elif game:
            found = RoundFigures(number=number, kind=Kind.OPEN, opponent=game.opponent_of(player))
        elif player in each.byes:
            found = _scored(number, Kind.BYE, bye_score(rules), mean_margin)
        else:
            lost = player in each.unpaired_losses
            found = RoundFigures(number=number, kind=Kind.UNPAIRED_LOSS if lost else Kind.MISSED)
        yield found


def _scored(
    number: int, kind: Kind, score: Score, mean_margin: Fraction, opponent: str = "", result: Result | None = None
) -> RoundFigures:
    return RoundFigures(
        number=number, kind=kind, opponent=opponent, result=result,
        points=score.points, defeated=score.defeated, tokens=score.tokens,
        margin=mean_margin if score.margin is None else score.margin, margin_is_mean=score.margin is None,
    )  # fmt: skip

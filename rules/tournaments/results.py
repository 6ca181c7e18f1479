"""Results of games: how one can end, who won it, and what it is worth to each player (E27–E30, E32)."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from rules.core.translation import gettext
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation
from rules.tournaments.rule_sets import DRAW, EventRules, RuleSet

#: Rounds of the Tournament Regulations after which an error stands (E31).
WINDOW = 2


class Ending(StrEnum):
    """How a game ended (E27)."""

    VICTORY = "victory"
    TIME = "time"
    DRAW = "draw"
    CONCEDED = "conceded"
    NO_SHOW = "no_show"
    ALL_DEFEATED = "all_defeated"
    BOTH_DEFEATED = "both_defeated"
    SIX_ROUNDS = "six_rounds"


#: The endings that each rule set knows (E27). A no-show stands for ejection, leaving and a game loss, too (E30, E32).
ENDINGS = {
    RuleSet.GALACTIC_CONQUEST: (Ending.VICTORY, Ending.TIME, Ending.DRAW, Ending.CONCEDED, Ending.NO_SHOW),
    RuleSet.TOURNAMENT_REGULATIONS: (
        Ending.ALL_DEFEATED, Ending.BOTH_DEFEATED, Ending.SIX_ROUNDS, Ending.TIME, Ending.CONCEDED, Ending.NO_SHOW,
    ),
}  # fmt: skip
#: Endings that one player causes: `Result.by` conceded or did not appear.
GIVEN_UP = (Ending.CONCEDED, Ending.NO_SHOW)
#: `Result.by` of a game of the Tournament Regulations for which neither player appeared: both lose (E32).
BOTH = "both"
#: Endings whose winner can have more points defeated than the other army is worth (E27, E30).
_AWARDED = (Ending.ALL_DEFEATED, *GIVEN_UP)


class Result(KeywordValue):
    """The result of a game as it was entered (E28).

    `winner` is one of the players, or empty for a draw. `points` are points defeated and `tokens` victory tokens, both
    in the order of the game's players. `by` conceded or did not appear, or is `BOTH`. `agreed` is a concession that
    both players agreed to score as if it were the last round (E32). `blue` is the blue player. `roll` won the priority
    roll of a drawn bracket game (E40).
    """

    how: Ending
    winner: str = ""
    points: tuple[int, int] = (0, 0)
    tokens: tuple[int, int] = (0, 0)
    by: str = ""
    agreed: bool = False
    blue: str = ""
    roll: str = ""


class Score(Value):
    """What a game is worth to one player: event points (E29), points defeated, victory tokens, and the margin of
    victory from 0 to 1; None is the mean of the player's other games (E32).
    """

    points: int
    defeated: int
    tokens: int
    margin: Fraction | None


def expected_winner(
    rules: EventRules, players: tuple[str, str], result: Result, armies: Mapping[str, int] | None = None
) -> str | None:
    """Return who must have won by E27, empty for a draw; None where the result alone does not decide it. `armies` are
    the army points of players, for a tie of Galactic Conquest on time; unknown ones leave it open.
    """
    if result.how == Ending.DRAW or result.by == BOTH:
        return ""
    if result.how in GIVEN_UP:
        return next(player for player in players if player != result.by) if result.by else None
    if result.how in (Ending.VICTORY, Ending.ALL_DEFEATED):
        return None
    if leader := _ahead(players, result.tokens):
        return leader
    if result.how != Ending.BOTH_DEFEATED and (leader := _ahead(players, result.points)):
        return leader
    if not rules.has_draws:
        return result.blue or None
    known = [(armies or {}).get(player) for player in players]
    if None in known:
        return None
    return _ahead(players, (known[0] or 0, known[1] or 0))


def _ahead(players: tuple[str, str], figures: tuple[int, int]) -> str:
    if figures[0] == figures[1]:
        return ""
    return players[0] if figures[0] > figures[1] else players[1]


def result_violations(
    rules: EventRules,
    players: tuple[str, str],
    result: Result,
    armies: Mapping[str, int] | None = None,
    *,
    in_bracket: bool = False,
) -> Iterator[Violation]:
    """Yield what cannot be in a result (E27, E28, E40). `armies` are the army points of players, if known."""
    if result.how not in ENDINGS[rules.rule_set]:
        yield Violation("E27", gettext("A game cannot end that way under these rules. Choose another ending."), "how")
        return
    if min(*result.points, *result.tokens) < 0:
        yield Violation("E28", gettext("Points and tokens cannot be negative."), "points")
    both = () if rules.has_draws or in_bracket else (BOTH,)
    if result.by in both and result.how != Ending.NO_SHOW:
        yield Violation("E32", gettext("Both is for a no-show."), "by")
        return
    for name in ("winner", "by", "blue", "roll"):
        if getattr(result, name) not in ("", *players, *(both if name == "by" else ())):
            yield Violation("E28", gettext("Choose one of the two players."), name)
    if result.how in GIVEN_UP and not result.by:
        yield Violation("E30", gettext("Say who conceded or did not appear."), "by")
        return
    yield from _points_violations(rules, players, result, armies or {})
    yield from _winner_violations(rules, players, result, armies)
    if in_bracket and not result.winner and result.how != Ending.NO_SHOW and not result.roll:
        yield Violation("E40", gettext("A bracket game needs a winner. Enter who won the priority roll."), "roll")


def _points_violations(
    rules: EventRules, players: tuple[str, str], result: Result, armies: Mapping[str, int]
) -> Iterator[Violation]:
    for player, opponent, points in zip(players, reversed(players), result.points, strict=True):
        most = armies.get(opponent, rules.army_size)
        if result.how == Ending.BOTH_DEFEATED or (result.how in _AWARDED and player == result.winner):
            most = max(most, rules.awarded_points if rules.has_draws else rules.army_size)
        if points > most:
            text = gettext("Enter at most {number}, the points of the opponent’s army.", number=most)
            yield Violation("E28", text, "points")


def _winner_violations(
    rules: EventRules, players: tuple[str, str], result: Result, armies: Mapping[str, int] | None
) -> Iterator[Violation]:
    expected = expected_winner(rules, players, result, armies)
    if expected is not None and result.winner != expected:
        if expected:
            text = gettext("By these figures the winner is {player}.", player=expected)
        elif result.by == BOTH:
            text = gettext("Neither player appeared, so nobody wins.")
        else:
            text = gettext("By these figures the game is a draw.")
        yield Violation("E27", text, "winner")
    elif expected is None and result.how in (Ending.VICTORY, Ending.ALL_DEFEATED):
        if not result.winner:
            yield Violation("E27", gettext("Choose the winner."), "winner")
    elif expected is None and not rules.has_draws:
        yield Violation("E27", gettext("The game is tied, so the blue player wins. Choose the blue player."), "blue")


def scores(rules: EventRules, players: tuple[str, str], result: Result) -> tuple[Score, Score]:
    """Return what a valid result is worth to the two players, in the order of the game (E29, E30, E32)."""
    first, second = (_score(rules, players, place, result) for place in (0, 1))
    return first, second


def _score(rules: EventRules, players: tuple[str, str], place: int, result: Result) -> Score:
    player, won = players[place], result.winner == players[place]
    points = rules.win if won else DRAW if not result.winner and rules.has_draws else 0
    defeated, tokens = result.points[place], result.tokens[place]
    if result.how == Ending.NO_SHOW:
        defeated, tokens = (rules.awarded_points if won and rules.has_draws else 0), 0
    elif result.how == Ending.CONCEDED and won:
        defeated = max(rules.awarded_points, defeated) if rules.has_draws else rules.army_size
    elif result.how == Ending.BOTH_DEFEATED or (result.how == Ending.ALL_DEFEATED and won):
        defeated = rules.army_size
    return Score(points, defeated, tokens, _margin(result, player, place))


def _margin(result: Result, player: str, place: int) -> Fraction | None:
    if result.how == Ending.ALL_DEFEATED:
        return Fraction(result.winner == player)
    if result.how in GIVEN_UP and not (result.how == Ending.CONCEDED and result.agreed):
        return Fraction(0) if result.by in (player, BOTH) else None
    own, other = result.tokens[place], result.tokens[1 - place]
    return Fraction(1, 2) if own == other else Fraction(own, own + other)


def bye_score(rules: EventRules) -> Score:
    """Return what a bye is worth: a win (E20)."""
    return Score(rules.win, *((rules.awarded_points, rules.bye_tokens) if rules.has_draws else (0, 0)), None)


def is_correctable(rule_set: RuleSet, round_number: int, last_closed_round: int) -> bool:
    """Return whether a result of a round can be corrected without an organizer's override (E31). In the Tournament
    Regulations until the results of the second round after it are closed. Galactic Conquest sets no limit.
    """
    return rule_set == RuleSet.GALACTIC_CONQUEST or last_closed_round < round_number + WINDOW

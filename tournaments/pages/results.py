"""The result of a game in words, and what a correction of it changes in the standings (E27, E28, E31)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.standings import figures_compared, standings
from tournaments.models import Entry, Game, Round
from tournaments.queries.history import history_of
from tournaments.queries.results import ENDING_NAMES


@dataclass(frozen=True, slots=True)
class SideWords:
    """One player of a result: points defeated, victory tokens, and whether they won, were blue, gave up or won the
    priority roll.
    """

    entry: Entry
    points: int
    tokens: int
    won: bool
    is_blue: bool
    gave_up: bool
    won_roll: bool


@dataclass(frozen=True, slots=True)
class ResultWords:
    """A result: how the game ended, and its two players, the reader first."""

    how: str
    sides: tuple[SideWords, SideWords]
    agreed: bool

    @property
    def winner(self) -> Entry | None:
        """Return who won, None for a draw."""
        return next((side.entry for side in self.sides if side.won), None)


def result_words(game: Game, reader: Entry | None = None) -> ResultWords | None:
    """Return the result of a game of two entries as it was entered, the `reader` first; None if there is none."""
    if not game.how:
        return None
    first, second = game.pair
    one = _side(game, first, game.first_points, game.first_tokens)
    other = _side(game, second, game.second_points, game.second_tokens)
    sides = (other, one) if reader is not None and reader.pk == second.pk else (one, other)
    return ResultWords(str(ENDING_NAMES[Ending(game.how)]), sides, game.agreed)


def _side(game: Game, entry: Entry, points: int, tokens: int) -> SideWords:
    return SideWords(
        entry, points, tokens, won=game.winner_id == entry.pk, is_blue=game.blue_id == entry.pk,
        gave_up=game.by_id == entry.pk, won_roll=game.roll_id == entry.pk,
    )  # fmt: skip


def result_sentence(game: Game) -> str:
    """Return the result of a game in one sentence, with the figures of the first player first; empty without one."""
    if not game.how:
        return ""
    first, second = game.pair
    places = {
        "how": _ENDINGS[Ending(game.how)](), "first": first.name, "second": second.name,
        "points": f"{game.first_points}–{game.second_points}", "tokens": f"{game.first_tokens}–{game.second_tokens}",
    }  # fmt: skip
    winner = first if game.winner_id == first.pk else second if game.winner_id == second.pk else None
    if winner is None:
        return gettext("Draw (%(how)s): points defeated %(points)s, victory tokens %(tokens)s.") % places
    return gettext(
        "%(winner)s won (%(how)s). %(first)s – %(second)s: points defeated %(points)s, victory tokens %(tokens)s."
    ) % {"winner": winner.name, **places}


_ENDINGS: dict[Ending, Callable[[], str]] = {
    Ending.VICTORY: lambda: gettext("victory"),
    Ending.TIME: lambda: gettext("time"),
    Ending.DRAW: lambda: gettext("draw"),
    Ending.CONCEDED: lambda: gettext("concession"),
    Ending.NO_SHOW: lambda: gettext("no-show"),
    Ending.ALL_DEFEATED: lambda: gettext("all units defeated"),
    Ending.BOTH_DEFEATED: lambda: gettext("both defeated"),
    Ending.SIX_ROUNDS: lambda: gettext("six rounds"),
}


def changed_standings(game: Game, result: Result) -> list[dict[str, Any]]:
    """Return whose standing a corrected result changes, in the new order, with the two players of the game (who are
    `concerned`) in any case.

    Nothing changes by a bracket game (E35), or while the round is not closed.
    """
    history = history_of(game.round.event)
    closed = [each for each in history.of_stage(Round.Stage.SWISS) if each.state == Round.State.CLOSED]
    numbers = [each.number for each in closed]
    if game.round.number not in numbers:
        return []
    rounds, index = history.swiss(), numbers.index(game.round.number)
    rounds[index] = _corrected(rounds[index], game, result)
    before = {each.player: each for each in history.standings()}
    rules, players = history.event.rules, {entry.key for entry in game.pair}
    return [
        {
            "entry": history.entries[after.player], "before": before[after.player], "after": after,
            "concerned": after.player in players,
        }
        for after in standings(rules, history.tickets, rounds)
        if after.player in players
        or after.rank != before[after.player].rank
        or figures_compared(rules, after) != figures_compared(rules, before[after.player])
    ]  # fmt: skip


def _corrected(played: PlayedRound, game: Game, result: Result) -> PlayedRound:
    pair = frozenset(entry.key for entry in game.pair)
    return replace(
        played, games=tuple(replace(each, result=result) if each.pair == pair else each for each in played.games)
    )

"""What the correction of a result changes in the standings, before it is saved (E31)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.tournaments.results import Result
from rules.tournaments.rounds import Round as PlayedRound
from rules.tournaments.standings import Standing, figures_compared, standings
from tournaments.models import Entry, Game, Round
from tournaments.queries.history import history_of


@dataclass(frozen=True, slots=True)
class ChangedStanding:
    """A player's standing before and after a correction. `concerned` are the two players of the game."""

    entry: Entry
    before: Standing
    after: Standing
    concerned: bool


def changed_standings(game: Game, result: Result) -> list[ChangedStanding]:
    """Return whose standing a corrected result changes, in the new order, with the two players of the game in any case.

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
    tickets = {key: entry.ticket for key, entry in history.entries.items() if entry.ticket is not None}
    rules, players = history.event.rules, {entry.key for entry in game.pair}
    return [
        ChangedStanding(history.entries[after.player], before[after.player], after, after.player in players)
        for after in standings(rules, tickets, rounds)
        if after.player in players
        or after.rank != before[after.player].rank
        or figures_compared(rules, after) != figures_compared(rules, before[after.player])
    ]


def _corrected(played: PlayedRound, game: Game, result: Result) -> PlayedRound:
    pair = frozenset(entry.key for entry in game.pair)
    return replace(
        played, games=tuple(replace(each, result=result) if each.pair == pair else each for each in played.games)
    )

"""The result of a game in words, and what a correction of it changes in the standings (E27, E28, E31)."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from rules.core.values import KeywordValue
from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import EventRules
from rules.tournaments.standings import figures_compared, standings
from tournaments.models import Entry, Game, Round
from tournaments.queries.history import history_of
from tournaments.queries.results import ENDING_NAMES, counted_figures


class Side(KeywordValue):
    """A player of a game; in a bracket also where one will come from (`waits_for`, with `number` 0), and the `seed`, 0
    without one. The figures are None without a result, and where a no-show counts none (E32). `color` is "blue", "red"
    or empty, and `gave_up` says that the player conceded or did not appear. Who won the priority roll of a drawn
    bracket game has `won`, too (E40).
    """

    number: int = 0
    name: str = ""
    won: bool = False
    lost: bool = False
    points: int | None = None
    tokens: int | None = None
    color: str = ""
    gave_up: bool = False
    won_roll: bool = False
    seed: int = 0
    waits_for: str = ""


def side_of(game: Game, entry: Entry, rules: EventRules, *, has_result: bool, seed: int = 0) -> Side:
    """Return a player of a game of two entries: only number and name before a result. The figures are those that count
    by the rules of the event (E30).
    """
    who: dict[str, Any] = {"number": entry.number, "name": entry.name, "seed": seed}
    if not has_result:
        return Side(**who)
    place, advances = int(game.first_id != entry.pk), game.winner_id or game.roll_id
    points, tokens = counted_figures(rules, game)
    nobody_came = game.how == Ending.NO_SHOW and game.by_id is None
    has_figures = game.how != Ending.NO_SHOW or any(points)
    return Side(
        **who, won=advances == entry.pk, lost=advances not in (None, entry.pk) or nobody_came,
        gave_up=nobody_came or game.by_id == entry.pk,
        points=points[place] if has_figures else None, tokens=tokens[place] if has_figures else None,
        color=("blue" if game.blue_id == entry.pk else "red") if game.blue_id else "",
        won_roll=game.roll_id == entry.pk,
    )  # fmt: skip


def result_words(game: Game, reader: Entry | None = None) -> dict[str, Any] | None:
    """Return the result of a game of two entries: `how` it ended, its `sides` (the `reader` first) with the figures
    that count, its `winner` (None for a draw), and whether a concession was `agreed`; None without a result.
    """
    if not game.how:
        return None
    sides = [side_of(game, entry, game.round.event.rules, has_result=True) for entry in game.pair]
    if reader is not None and reader.pk == game.second_id:
        sides.reverse()
    return {"how": ENDING_NAMES[Ending(game.how)], "sides": sides, "winner": _winner(game), "agreed": game.agreed}


def result_sentence(game: Game) -> str:
    """Return the result of a game in one sentence, with the figures of the first player first; empty without one."""
    if not game.how:
        return ""
    (first, second), (points, tokens) = game.pair, counted_figures(game.round.event.rules, game)
    places = {
        "how": ENDING_NAMES[Ending(game.how)], "first": first.name, "second": second.name,
        "points": "{}–{}".format(*points), "tokens": "{}–{}".format(*tokens),
    }  # fmt: skip
    if game.how == Ending.NO_SHOW and game.by_id is None:
        return gettext("Neither %(first)s nor %(second)s appeared.") % places
    if (winner := _winner(game)) is None:
        return gettext("Draw (%(how)s): points defeated %(points)s, victory tokens %(tokens)s.") % places
    return gettext(
        "%(winner)s won (%(how)s). %(first)s – %(second)s: points defeated %(points)s, victory tokens %(tokens)s."
    ) % {"winner": winner.name, **places}


def _winner(game: Game) -> Entry | None:
    return next((entry for entry in game.pair if entry.pk == game.winner_id), None)


def changed_standings(game: Game, result: Result) -> list[dict[str, Any]]:
    """Return whose standing a corrected result changes, in the new order, with the two players of the game (who are
    `concerned`) in any case. Nothing changes by a bracket game (E35), or while the round is not closed.
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

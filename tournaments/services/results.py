"""Results of games: enter, correct (E27–E31)."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from members.roles import is_organizer
from rules.core.translation import gettext
from rules.core.violations import raise_if_any, refuse
from rules.tournaments.bracket import decided_by
from rules.tournaments.corrections import is_correctable
from rules.tournaments.results import Result, result_violations
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.queries.history import History, army_points, history_of, result_of
from tournaments.services.impartial import check_impartial
from tournaments.services.locks import lock_led
from tournaments.services.log import record
from tournaments.services.rounds import redraw


@transaction.atomic
def enter_result(*, actor: User, game: Game, result: Result, version: int | None = None) -> Game:
    """Enter the result of a game as a leader: it is confirmed at once (E28). Entering the same one again changes
    nothing, also once the round is closed. The log says so if a leader decides a dispute, replaces a result, or enters
    that of their own game because no other leader can (E2).

    `version` is the `Game.version` that the leader saw. Refuses a result that cannot be (E27, E28, E30, E40), a bye, a
    game that was changed since, one that another leader rules (E2), and a round that is not published; a closed one
    needs a correction (E31).
    """
    locked = lock_led(actor, game.round.event)
    game = _game(game)
    if _is_entered(game, result):
        return game
    check_impartial(actor, locked, (game.first, game.second))
    if game.round.state == Round.State.CLOSED:
        text = gettext("Round {number} is closed. Correct the result instead.", number=game.round.number)
        raise refuse("E31", text)
    if game.round.state != Round.State.PUBLISHED:
        raise refuse("E28", gettext("This round is not under way."))
    if version is not None and version != game.version:
        raise refuse("E28", gettext("Somebody has entered another result. Check it, then save again."))
    _check(game, result)
    before, was = _as_facts(game), game.state
    _store(game, result)
    is_own = actor.pk in {entry.user_id for entry in game.pair}
    if is_own or was == Game.State.DISPUTED or (was != Game.State.OPEN and before != _as_facts(game)):
        _record(actor, locked, LogKind.DECIDED, game, before)
    return game


@transaction.atomic
def correct_result(*, actor: User, game: Game, result: Result, reason: str = "") -> Game:
    """Correct the result of a closed round; the log says what changed (E31). In a round under way the result is simply
    entered. The same result again changes nothing.

    Without a `reason` only inside the correction window, with one at any time, as an organizer's override. Pairings
    that are published stay: a bracket game can only be given to the other player before its winner was paired again. A
    draft that follows is drawn again from the new result. Refuses a result that cannot be.
    """
    locked = lock_led(actor, game.round.event)
    game = _game(game)
    if _is_entered(game, result):
        return game
    if game.round.state != Round.State.CLOSED:
        return enter_result(actor=actor, game=game, result=result)
    check_impartial(actor, locked, (game.first, game.second))
    history = history_of(locked)
    if not is_correctable(RuleSet(locked.rule_set), game.round.number, history.last_closed):
        _check_override(actor, locked, history.last_closed, reason)
    _check(game, result)
    in_bracket = game.round.stage == Round.Stage.BRACKET
    first, second = game.pair
    pair = (first.key, second.key)
    advances_again = in_bracket and decided_by(pair, result_of(game)) == decided_by(pair, result)
    if in_bracket and not advances_again:
        _check_not_paired_again(history, game)
    before = _as_facts(game)
    _store(game, result)
    _record(actor, locked, LogKind.CORRECTED, game, before, reason)
    if not advances_again:
        redraw(actor=actor, event=locked)
    return game


def _check_override(actor: User, event: Event, last_closed: int, reason: str) -> None:
    if not reason.strip():
        text = gettext("This result stands since round {number}. An override needs a reason.", number=last_closed)
        raise refuse("E31", text, "reason")
    if not is_organizer(actor, event):
        raise refuse("E31", gettext("This result stands. Only an organizer can override it."))


def _check_not_paired_again(history: History, game: Game) -> None:
    """Refuse another winner of a bracket game once its winner was paired again: that pairing stays (E31)."""
    for later in history.rounds:
        if later.number > game.round.number and later.state != Round.State.DRAFT:
            text = gettext(
                "Round {number} is already paired with the winner of this game, and that pairing stays. Correct only "
                "the figures, or undo the publishing of round {number} before it starts.",
                number=later.number,
            )  # fmt: skip
            raise refuse("E31", text, "winner")


def _game(game: Game) -> Game:
    return Game.objects.select_related("round__event", "first", "second").get(pk=game.pk)


def _check(game: Game, result: Result) -> None:
    if not game.first or not game.second:
        raise refuse("E20", gettext("A bye has no result to enter."))
    first, second = game.pair
    in_bracket = game.round.stage == Round.Stage.BRACKET
    armies = army_points(game.pair)
    raise_if_any(
        result_violations(game.round.event.rules, (first.key, second.key), result, armies, in_bracket=in_bracket)
    )


def _store(game: Game, result: Result) -> None:
    entries: dict[str, Entry | None] = {entry.key: entry for entry in game.pair}
    game.how, game.agreed = result.how, result.agreed
    game.winner, game.by = entries.get(result.winner), entries.get(result.by)
    game.blue, game.roll = entries.get(result.blue), entries.get(result.roll)
    game.first_points, game.second_points = result.points
    game.first_tokens, game.second_tokens = result.tokens
    game.state, game.reported_by, game.dispute = Game.State.CONFIRMED, None, ""
    game.version += 1
    game.save()


def _is_entered(game: Game, result: Result) -> bool:
    return game.state == Game.State.CONFIRMED and game.second is not None and result_of(game) == result


def _record(
    actor: User, event: Event, kind: LogKind, game: Game, before: Mapping[str, object], reason: str = ""
) -> None:
    number, place = game.round.number, game.place
    after = _as_facts(game)
    record(actor=actor, event=event, kind=kind, reason=reason, round=number, game=place, before=before, after=after)


def _as_facts(game: Game) -> dict[str, object]:
    numbers = {entry.pk: entry.number for entry in (game.first, game.second) if entry}
    return {
        "how": game.how, "players": list(numbers.values()),
        "winner": numbers.get(game.winner_id or 0), "by": numbers.get(game.by_id or 0),
        "blue": numbers.get(game.blue_id or 0), "roll": numbers.get(game.roll_id or 0), "agreed": game.agreed,
        "points": [game.first_points, game.second_points], "tokens": [game.first_tokens, game.second_tokens],
    }  # fmt: skip

"""Results of games: enter, correct (E27–E31)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import raise_if_any, refuse
from rules.tournaments.corrections import is_correctable
from rules.tournaments.results import Result, result_violations
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Game, LogKind, Round
from tournaments.queries.history import army_points, history_of
from tournaments.services.locks import lock_led
from tournaments.services.log import record


@transaction.atomic
def enter_result(*, actor: User, game: Game, result: Result) -> Game:
    """Enter the result of a game as a leader: it is confirmed at once (E28). Entering the same one again changes
    nothing. Refuses a result that cannot be (E27, E28, E30, E40), a bye, and a round that is not published.
    """
    lock_led(actor, game.round.event)
    game = _game(game)
    if game.round.state != Round.State.PUBLISHED:
        raise refuse("E28", gettext("This round is not under way."))
    _check(game, result)
    _store(game, result)
    return game


@transaction.atomic
def correct_result(*, actor: User, game: Game, result: Result, reason: str = "") -> Game:
    """Correct the result of a closed round; the log says what changed (E31). Without a `reason` only inside the
    correction window, with one at any time, as the organizer's override. Refuses a result that cannot be.
    """
    locked = lock_led(actor, game.round.event)
    game = _game(game)
    last = history_of(locked).last_closed
    if not reason and not is_correctable(RuleSet(locked.rule_set), game.round.number, last):
        raise refuse(
            "E31", gettext("This result stands since round {number}. An override needs a reason.", number=last)
        )
    _check(game, result)
    before = _as_facts(game)
    _store(game, result)
    record(
        actor=actor, event=locked, kind=LogKind.CORRECTED, reason=reason,
        round=game.round.number, game=game.place, before=before, after=_as_facts(game),
    )  # fmt: skip
    return game


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


def _as_facts(game: Game) -> dict[str, object]:
    """Return a whole result, so that a draw made before a correction can still be proved (E23)."""
    numbers = {entry.pk: entry.number for entry in game.pair}
    return {
        "how": game.how,
        **{name: numbers.get(getattr(game, f"{name}_id")) for name in ("winner", "by", "blue", "roll")},
        "agreed": game.agreed,
        "points": [game.first_points, game.second_points],
        "tokens": [game.first_tokens, game.second_tokens],
    }

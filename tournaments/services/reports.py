"""Results reported by players: report, confirm, dispute (E28). Leaders enter them with `services.results`."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from members.models import Role
from rules.core.translation import gettext
from rules.core.violations import refuse
from rules.tournaments.results import Result
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.queries.history import result_of
from tournaments.queries.leaders import role_word
from tournaments.services.impartial import check_impartial
from tournaments.services.locks import lock_event, lock_led
from tournaments.services.log import record
from tournaments.services.results import _as_facts, _check, _store


@transaction.atomic
def report_result(
    *, actor: User | None, entry: Entry, game: Game, result: Result, version: int, mission: str = "", phase: str = ""
) -> Game:
    """Report the result of a game as one of its two players, and return the game (E28).

    The other player confirms it. If both report at the same time, two equal results are confirmed, and two different
    ones are disputed: the first stays, and a judge decides. Players may change their own report until it is confirmed.
    `version` is that of the game when the form was drawn. Reporting the same again changes nothing. Refuses players of
    other games, a game that is disputed or confirmed with another result, a round that is not under way, an old form
    for a report of one's own, and a result that cannot be (E27, E28, E30, E40).
    """
    event, game = _locked(game)
    _check_plays(entry, game)
    if game.how and result_of(game) == result:
        return _agree(entry, game)
    _check_open(event, game)
    _check(game, result)
    if game.state == Game.State.REPORTED and game.reported_by_id != entry.pk:
        return _disagree(actor, entry, game, event, _in_words(game, result))
    if game.version != version:
        raise refuse("E28", gettext("This result was changed a moment ago. Check it again."))
    _store(game, result)
    game.state, game.reported_by, game.reported_at = Game.State.REPORTED, entry, timezone.now()
    game.mission, game.phase = mission, phase
    game.save(update_fields=["state", "reported_by", "reported_at", "mission", "phase"])
    return game


@transaction.atomic
def confirm_result(*, actor: User | None, game: Game, version: int, entry: Entry | None = None) -> Game:
    """Confirm a reported result: as the other player with their `entry`, or as a leader, for example if the opponent
    has no phone (E28). A leader's confirmation stands in the log. Confirming again changes nothing. Refuses the player
    who reported it, a leader who plays this game (E2), a report that was changed since, and a disputed result.
    """
    event, game = _locked(game)
    if entry is not None:
        _check_plays(entry, game)
    elif actor is not None:
        lock_led(actor, event)
        check_impartial(actor, event, (game.first, game.second))
    else:
        raise refuse("E28", gettext("Only the opponent or a leader confirms this result."))
    if game.state == Game.State.CONFIRMED:
        return game
    if game.state == Game.State.OPEN:
        raise refuse("E28", gettext("No result has been reported yet. Report it."))
    if game.state == Game.State.DISPUTED:
        raise refuse("E28", gettext("This result is disputed. A {judge} decides it.", judge=_judge(event)))
    if entry is not None and game.reported_by_id == entry.pk:
        raise refuse("E28", gettext("Your opponent confirms this result, or a leader."))
    if game.version != version:
        raise refuse("E28", gettext("This result was changed a moment ago. Check it again."))
    _confirm(game)
    if entry is None:
        facts: dict[str, Any] = {
            **_as_facts(game),
            "round": game.round.number,
            "table": game.table,
            "players": _numbers(game),
        }
        record(actor=actor, event=event, kind=LogKind.DECIDED, **facts)
    return game


@transaction.atomic
def dispute_result(*, actor: User | None, entry: Entry, game: Game, version: int, text: str) -> Game:
    """Dispute the opponent's report; a judge decides (E28). `text` says what is wrong with it, and only leaders read
    it. Disputing again changes nothing. Refuses a dispute without a text, of one's own report, of an old report, and
    of a confirmed result.
    """
    event, game = _locked(game)
    _check_plays(entry, game)
    if game.state == Game.State.DISPUTED:
        return game
    _check_open(event, game)
    if game.state == Game.State.OPEN:
        raise refuse("E28", gettext("No result has been reported yet. Report it."))
    if game.reported_by_id == entry.pk:
        raise refuse("E28", gettext("You reported this result. Change your report."))
    if game.version != version:
        raise refuse("E28", gettext("This result was changed a moment ago. Check it again."))
    if not text.strip():
        raise refuse("E28", gettext("Say what is wrong with the result."), "text")
    return _disagree(actor, entry, game, event, text.strip())


def _judge(event: Event) -> str:
    return role_word(event.rule_set, Role.JUDGE)


def _locked(game: Game) -> tuple[Event, Game]:
    """Lock the event of a game, and return both as they are now."""
    event = lock_event(game.round.event)
    game = Game.objects.select_related("round", "first", "second", "winner", "by", "blue", "roll").get(pk=game.pk)
    game.round.event = event
    return event, game


def _check_plays(entry: Entry, game: Game) -> None:
    if entry.pk not in (game.first_id, game.second_id):
        raise refuse("E28", gettext("You do not play in this game."))
    if game.second_id is None:
        raise refuse("E20", gettext("A bye has no result to enter."))


def _check_open(event: Event, game: Game) -> None:
    """Refuse to change a result outside its round, and one that is decided or that a judge decides."""
    if event.state != Event.State.RUNNING or game.round.state != Round.State.PUBLISHED:
        raise refuse("E28", gettext("This round is not under way."))
    if game.state == Game.State.CONFIRMED:
        raise refuse("E28", gettext("This result is confirmed. Call a {judge} if it is wrong.", judge=_judge(event)))
    if game.state == Game.State.DISPUTED:
        raise refuse("E28", gettext("This result is disputed. A {judge} decides it.", judge=_judge(event)))


def _agree(entry: Entry, game: Game) -> Game:
    """Take the same result from the second player as a confirmation."""
    if game.state == Game.State.REPORTED and game.reported_by_id != entry.pk:
        _confirm(game)
    return game


def _confirm(game: Game) -> None:
    game.state, game.version = Game.State.CONFIRMED, game.version + 1
    game.save(update_fields=["state", "version"])


def _disagree(actor: User | None, entry: Entry, game: Game, event: Event, text: str) -> Game:
    game.state, game.dispute, game.version = Game.State.DISPUTED, text, game.version + 1
    game.save(update_fields=["state", "dispute", "version"])
    facts: dict[str, Any] = {
        "round": game.round.number,
        "table": game.table,
        "players": _numbers(game),
        "entry": entry.number,
    }
    record(actor=actor, event=event, kind=LogKind.DISPUTED, **facts)
    return game


def _numbers(game: Game) -> list[int]:
    return [entry.number for entry in game.pair]


def _in_words(game: Game, result: Result) -> str:
    """Return a second, different report as the text of the dispute."""
    first, second = game.pair
    names = {first.key: first.name, second.key: second.name}
    return gettext(
        "The other report: winner {winner}; points defeated {points}; victory tokens {tokens}.",
        winner=names.get(result.winner, "–"), points="{} : {}".format(*result.points),
        tokens="{} : {}".format(*result.tokens),
    )  # fmt: skip

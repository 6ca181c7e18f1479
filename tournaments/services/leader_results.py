"""Results that leaders enter and correct, from a form that may be stale or arrive twice (E28, E30, E31)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import refuse
from rules.tournaments.results import Ending, Result
from tournaments.models import Entry, Game, Round
from tournaments.queries.history import result_of
from tournaments.services import results
from tournaments.services.outer_lock import lock_outside


@transaction.atomic
def save_result(
    *, actor: User, game: Game, result: Result, version: int, mission: str = "", phase: str = "", reason: str = ""
) -> bool:
    """Enter the result of a game of an open round, or correct that of a closed one, with a `reason` where E31 asks for
    one. `version` is that of the game on the form. Return False if the same was saved already.

    Refuses a form that was drawn from an older result, and what `results.enter_result` and `results.correct_result`
    refuse, such as a leader who plays in the game (E2).
    """
    lock_outside(game.round.event)
    now = Game.objects.select_related("round", "first", "second").get(pk=game.pk)
    if is_saved(now, result, mission, phase):
        return False
    if now.version != version:
        raise refuse("E28", gettext("Somebody entered a result of this game a moment ago. Compare it with yours."))
    if now.round.state == Round.State.CLOSED:
        results.correct_result(actor=actor, game=game, result=result, reason=reason.strip())
    else:
        results.enter_result(actor=actor, game=game, result=result)
    Game.objects.filter(pk=game.pk).update(mission=mission, phase=phase)
    return True


@transaction.atomic
def no_show(*, actor: User, entry: Entry, number: int) -> Game:
    """Enter that a player did not appear for their game of round `number` (E30). The player stays in the event: a
    person decides on a drop (E25). Doing it again changes nothing. Refuses a player without a game, and a game that has
    a result.
    """
    lock_outside(entry.event)
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=entry.event, round__number=number)
    game = games.exclude(second=None).select_related("round__event", "first", "second", "by").first()
    if game is None:
        raise refuse("E30", gettext("{player} has no game in this round.", player=entry.name))
    if game.state == Game.State.CONFIRMED:
        if game.how == Ending.NO_SHOW and game.by_id == entry.pk:
            return game
        raise refuse("E30", gettext("This game has a result. Correct it on its page.", player=entry.name))
    one, other = game.pair
    winner = other if one.pk == entry.pk else one
    won = Result(how=Ending.NO_SHOW, by=entry.key, winner=winner.key)
    return results.enter_result(actor=actor, game=game, result=won)


def is_saved(game: Game, result: Result, mission: str, phase: str) -> bool:
    """Return whether a game has exactly this confirmed result."""
    if game.state != Game.State.CONFIRMED:
        return False
    return result_of(game) == result and (game.mission, game.phase) == (mission, phase)

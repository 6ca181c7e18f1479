"""The clock of a round: start and reset it, and give a table more time (E26)."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from rules.core.violations import refuse
from rules.tournaments.clock import round_minutes
from tournaments.access import check_impartial
from tournaments.models import Event, Game, LogKind, Round
from tournaments.queries.rounds import game_now, has_clock, last_round, not_under_way
from tournaments.services.locks import lock_led, lock_organized
from tournaments.services.log import checked_reason, log_line
from tournaments.services.notifications import notify_of_start

#: Most minutes of extension that one table can have.
MOST_MINUTES = 120


@transaction.atomic
def start_clock(*, actor: User, event: Event, now: datetime, number: int | None = None) -> Round:
    """Start the clock of the published round (E26); pressing it again changes nothing. Refuses without such a round,
    and a round that has no clock.
    """
    locked = lock_organized(actor, event)
    current = last_round(locked, number)
    if current is not None and current.started_at is not None and number is not None:
        return current
    if current is None or current.state != Round.State.PUBLISHED:
        raise refuse("E26", gettext("Publish the pairings first."))
    if current.started_at is None:
        if not has_clock(locked, current):
            raise refuse("E26", gettext("The bracket rounds of this event have no clock."))
        in_bracket, games = current.stage == Round.Stage.BRACKET, current.games.count()
        minutes = round_minutes(locked.rules, locked.draw, current.number, in_bracket=in_bracket, games=games)
        update(current, minutes=minutes, started_at=now)
        notify_of_start(current)
    return current


def reset_clock(actor: User, current: Round, reason: str) -> None:
    """Undo in a locked event that the clock of a round was started (E26). Its pairings can be changed again until it is
    started again, with the same minutes (E23).
    """
    update(current, started_at=None, minutes=None)
    log_line(actor, current.event, LogKind.CLOCK, reason=reason, round=current.number, reset=True)


@transaction.atomic
def set_extension(*, actor: User, game: Game, minutes: int, reason: str) -> Game:
    """Set how many minutes a table has more than the round; the log shows the reason (E26). Setting the same again
    changes nothing, so that a form sent twice counts once. Refuses a bye, a leader who plays at the table (E2), a round
    that is not under way, a number that is not between 0 and `MOST_MINUTES`, and a change without a reason.
    """
    locked = lock_led(actor, game.round.event)
    game = game_now(game)
    if game.extension == minutes:
        return game
    if game.second_id is None:
        raise refuse("E20", gettext("A bye has no table."))
    check_impartial(actor, locked, game.pair)
    if game.round.state != Round.State.PUBLISHED:
        raise not_under_way("E26")
    if not 0 <= minutes <= MOST_MINUTES:
        raise refuse("E26", gettext("Enter 0 to %(number)s minutes.") % {"number": MOST_MINUTES}, "minutes")
    reason = checked_reason("E26", reason)
    before, game.extension = game.extension, minutes
    game.save(update_fields=["extension"])
    log_line(
        actor, locked, LogKind.CLOCK, reason=reason, round=game.round.number, table=game.table, before=before,
        after=minutes,
    )  # fmt: skip
    return game

"""The clock of a table: more time, with a reason (E26)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import refuse
from tournaments.models import Game, LogKind, Round
from tournaments.services.impartial import check_impartial
from tournaments.services.locks import lock_led
from tournaments.services.log import record

#: Most minutes of extension that one table can have.
MOST_MINUTES = 120


@transaction.atomic
def set_extension(*, actor: User, game: Game, minutes: int, reason: str) -> Game:
    """Set how many minutes a table has more than the round; the log shows the reason (E26). Setting the same again
    changes nothing, so that a form sent twice counts once. Refuses a bye, a leader who plays at the table (E2), a round
    that is not under way, a number that is not between 0 and `MOST_MINUTES`, and a change without a reason.
    """
    locked = lock_led(actor, game.round.event)
    game = Game.objects.select_related("round", "first", "second").get(pk=game.pk)
    if game.extension == minutes:
        return game
    if game.second_id is None:
        raise refuse("E20", gettext("A bye has no table."))
    check_impartial(actor, locked, game.pair)
    if game.round.state != Round.State.PUBLISHED:
        raise refuse("E26", gettext("This round is not under way."))
    if not 0 <= minutes <= MOST_MINUTES:
        raise refuse("E26", gettext("Enter 0 to {number} minutes.", number=MOST_MINUTES), "minutes")
    if not reason.strip():
        raise refuse("E26", gettext("Give a reason. Everyone can read it."), "reason")
    before, game.extension = game.extension, minutes
    game.save(update_fields=["extension"])
    record(
        actor=actor, event=locked, kind=LogKind.CLOCK, reason=reason.strip(),
        round=game.round.number, table=game.table, before=before, after=minutes,
    )  # fmt: skip
    return game

"""What players do about their own entry: drop out (E25)."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any, refuse
from tournaments.models import Entry, LogKind
from tournaments.queries.rounds import left_violation
from tournaments.services.locks import lock_event
from tournaments.services.log import record
from tournaments.services.rounds import leave_bracket

#: States in which a player can drop out. A registered player withdraws instead.
IN_THE_EVENT = (Entry.State.CHECKED_IN, Entry.State.PLAYING)


@transaction.atomic
def drop_out(*, actor: User | None, entry: Entry) -> None:
    """Drop a player who asks for it, with or without an account (E25). They keep their results and are paired no more;
    a game of a round under way stays open until it has a result. Dropping again changes nothing. Refuses a player who
    has left the event already, and an event that is over.
    """
    locked = lock_event(entry.event)
    entry.refresh_from_db()
    if entry.state == Entry.State.DROPPED:
        return
    if locked.is_over:
        raise refuse("E25", gettext("This event is over."))
    if entry.state not in IN_THE_EVENT:
        not_yet = Violation("E25", gettext("You do not play yet. Withdraw from the event instead."))
        raise_if_any([left_violation(entry) or not_yet])
    before, entry.state = entry.state, Entry.State.DROPPED
    entry.save(update_fields=["state"])
    record(
        actor=actor, event=locked, kind=LogKind.ENTRY,
        entry=entry.number, before=before, after=entry.state, by_player=True,
    )  # fmt: skip
    leave_bracket(actor, locked, entry)

"""Who is there: undo a check-in, mark players as absent, let late players in (E6, E21, E25)."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import refuse
from tournaments.models import Entry, Event, LogKind
from tournaments.services import entries as entry_services
from tournaments.services.locks import lock_organized
from tournaments.services.log import record
from tournaments.services.outer_lock import lock_outside


@transaction.atomic
def undo_check_in(*, actor: User, event: Event, entries: Collection[Entry]) -> int:
    """Make players registered again who were checked in, or marked as absent, by mistake; return how many. Others stay
    as they are. Refuses an event that has started.
    """
    undone = (Entry.State.CHECKED_IN, Entry.State.DROPPED)
    return _move(actor, event, entries, undone, Entry.State.REGISTERED)


@transaction.atomic
def mark_absent(*, actor: User, event: Event, entries: Collection[Entry]) -> int:
    """Drop registered players who have not appeared before the start (E25) and return how many; others stay as they
    are. Refuses an event that has started: there they do not play anyway.
    """
    return _move(actor, event, entries, (Entry.State.REGISTERED,), Entry.State.DROPPED)


@transaction.atomic
def enter_late(*, actor: User, entry: Entry) -> None:
    """Let a player who was registered come late and play from the next round on, with an unpaired loss for each round
    missed (E21). Letting them in again changes nothing. Refuses an event that does not run, and what
    `entries.check_in` refuses.
    """
    locked = lock_outside(entry.event)
    entry.refresh_from_db()
    if entry.state == Entry.State.PLAYING:
        return
    if locked.state != Event.State.RUNNING:
        raise refuse("E21", gettext("The event is not running. Check the player in instead."))
    if entry.state == Entry.State.WAITING:
        entry.state = Entry.State.REGISTERED
        entry.save(update_fields=["state"])
    entry_services.check_in(actor=actor, event=locked, entries=[entry])


def _move(actor: User, event: Event, entries: Collection[Entry], before: Collection[str], after: str) -> int:
    """Move players who are in one of the states `before`. The log has those who leave the event or come back."""
    locked = lock_organized(actor, event)
    wanted = list(locked.entries.filter(pk__in=[entry.pk for entry in entries], state__in=before))
    if wanted and (locked.state == Event.State.RUNNING or locked.is_over):
        raise refuse("E6", gettext("The event has started. Use the console to drop players or to let them in."))
    for entry in wanted:
        if Entry.State.DROPPED in (entry.state, after):
            record(
                actor=actor, event=locked, kind=LogKind.ENTRY, entry=entry.number, before=entry.state, after=after
            )  # fmt: skip
    return locked.entries.filter(pk__in=[entry.pk for entry in wanted]).update(state=after)

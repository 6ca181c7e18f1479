"""Delete a player's name from an event, and keep the results under the number."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from core.tokens import new_token
from members.roles import is_organizer
from rules.core.translation import gettext
from rules.core.violations import refuse
from tournaments.models import Entry, LogKind, SubmittedList
from tournaments.queries.results import forgotten_name
from tournaments.services.locks import lock_event
from tournaments.services.log import record


@transaction.atomic
def forget_player(*, actor: User | None, entry: Entry, own: Entry | None = None) -> Entry:
    """Delete who a player is: the name becomes "Player N"; club, note, account, claimant and the pasted text of army
    lists go; results, lists and ticket stay under the number, with a new personal link. `own` is the entry of the
    person who asks, who may have no account. Doing it again changes nothing. Refuses anyone but an organizer and the
    player.
    """
    event = lock_event(entry.event)
    entry.refresh_from_db()
    if entry.name == forgotten_name(entry) and entry.user_id is None:
        return entry
    if not (own and own.pk == entry.pk) and not (actor and is_organizer(actor, event)):
        raise refuse("", gettext("Only an organizer of this event or the player can do this."))
    entry.name, entry.club, entry.note, entry.paid = forgotten_name(entry), "", "", False
    entry.user, entry.claimant, entry.token = None, None, new_token()
    entry.save(update_fields=["name", "club", "note", "paid", "user", "claimant", "token"])
    SubmittedList.objects.filter(entry=entry).update(source_text="", submitted_by=None)
    # The line names no account: who asked is the player or an organizer.
    record(actor=None, event=event, kind=LogKind.FORGOTTEN, entry=entry.number)
    return entry

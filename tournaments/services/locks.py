"""The lock of an event. Everything that happens to an event holds it, so that two organizers act one after another."""

from __future__ import annotations

from accounts.models import User
from members.roles import is_organizer
from rules.core.translation import gettext
from rules.core.violations import refuse
from tournaments.models import Event


def lock_event(event: Event) -> Event:
    """Lock an event until the transaction ends, and return it as it is now. Raises DoesNotExist."""
    return Event.objects.select_for_update(of=("self",), no_key=True).get(pk=event.pk)


def lock_led(actor: User, event: Event) -> Event:
    """Lock an event for one of its organizers. Refuses anyone else."""
    locked = lock_event(event)
    if not is_organizer(actor, locked):
        raise refuse("", gettext("Only an organizer of this event can do this."))
    return locked

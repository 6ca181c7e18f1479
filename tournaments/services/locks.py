"""Who may act in an event, asked under its lock, so that two organizers act one after another (E1, E3, E4)."""

from django.utils.translation import gettext

from accounts.models import User, has_right
from members.models import Role
from members.roles import ORGANIZE, is_organizer
from members.services.membership import lock_group
from rules.core.violations import refuse
from tournaments.models import Entry, Event
from tournaments.queries.leaders import roles_of
from tournaments.roles import role_word


def lock_event(event: Event) -> Event:
    """Lock an event as `lock_group` does. A service that calls another one locks it twice, which does no harm."""
    return lock_group(event)


def lock_organized(actor: User | None, event: Event) -> Event:
    """Lock an event for one of its organizers. Refuses anyone else."""
    locked = lock_event(event)
    if actor is None or not is_organizer(actor, locked):
        raise refuse("", gettext("Only an organizer of this event can do this."))
    return locked


def lock_led(actor: User, event: Event) -> Event:
    """Lock an event for one of its leaders: an organizer or a judge (E1). Refuses anyone else."""
    locked = lock_event(event)
    if not has_right(actor, ORGANIZE) and actor.pk not in roles_of(locked):
        raise refuse("", gettext("Only a leader of this event can do this."))
    return locked


def lock_judged(actor: User, event: Event) -> Event:
    """Lock an event for those who decide on appeals: its head judge or an organizer (E3). Refuses anyone else."""
    locked = lock_event(event)
    high = (Role.ORGANIZER, Role.HEAD_JUDGE)
    if not has_right(actor, ORGANIZE) and not locked.memberships.filter(user=actor, role__in=high).exists():
        head = role_word(locked.rule_set, Role.HEAD_JUDGE)
        raise refuse("", gettext("Only the %(head)s or an organizer can do this.") % {"head": head})
    return locked


def check_not_ejected(entry: Entry) -> None:
    """Refuse a player of a locked event who was ejected (E4): the link and the session that they have let them act no
    more.
    """
    if Entry.objects.filter(pk=entry.pk, state=Entry.State.EJECTED).exists():
        raise refuse("E4", gettext("You were ejected from this event. Your results stay."))

"""The lock of an event, taken for the people who may act in it: two of them act one after another (E1, E3)."""

from accounts.models import User
from members.services.membership import lock_group
from tournaments.access import check_head_judge, check_leader, check_organizer
from tournaments.models import Event


def lock_event(event: Event) -> Event:
    """Lock an event as `lock_group` does. A service that calls another one locks it twice, which does no harm."""
    return lock_group(event)


def lock_organized(actor: User | None, event: Event) -> Event:
    """Lock an event for one of its organizers. Refuses anyone else."""
    locked = lock_event(event)
    check_organizer(actor, locked)
    return locked


def lock_led(actor: User, event: Event) -> Event:
    """Lock an event for one of its leaders: an organizer or a judge (E1). Refuses anyone else."""
    locked = lock_event(event)
    check_leader(actor, locked)
    return locked


def lock_judged(actor: User, event: Event) -> Event:
    """Lock an event for those who decide on appeals: its head judge or an organizer (E3). Refuses anyone else."""
    locked = lock_event(event)
    check_head_judge(actor, locked)
    return locked

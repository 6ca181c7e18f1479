"""The lock of an event for services that check something first and then call a service that locks it again."""

from __future__ import annotations

from tournaments.models import Event


def lock_outside(event: Event) -> Event:
    """Lock an event until the transaction ends, and return it as it is now. The service that is called next checks who
    may act. Raises DoesNotExist.
    """
    locked = Event.objects.select_for_update(of=("self",), no_key=True).filter(pk=event.pk).first()
    if locked is None:
        raise Event.DoesNotExist
    return locked

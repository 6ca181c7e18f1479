"""The lines of the public log of an event."""

from django.db.models import Max, QuerySet

from tournaments.access import EventRole
from tournaments.models import Event, LogKind, LogLine, Round


def lines_for(event: Event, role: EventRole) -> QuerySet[LogLine]:
    """Return the lines of the log that somebody may read: all, but for changes of a draft, which name its pairs. These
    are public once the pairings are (E24).
    """
    lines = event.log.all()
    if role.is_leader:
        return lines
    public = event.round_set.exclude(state=Round.State.DRAFT).aggregate(last=Max("number"))["last"] or 0
    return lines.exclude(pk__in=event.log.filter(kind=LogKind.PAIRED, facts__round__gt=public).values("pk"))

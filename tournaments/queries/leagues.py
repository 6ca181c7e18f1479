"""Leagues, and the events that can count for them."""

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from members.models import Role
from tournaments.models import Event, League


def leagues() -> QuerySet[League]:
    """Return all leagues with the number of their public events."""
    states = [state for state in Event.State if state != Event.State.DRAFT]
    public = Count("events", filter=Q(events__state__in=states))
    return League.objects.select_related("owner").annotate(event_count=public)


def attachable_events(user: User, league: League) -> QuerySet[Event]:
    """Return the events that a person organizes and that are not in this league yet."""
    own = Event.objects.filter(memberships__user=user, memberships__role=Role.ORGANIZER)
    return own.exclude(league=league).exclude(state=Event.State.CANCELLED).order_by("-created_at")

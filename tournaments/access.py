"""Which events a person may see, and which of them they lead or play in. Anything else is a 404.

Events that are not drafts are public. `EventRole` is read once for a page and passed on. Services check again under the
event's lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from members.models import Role
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True)
class EventRole:
    """What a person is in an event. `role` is that of a leader, None for everybody else; `entry` is their own."""

    user: User | None
    role: str | None = None
    entry: Entry | None = None

    @property
    def is_organizer(self) -> bool:
        """Whether they organize the event. Staff organize every event."""
        return bool(self.user and self.user.is_staff) or self.role == Role.ORGANIZER

    @property
    def is_head_judge(self) -> bool:
        """Whether they decide on appeals: the head judge, or an organizer (E1, E3)."""
        return self.is_organizer or self.role == Role.HEAD_JUDGE

    @property
    def is_leader(self) -> bool:
        """Whether they are an organizer or a judge (E1)."""
        return self.is_head_judge or self.role == Role.JUDGE


def events_for(user: User | AnonymousUser) -> QuerySet[Event]:
    """Return all events that somebody may see: public ones, and those that they lead."""
    if user.is_staff:
        return Event.objects.all()
    public = ~Q(state=Event.State.DRAFT)
    return (
        Event.objects.filter(public | Q(memberships__user=user.pk)).distinct()
        if user.pk
        else Event.objects.filter(public)
    )


def event_role(user: User | AnonymousUser, event: Event) -> EventRole:
    """Return what somebody is in an event, in two queries; none for an anonymous person."""
    if not isinstance(user, User):
        return EventRole(None)
    role = event.memberships.filter(user=user).values_list("role", flat=True).first()
    return EventRole(user, role, event.entries.filter(user=user).first())


def event_for(user: User | AnonymousUser, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event and what somebody is in it. Raises Http404 for a draft of others."""
    event = Event.objects.select_related("league").filter(pk=pk).first()
    if event is None:
        raise Http404("No such event")
    role = event_role(user, event)
    if event.state == Event.State.DRAFT and not role.is_leader:
        raise Http404("Not published yet")
    return event, role


def led_event_for(user: User | AnonymousUser, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event, if the user leads it. Raises Http404 otherwise."""
    event, role = event_for(user, pk)
    if not role.is_leader:
        raise Http404("Not a leader of this event")
    return event, role


def organized_event_for(user: User | AnonymousUser, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event, if the user organizes it. Raises Http404 otherwise."""
    event, role = event_for(user, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this event")
    return event, role


def entry_in(event: Event, number: int) -> Entry:
    """Return the entry with a number. Raises Http404 if there is none."""
    entry = event.entries.filter(number=number).first()
    if entry is None:
        raise Http404("No such player")
    entry.event = event
    return entry


def played_entry_for(user: User | AnonymousUser, pk: UUID) -> tuple[Event, Entry]:
    """Return an event and the user's own entry in it. Raises Http404 if they do not play."""
    event, role = event_for(user, pk)
    if role.entry is None:
        raise Http404("Not a player of this event")
    role.entry.event = event
    return event, role.entry

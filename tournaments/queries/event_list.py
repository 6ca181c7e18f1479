"""The list of events: those that somebody leads or plays in, then all public ones."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from rules.core.translation import gettext
from tournaments.access import events_for
from tournaments.models import Entry, Event, Membership
from tournaments.queries.entry_list import PLACED
from tournaments.queries.leaders import role_title
from tournaments.queries.when import LocalTime, local_time

#: How many coming events the list shows, and how many past ones a page of it.
MOST_COMING, PAST_A_PAGE = 60, 20


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list: when it starts in its own time zone, how many players it has, and what the reader is in it
    ("" for neither a leader nor a player).
    """

    event: Event
    starts: LocalTime | None
    players: int
    own: str


@dataclass(slots=True)
class EventLists:
    """The lists of the page, each in the order in which it is shown."""

    own: list[EventLine] = field(default_factory=list)
    running: list[EventLine] = field(default_factory=list)
    coming: list[EventLine] = field(default_factory=list)


def event_lists(user: User | AnonymousUser) -> EventLists:
    """Return the events that are not over, each once, in two queries."""
    found = EventLists()
    if user.is_authenticated:
        own = _described(Event.objects.filter(pk__in=_own_events(user)), user)
        found.own = [_line(each) for each in own.exclude(state__in=_OVER).order_by("starts_at", "pk")[:MOST_COMING]]
    public = _described(Event.objects.exclude(state__in=(*_OVER, Event.State.DRAFT)), user)
    shown = {line.event.pk for line in found.own}
    for each in public.order_by("starts_at", "pk")[:MOST_COMING]:
        if each.pk in shown:
            continue
        lines = found.running if each.state == Event.State.RUNNING else found.coming
        lines.append(_line(each))
    return found


def past_events(user: User | AnonymousUser) -> QuerySet[Event]:
    """Return the events that are over and that the user may see, newest first."""
    return _described(events_for(user).filter(state__in=_OVER), user).order_by("-starts_at", "pk")


def past_lines(events: object) -> list[EventLine]:
    """Return a page of `past_events` as lines."""
    return [_line(each) for each in events]  # type: ignore[attr-defined]


_OVER = (Event.State.FINISHED, Event.State.CANCELLED)


def _own_events(user: User | AnonymousUser) -> QuerySet[Event, int]:
    led = Membership.objects.filter(user=user.pk).values("event")
    played = Entry.objects.filter(user=user.pk).values("event")
    return Event.objects.filter(Q(pk__in=led) | Q(pk__in=played)).values("pk")  # type: ignore[return-value]


def _described(events: QuerySet[Event], user: User | AnonymousUser) -> QuerySet[Event]:
    own = user.pk or 0  # None would find players without an account
    mine = Membership.objects.filter(event=OuterRef("pk"), user=own).values("role")[:1]
    plays = Entry.objects.filter(event=OuterRef("pk"), user=own).values("state")[:1]
    placed = Count("entries", filter=Q(entries__state__in=PLACED) | Q(entries__ticket__isnull=False))
    return events.annotate(players=placed, own_role=Subquery(mine), own_state=Subquery(plays))


def _line(event: Event) -> EventLine:
    role, state = event.own_role, event.own_state  # type: ignore[attr-defined]
    words = [role_title(event.rule_set, role)] if role in Event.roles else []
    if state == Entry.State.WAITING:
        words.append(gettext("on the waiting list"))
    elif state in (*PLACED, Entry.State.CUT):
        words.append(gettext("you play"))
    return EventLine(event, local_time(event, event.starts_at), event.players, " · ".join(words))  # type: ignore[attr-defined]

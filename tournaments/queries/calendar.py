"""Events in calendar feeds: when they begin, until when one registers, and their rounds (E6, E24, E26)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext

from accounts.models import User
from core.ics import Appointment
from core.time_zones import zone_of
from rules.tournaments.clock import ROUND_MINUTES
from tournaments.access import events_for
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Membership, Round
from tournaments.models.entry import GONE
from tournaments.models.event import BEFORE_START
from tournaments.queries.rounds import round_name
from tournaments.queries.schedule import schedule_of

#: How long a round is in a calendar, and how long an event: with breaks, and for one day.
A_ROUND, A_ROUND_WITH_BREAK, LONGEST_DAY = timedelta(minutes=ROUND_MINUTES), timedelta(hours=3), timedelta(hours=12)


def public_appointments(event: Event) -> list[Appointment]:
    """Return what the public reads in the calendar of an event, without players, in two queries."""
    return list(_appointments([event], {}))


def own_appointments(user: User) -> list[Appointment]:
    """Return what concerns a person in the events that they play in or lead, with their own tables and opponents, in
    four queries.
    """
    led = Membership.objects.filter(user=user).values("event")
    played = Entry.objects.filter(user=user).exclude(state__in=GONE)
    events = list(events_for(user).filter(Q(pk__in=led) | Q(pk__in=played.values("event"))))
    games = Game.objects.filter(Q(first__in=played) | Q(second__in=played), round__event__in=events)
    texts = {}
    for game in games.select_related("first", "second"):
        other = game.second if game.first and game.first.user_id == user.pk else game.first
        words = {"table": game.table, "player": other}
        texts[game.round_id] = gettext("table %(table)s against %(player)s") % words if other else gettext("bye")
    return list(_appointments(events, texts))


def _appointments(events: Sequence[Event], games: Mapping[int, str]) -> Iterator[Appointment]:
    """Yield the appointments of events. `games` are a player's own in words, by primary key of the round."""
    changes: Counter[UUID] = Counter()
    published: dict[tuple[UUID, int], list[datetime]] = defaultdict(list)
    kinds = (LogKind.PUBLISHED, LogKind.SETTINGS, LogKind.STATE)
    lines = LogLine.objects.filter(event__in=events, kind__in=kinds).order_by("at", "pk")
    for event_id, kind, number, at in lines.values_list("event", "kind", "facts__round", "at"):
        changes[event_id] += kind != LogKind.PUBLISHED
        if kind == LogKind.PUBLISHED:
            published[event_id, number].append(at)
    for event in events:
        yield from _dates(event, changes[event.pk])
    rounds = Round.objects.filter(event__in=events).exclude(state=Round.State.DRAFT).annotate(column=Count("games"))
    by_key = {event.pk: event for event in events}
    for each in rounds.order_by("event", "number"):
        if moments := published[each.event_id, each.number]:
            game = games.get(each.pk, "")
            yield _round(by_key[each.event_id], round_name(each, each.column), each.number, game, moments)


def _dates(event: Event, version: int) -> Iterator[Appointment]:
    """Yield when an event begins, and until when one registers."""
    is_canceled = event.state == Event.State.CANCELLED
    common: dict[str, Any] = {
        "changed_at": event.created_at, "place": event.place, "url": event.get_absolute_url(), "version": version,
        "canceled": is_canceled,
    }  # fmt: skip
    if event.starts_at:
        length = min(A_ROUND_WITH_BREAK * max(event.rounds, 1), LONGEST_DAY)
        yield Appointment(
            key=f"event-{event.pk}", title=event.name, length=length, **_at(event, event.starts_at), **common
        )
    for place, item in enumerate(schedule_of(event), start=1):
        key, title = f"event-{event.pk}-schedule-{place}", f"{item.what}: {event}"
        yield Appointment(key=key, title=title, length=timedelta(), **_at(event, item.at), **common)
    if event.registration_deadline and (event.state in BEFORE_START or is_canceled):
        title = gettext("Registration ends: %(event)s") % {"event": event}
        when = _at(event, event.registration_deadline)
        yield Appointment(key=f"deadline-{event.pk}", title=title, length=timedelta(), **when, **common)


def _round(event: Event, name: str, number: int, game: str, published: Sequence[datetime]) -> Appointment:
    """Return a round from its publication on, for as long as every round is at least: a calendar must not tell when
    the clock was started or how long it runs (E26).
    """
    return Appointment(
        key=f"event-{event.pk}-round-{number}", title=f"{name}: {game or event}", text=event.name if game else "",
        length=A_ROUND, changed_at=published[-1], place=event.place, url=event.get_absolute_url(),
        version=len(published) - 1, canceled=event.state == Event.State.CANCELLED, **_at(event, published[-1]),
    )  # fmt: skip


def _at(event: Event, moment: datetime) -> dict[str, Any]:
    local = moment.astimezone(zone_of(event.time_zone))
    return {"day": local.date(), "starts_at": local}

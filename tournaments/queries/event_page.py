"""What the public page of an event shows: when, structure, options, who is coming, and the reader's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.formats import date_format

from rules.core.translation import gettext
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event
from tournaments.queries.entry_list import (
    PLACED,
    EntryLine,
    are_factions_public,
    has_started,
    last_lists,
    lines_of,
    waiting_list,
)
from tournaments.queries.leaders import Leader, leaders_of
from tournaments.queries.options import Option, options_in_force
from tournaments.queries.structures import COUNTED, Plan, plan_for, structure_title
from tournaments.queries.when import LocalTime, local_time


@dataclass(frozen=True, slots=True)
class EventPage:
    """The public page of an event.

    `players` have a place, with their faction once that is public (E10); `waiting` is the waiting list in order
    (E6). `cancelled_because` is the reason of a cancellation. `own` is the reader's line, None for others.
    """

    event: Event
    starts: LocalTime | None
    deadline: LocalTime | None
    plan: Plan
    structure: str
    options: list[Option]
    leaders: list[Leader]
    players: list[EntryLine]
    waiting: list[EntryLine]
    own: EntryLine | None
    cancelled_because: str
    seed: str

    @property
    def free(self) -> int | None:
        """How many places are free; None without a limit."""
        limit = self.event.registration_limit
        return None if limit is None else max(limit - len(self.players), 0)

    @property
    def summary(self) -> str:
        """What, when and where, for those to whom the link is sent."""
        starts = self.starts
        when = f"{date_format(starts.moment, 'DATETIME_FORMAT')} ({starts.zone})" if starts else ""
        rules = gettext("Galactic Conquest") if self.is_galactic else gettext("Tournament Regulations")
        return " · ".join(part for part in ("Star Wars: Legion", rules, when, self.event.place) if part)

    @property
    def is_galactic(self) -> bool:
        """Whether it is a Galactic Conquest event."""
        return self.event.rule_set == RuleSet.GALACTIC_CONQUEST

    @property
    def is_coming(self) -> bool:
        """Whether the reader is in the event, or waits to be."""
        return self.own is not None and self.own.entry.state in (*PLACED, Entry.State.WAITING)

    @property
    def has_started(self) -> bool:
        """Whether it runs or is finished."""
        return has_started(self.event)

    def claimable(self) -> list[EntryLine]:
        """Return the players without an account that nobody asks for (E5)."""
        return [line for line in (*self.players, *self.waiting) if _is_claimable(line.entry)]


def event_page(event: Event, role: EventRole) -> EventPage:
    """Return the public page of an event for a reader, in at most four queries."""
    entries = list(event.entries.all())
    public = are_factions_public(event)
    lists = last_lists(event) if public or role.entry else {}
    lines = {line.entry.pk: line for line in lines_of(event, entries, lists if public else {})}
    own = [entry for entry in entries if role.entry and entry.pk == role.entry.pk]
    own_lines = lines_of(event, own, lists)
    shown = (*PLACED, Entry.State.CUT) if has_started(event) else PLACED
    counted = sum(entry.state in COUNTED for entry in entries)
    return EventPage(
        event=event,
        starts=local_time(event, event.starts_at),
        deadline=local_time(event, event.registration_deadline),
        plan=plan_for(event, counted if event.frozen_players is None else event.frozen_players),
        structure=structure_title(event.rule_set, event.structure),
        options=options_in_force(event),
        leaders=leaders_of(event),
        players=[lines[entry.pk] for entry in _by_name(entries) if entry.state in shown],
        waiting=[lines[entry.pk] for entry in waiting_list(entries)],
        own=replace(own_lines[0], place=lines[own[0].pk].place) if own else None,
        cancelled_because=_reason(event),
        seed=bytes(event.seed).hex() if event.state == Event.State.FINISHED else "",
    )


def _is_claimable(entry: Entry) -> bool:
    return entry.user_id is None and entry.claimant_id is None


def _by_name(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.name.casefold(), entry.number))


def _reason(event: Event) -> str:
    if event.state != Event.State.CANCELLED:
        return ""
    line = event.log.filter(kind="state", facts__after=Event.State.CANCELLED.value).first()
    return line.reason if line else ""

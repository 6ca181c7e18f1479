"""What happened in the campaign, line by line, and the pieces that were written of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, F, UUIDField, Value

from campaign.models import Event, Kind, Writing
from config.together import Row, as_json, columns, made

from .arrival import Arrival, when
from .scope import Scope, moment, plain

#: Facts that name people, and those that do in lines of one kind.
PEOPLE = ("user", "invited_by")
PEOPLE_OF = {Kind.GIVEN.value: ("user", "before")}
WRITING = ("title", "byline", "text", "version")
#: What is told: lines come first. So many are read at once.
LINE, PIECE = 0, 1
NOBODY = Value(None, UUIDField())
AT_ONCE = 200


def written(scope: Scope) -> dict[str, Iterator[dict[str, Any]]]:
    """The lines of the log, oldest first, and then the pieces: both are one query, read as they are written. Of a piece
    that was withdrawn there is nothing left to carry."""
    told = _Told(scope.campaign.pk)
    return {
        "events": (_event_written(scope, made(Event, row)) for row in told.of(LINE)),
        "writings": (_piece_written(scope, made(Writing, row)) for row in told.of(PIECE)),
    }


class _Told:
    """The lines, and the pieces after them, as one query gives them."""

    def __init__(self, campaign: UUID) -> None:
        self._rows = _told(campaign)
        self._next: Row | None = None

    def of(self, which: int) -> Iterator[Row]:
        """All that come next of these."""
        read = self._next or next(self._rows, None)
        while read and read["which"] == which:
            yield read["row"]
            read = next(self._rows, None)
        self._next = read


def _told(campaign: UUID) -> Iterator[Row]:
    """Each with what the order follows from: lines have numbers as keys, pieces others."""
    lines = Event.objects.filter(campaign=campaign).order_by()
    pieces = Writing.objects.filter(campaign=campaign, withdrawn_at=None).order_by()
    both = lines.values(
        which=Value(LINE), since=F("at"), number=F("pk"), named=NOBODY, row=as_json(*columns(Event))
    ).union(
        pieces.values(
            which=Value(PIECE),
            since=F("written_at"),
            number=Value(0, BigIntegerField()),
            named=F("pk"),
            row=as_json(*columns(Writing)),
        ),
        all=True,
    )
    return both.order_by("which", "since", "number", "named").iterator(chunk_size=AT_ONCE)


def _event_written(scope: Scope, event: Event) -> dict[str, Any]:
    for name in named_in(event.kind):
        scope.person(event.facts.get(name))
    return {
        "kind": event.kind,
        "battle": str(event.battle_id) if event.battle_id else None,
        "actor": scope.person(event.actor_id),
        "acting_for": scope.person(event.acting_for_id),
        "facts": event.facts,
        "at": moment(event.at),
    }


def _piece_written(scope: Scope, piece: Writing) -> dict[str, Any]:
    return {
        "id": str(piece.pk),
        **plain(piece, *WRITING),
        "battle": str(piece.battle_id) if piece.battle_id else None,
        "author": scope.person(piece.author_id),
        "written_at": moment(piece.written_at),
        "changed_at": moment(piece.changed_at),
    }


def bring(arrival: Arrival) -> None:
    """Write the log again, line by line, and the pieces."""
    arrival.changes.insert(*(_event(arrival, said) for said in arrival.data["events"]))
    arrival.changes.insert(*(_piece(arrival, said) for said in arrival.data["writings"]))


def _event(arrival: Arrival, said: Mapping[str, Any]) -> Event:
    return Event(
        campaign=arrival.campaign,
        battle=arrival.battles.get(said["battle"]),
        kind=said["kind"],
        actor=arrival.person(said["actor"]),
        acting_for=arrival.person(said["acting_for"]),
        facts=said["facts"] | _people(arrival, said),
        at=when(said["at"]),
    )


def _piece(arrival: Arrival, said: Mapping[str, Any]) -> Writing:
    return Writing(
        pk=UUID(said["id"]),
        campaign=arrival.campaign,
        battle=arrival.battles.get(said["battle"]),
        author=arrival.people[said["author"]],
        written_at=when(said["written_at"]),
        changed_at=when(said["changed_at"]),
        **{name: said[name] for name in WRITING},
    )


def _people(arrival: Arrival, said: Mapping[str, Any]) -> dict[str, int]:
    facts, names = said["facts"], named_in(said["kind"])
    return {name: arrival.people[facts[name]].pk for name in names if type(facts.get(name)) is int}


def named_in(kind: str) -> tuple[str, ...]:
    """The facts that name people in a line of this kind."""
    return PEOPLE_OF.get(kind, PEOPLE)

"""What happened in the campaign, line by line, and the pieces that were written of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .scope import Scope, moment, plain

#: Facts that name people.
PEOPLE = ("user", "invited_by")
WRITING = ("title", "byline", "text", "version")


def events_written(scope: Scope) -> Iterator[dict[str, Any]]:
    """The lines of the log, oldest first."""
    for event in scope.campaign.events.order_by("at", "pk").iterator(chunk_size=500):
        for name in PEOPLE:
            scope.person(event.facts.get(name))
        yield {
            "kind": event.kind,
            "battle": str(event.battle_id) if event.battle_id else None,
            "actor": scope.person(event.actor_id),
            "acting_for": scope.person(event.acting_for_id),
            "facts": event.facts,
            "at": moment(event.at),
        }


def writings_written(scope: Scope) -> Iterator[dict[str, Any]]:
    """The pieces. Of one that was withdrawn there is nothing left to carry."""
    for piece in scope.campaign.writings.filter(withdrawn_at=None).order_by("written_at", "pk"):
        yield {
            "id": str(piece.pk),
            **plain(piece, *WRITING),
            "battle": str(piece.battle_id) if piece.battle_id else None,
            "author": scope.person(piece.author_id),
            "written_at": moment(piece.written_at),
            "changed_at": moment(piece.changed_at),
        }

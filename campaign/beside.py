"""What the page of a battle shows besides its sides and their Registers: one query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from config.together import Row, Together, made

from . import hands
from .access import organising
from .made import EVENT, NAMES, event_made
from .models import Battle, Event, Membership, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Of a battle: its events, newest first, for `chronicle.lines`, the revision of it that is open, the keys of those
    who organise its campaign, and the recorded hands, for `hands_of` alone to look at."""

    events: Sequence[Event]
    revision: Revision | None
    organisers: Sequence[int]
    hands: Sequence[Row]


def beside(battle: Battle) -> Beside:
    """What stands beside the sides of a battle, which it carries."""
    events, revisions, organisers, found = _ROWS.ask(battle=battle.pk)
    return Beside(
        events=[event_made(row, {battle.pk: battle}) for row in events],
        revision=next(map(_revision, revisions), None),
        organisers=[row["user_id"] for row in organisers],
        hands=found,
    )


def _revision(row: Row) -> Revision:
    revision = made(Revision, row)
    revision.made_by = made(User, row, "made_by__")
    return revision


def _events(battle: UUID) -> QuerySet[Event, Any]:
    return Event.objects.filter(battle=battle).values(*EVENT)


def _revisions(battle: UUID) -> QuerySet[Revision, Any]:
    found = Revision.objects.filter(battle=battle, state=Revision.State.OPEN)
    return found.values("id", "what", *(f"made_by__{name}" for name in NAMES))


def _organisers(battle: UUID) -> QuerySet[Membership, Any]:
    return organising().filter(campaign__battles=battle).values("user_id")


_ROWS = Together({"battle": UUID}, _events, _revisions, _organisers, hands.recorded)

"""What a page of the chronicle shows: battles that are told, with what was written of them, and pieces of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.access import SIDES
from campaign.models import Battle, BattlePicture, Campaign, Writing
from registers.markdown import to_html
from uploads.models import Picture

from .tale import Tale, Told, tales, told

BATTLE, WRITING = "battle", "writing"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it is shown."""

    writing: Writing
    html: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A battle or a piece that belongs to none. `tale` and `told` are those of a battle that is closed."""

    key: UUID
    at: datetime
    title: str
    battle: Battle | None = None
    tale: Tale | None = None
    told: Told | None = None
    pieces: list[Piece] = field(default_factory=list)
    pictures: Sequence[Picture] = ()

    @property
    def changed_at(self) -> datetime:
        """When the last of it was written."""
        pieces = [piece.writing for piece in self.pieces]
        return max([self.at, *(piece.changed_at or piece.written_at for piece in pieces)])

    @property
    def anchor(self) -> str:
        """What its heading is called on a page."""
        return f"battle-{self.battle.number}" if self.battle else f"piece-{self.key}"


def entries_of(campaign: Campaign, *, only: UUID | None = None) -> QuerySet[Any]:
    """The entries of a campaign, newest first, as rows for `entries`; a Paginator takes them. `only`: that one."""
    closed = campaign.battles.filter(status=Battle.Status.CLOSED).order_by()
    pieces = campaign.writings.filter(battle=None, withdrawn_at=None).order_by()
    if only:
        closed, pieces = closed.filter(pk=only), pieces.filter(pk=only)
    rows = closed.annotate(at=Coalesce("closed_at", "created_at"), kind=Value(BATTLE, CharField()))
    others = pieces.annotate(at=F("written_at"), kind=Value(WRITING, CharField()))
    values = ("pk", "at", "kind")
    return rows.values(*values).union(others.values(*values), all=True).order_by("-at", "pk")


def entries(rows: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """Rows of `entries_of` in full: eight queries at most, however many rows there are."""
    battles, pieces = [], []
    for row in (rows := list(rows)):
        (battles if row["kind"] == BATTLE else pieces).append(row["pk"])
    found = {}
    if battles:
        read = Battle.objects.filter(pk__in=battles).prefetch_related(SIDES)
        found = {entry.key: entry for entry in battle_entries(list(read))}
    if pieces:
        written = Writing.objects.filter(pk__in=pieces).select_related("author")
        found |= {piece.pk: _of_piece(piece) for piece in written}
    return [found[row["pk"]] for row in rows if row["pk"] in found]


def battle_entries(battles: Sequence[Battle]) -> list[Entry]:
    """These battles, whose sides are prefetched, with what is told and written of them: five queries."""
    pieces, pictures = _pieces(battles), _pictures(battles)
    known = tales(battles)
    return [
        _of_battle(battle, known.get(battle.pk), pieces.get(battle.pk, []), pictures.get(battle.pk, []))
        for battle in battles
    ]


def _of_battle(battle: Battle, tale: Tale | None, pieces: list[Piece], pictures: Sequence[Picture]) -> Entry:
    blue, red = sorted(battle.sides.all(), key=lambda side: side.colour)
    return Entry(
        key=battle.pk,
        at=battle.closed_at or battle.created_at,
        title=_("%(blue)s against %(red)s") % {"blue": blue.name, "red": red.name},
        battle=battle,
        tale=tale,
        told=told(tale) if tale else None,
        pieces=pieces,
        pictures=pictures,
    )


def _of_piece(piece: Writing) -> Entry:
    return Entry(key=piece.pk, at=piece.written_at, title=piece.title, pieces=[shown(piece)])


def _pieces(battles: Iterable[Battle]) -> dict[UUID | None, list[Piece]]:
    """What was written of these battles, oldest first."""
    written = Writing.objects.filter(battle__in=battles, withdrawn_at=None).select_related("author")
    found: dict[UUID | None, list[Piece]] = {}
    for piece in written.order_by("written_at", "pk"):
        found.setdefault(piece.battle_id, []).append(shown(piece))
    return found


def _pictures(battles: Iterable[Battle]) -> dict[UUID, list[Picture]]:
    """The pictures of these battles, in the order in which they were uploaded."""
    found: dict[UUID, list[Picture]] = {}
    for each in BattlePicture.objects.filter(battle__in=battles).select_related("picture").order_by("pk"):
        found.setdefault(each.battle_id, []).append(each.picture)
    return found


def shown(piece: Writing) -> Piece:
    """A piece with its Markdown as HTML."""
    return Piece(piece, to_html(piece.text))

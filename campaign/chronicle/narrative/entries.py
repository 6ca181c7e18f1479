"""What a page of the chronicle shows: battles that are told, with what was written of them, and pieces of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.chronicle.models import BattlePhoto, Story
from campaign.chronicle.narrative.tale import Tale, Told, tales, told
from campaign.models import Campaign
from registers.markdown import to_html
from uploads.models import Picture

BATTLE, WRITING = "battle", "writing"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it is shown."""

    writing: Story
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
        written = Story.objects.filter(pk__in=pieces).select_related("author")
        found |= {
            piece.pk: Entry(key=piece.pk, at=piece.written_at, title=piece.title, pieces=[shown(piece)])
            for piece in written
        }
    return [found[row["pk"]] for row in rows if row["pk"] in found]


def battle_entries(battles: Sequence[Battle]) -> list[Entry]:
    """These battles, whose sides are prefetched, with what is told and written of them: five queries."""
    pieces, pictures = defaultdict[Any, list[Piece]](list), defaultdict[UUID, list[Picture]](list)
    written = Story.objects.filter(battle__in=battles, withdrawn_at=None).select_related("author")
    for piece in written.order_by("written_at", "pk"):
        pieces[piece.battle_id].append(shown(piece))
    for each in BattlePhoto.objects.filter(battle__in=battles).select_related("picture").order_by("pk"):
        pictures[each.battle_id].append(each.picture)
    known, found = tales(battles), []
    for battle in battles:
        blue, red = sorted(battle.sides.all(), key=lambda side: side.colour)
        tale = known.get(battle.pk)
        entry = Entry(
            key=battle.pk,
            at=battle.closed_at or battle.created_at,
            title=_("%(blue)s against %(red)s") % {"blue": blue.name, "red": red.name},
            battle=battle,
            tale=tale,
            told=told(tale) if tale else None,
            pieces=pieces[battle.pk],
            pictures=pictures[battle.pk],
        )
        found.append(entry)
    return found


def shown(piece: Story) -> Piece:
    """A piece with its Markdown as HTML."""
    return Piece(piece, to_html(piece.text))

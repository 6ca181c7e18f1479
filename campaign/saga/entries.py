"""What a page of the chronicle shows: battles that are told, with what was written of them, and pieces of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaign.models import Battle, BattlePicture, Campaign, Side, Writing
from registers.markdown import to_html
from uploads.models import Picture

from .sentences import Told, told
from .tale import Tale, tales

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
    """Rows of `entries_of` in full: a constant number of queries, however many there are."""
    rows = list(rows)
    battles = {row["pk"] for row in rows if row["kind"] == BATTLE}
    found: dict[UUID, Entry] = {entry.key: entry for entry in battle_entries(_battles(battles))}
    free = Writing.objects.select_related("author").filter(pk__in={row["pk"] for row in rows} - battles)
    found |= {piece.pk: _of_piece(piece) for piece in free}
    return [found[row["pk"]] for row in rows if row["pk"] in found]


def battle_entries(battles: Sequence[Battle]) -> list[Entry]:
    """These battles with what is told and written of them; they carry their sides with their Registers."""
    known, pieces, pictures = tales(battles), _pieces(battles), _pictures(battles)
    return [
        _of_battle(battle, known.get(battle.pk), pieces.get(battle.pk, []), pictures.get(battle.pk, []))
        for battle in battles
    ]


def _battles(keys: Iterable[UUID]) -> list[Battle]:
    sides = Prefetch("sides", Side.objects.select_related("register").order_by("colour"))
    return list(Battle.objects.filter(pk__in=keys).prefetch_related(sides))


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
    written = Writing.objects.select_related("author").filter(battle__in=battles, withdrawn_at=None)
    found: dict[UUID | None, list[Piece]] = {}
    for piece in written.order_by("written_at", "pk"):
        found.setdefault(piece.battle_id, []).append(shown(piece))
    return found


def _pictures(battles: Iterable[Battle]) -> dict[UUID, list[Picture]]:
    found: dict[UUID, list[Picture]] = {}
    for each in BattlePicture.objects.select_related("picture").filter(battle__in=battles).order_by("pk"):
        found.setdefault(each.battle_id, []).append(each.picture)
    return found


def shown(piece: Writing) -> Piece:
    """A piece with its Markdown as HTML."""
    return Piece(piece, to_html(piece.text))

"""What a page of the chronicle shows: battles that are told, with what was written of them, and pieces of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from campaign.made import battles_made
from campaign.models import Battle, Campaign, Side, Writing
from config.together import Row, Together, columns, made, one_of
from registers.markdown import to_html
from registers.models import Entry as LedgerEntry
from registers.models import Register
from uploads.models import Picture

from .sentences import Told, told
from .tale import Tale, acts_of, tales

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
    """Rows of `entries_of` in full: two queries, however many there are; none where nothing is told."""
    if not (rows := list(rows)):
        return []
    battles, free = ([str(row["pk"]) for row in rows if row["kind"] == kind] for kind in (BATTLE, WRITING))
    sides, acts, written, shown_of_them = _WITH_SIDES.ask(battles=battles, pieces=free)
    of_battles = [row for row in written if row["battle_id"]]
    found = {entry.key: entry for entry in _told(list(battles_made(sides)), acts, of_battles, shown_of_them)}
    found |= {piece.pk: _of_piece(piece) for piece in map(_writing, written) if not piece.battle_id}
    return [found[row["pk"]] for row in rows if row["pk"] in found]


def battle_entries(battles: Sequence[Battle]) -> list[Entry]:
    """These battles with what is told and written of them; they carry their sides with their Registers."""
    return _told(battles, *_ROWS.ask(battles=[str(battle.pk) for battle in battles], pieces=[]))


def _told(
    battles: Sequence[Battle], acts: Iterable[Row], written: Iterable[Row], shown: Iterable[Row]
) -> list[Entry]:
    known = tales(battles, [made(LedgerEntry, row) for row in acts])
    pieces, pictures = _pieces(written), _pictures(shown)
    return [
        _of_battle(battle, known.get(battle.pk), pieces.get(battle.pk, []), pictures.get(str(battle.pk), []))
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


def _pieces(written: Iterable[Row]) -> dict[UUID | None, list[Piece]]:
    found: dict[UUID | None, list[Piece]] = {}
    for piece in map(_writing, written):
        found.setdefault(piece.battle_id, []).append(shown(piece))
    return found


def _writing(row: Row) -> Writing:
    piece = made(Writing, row)
    piece.author = made(User, row, "author__")
    return piece


def _pictures(rows: Iterable[Row]) -> dict[str, list[Picture]]:
    found: dict[str, list[Picture]] = {}
    for row in rows:
        found.setdefault(row["of_battle__battle"], []).append(made(Picture, row))
    return found


def shown(piece: Writing) -> Piece:
    """A piece with its Markdown as HTML."""
    return Piece(piece, to_html(piece.text))


# --- What is asked -----------------------------------------------------------------------------------------------


def _sides(battles: str, pieces: str) -> QuerySet[Side, Any]:
    return Side.objects.filter(battle__in=one_of(battles, "uuid")).values(
        *columns(Side), *columns(Battle, "battle__"), *columns(Register, "register__", without=("biography",))
    )


def _acts(battles: str, pieces: str) -> QuerySet[LedgerEntry, Any]:
    return acts_of(one_of(battles)).values("id", "register_id", "battle", "effects")


def _written(battles: str, pieces: str) -> QuerySet[Writing, Any]:
    """What was written of the battles, and the pieces."""
    of_battles = Q(battle__in=one_of(battles, "uuid"), withdrawn_at=None)
    found = Writing.objects.filter(of_battles | Q(pk__in=one_of(pieces, "uuid"))).order_by("written_at", "pk")
    return found.values(*columns(Writing), *(f"author__{name}" for name in ("id", "username", "known_as")))


def _shown(battles: str, pieces: str) -> QuerySet[Picture, Any]:
    found = Picture.objects.filter(of_battle__battle__in=one_of(battles, "uuid")).order_by("of_battle__pk")
    return found.values(*columns(Picture), "of_battle__battle")


_SLOTS = {"battles": list[str], "pieces": list[str]}
_ROWS = Together(_SLOTS, _acts, _written, _shown)
_WITH_SIDES = Together(_SLOTS, _sides, _acts, _written, _shown)

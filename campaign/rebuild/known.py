"""What the plans of a revision are reckoned from, each read once however often it is reckoned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from campaign import at_once
from campaign.life import OVER
from campaign.models import Battle, DiceSeed, Revision, Side
from config.together import Together, columns, made
from registers.models import Entry, Register


class Known:
    """Battles with their campaign and both sides, and what earlier revisions of the campaign have kept.

    `battles` are those that were read at this moment, or locked. The ledgers are known by the Registers of the sides
    (`ledger.written`). `secret` are the battles that are over and have a seed which was promised for a revision.
    """

    def __init__(self, revision: Revision, battles: Iterable[Battle] = ()) -> None:
        self.revision = revision
        self.secret: set[UUID] = set()
        self._battles = {battle.pk: battle for battle in battles}

    def battles(self, keys: Iterable[UUID]) -> list[Battle]:
        """The battles with these keys that are there."""
        keys = list(keys)
        if missing := [key for key in keys if key not in self._battles]:
            self._battles |= {battle.pk: battle for battle in at_once.read_all(missing)}
        return [self._battles[key] for key in keys if key in self._battles]

    def under_lock(self, battles: Iterable[Battle]) -> Known:
        """The same with battles that were locked since, and nothing that was read before but what was kept, since the
        campaign is locked, and the ledgers that have not gone on: the digest of the last entry stands for all of it.
        """
        known = Known(self.revision, battles)
        known.kept = self.kept
        ends = {(each.pk, each.position, each.digest): each for each in self._registers()}
        for register in known._registers():
            before = ends.get((register.pk, register.position, register.digest))
            register.written = before.written if before else None
        return known

    def _registers(self) -> set[Register]:
        sides = (side for battle in self._battles.values() for side in battle.sides.all())
        return {side.register for side in sides if side.register}

    @cached_property
    def kept(self) -> list[Mapping[str, Any]]:
        """What was said once and is asked no longer (`Revision.kept`), the latest first."""
        return [item for row in _kept_in([self.revision.battle.campaign_id]) for item in row["kept"]]


def read(revision_id: UUID) -> Known | None:
    """What a revision is reckoned from, by one statement: itself and its battle, and both ledgers. None where there is
    no such revision.
    """
    own, sides, entries, kept, secret = _ROWS.ask(revision=revision_id)
    if not own:
        return None
    revision = made(Revision, own[0])
    [revision.battle] = at_once.battles_of(sides)
    known = Known(revision, [revision.battle])
    known.kept = [item for row in kept for item in row["kept"]]
    known.secret = {UUID(row["battle_id"]) for row in secret}
    for register in known._registers():
        own_rows = (row for row in entries if row["register_id"] == str(register.pk))
        register.written = register.position, [made(Entry, row) for row in own_rows]
    return known


def _own(revision: UUID) -> QuerySet[Revision, Any]:
    return Revision.objects.filter(pk=revision).values(*columns(Revision))


def _sides(revision: UUID) -> QuerySet[Side, Any]:
    sides = Side.objects.filter(battle__revisions=revision).order_by("colour")
    return at_once.sides_with(sides)


def _entries(revision: UUID) -> QuerySet[Entry, Any]:
    both = Entry.objects.filter(register__sides__battle__revisions=revision)
    return both.order_by("register_id", "position").values(*columns(Entry))


def _kept(revision: UUID) -> QuerySet[Revision, Any]:
    return _kept_in(Battle.objects.filter(revisions=revision).values("campaign"))


def _kept_in(campaign: Any) -> QuerySet[Revision, Any]:
    applied = Revision.objects.filter(battle__campaign__in=campaign, state=Revision.State.APPLIED)
    return applied.order_by("-closed_at").values("kept")


def _secret(revision: UUID) -> QuerySet[DiceSeed, Any]:
    campaign = Battle.objects.filter(revisions=revision).values("campaign")
    over = DiceSeed.objects.filter(battle__campaign__in=campaign, battle__status__in=OVER)
    return over.filter(revealed_at=None).order_by("pk").values("battle_id")


_ROWS = Together({"revision": UUID}, _own, _sides, _entries, _kept, _secret)

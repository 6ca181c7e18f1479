"""What the plans of a revision are reckoned from, each read once however often it is reckoned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from campaign.life import OVER
from campaign.models import Battle, DiceSeed, Revision, Side
from registers.models import Register
from registers.services import ledger


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
            self._battles |= {battle.pk: battle for battle in _battles(missing)}
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
        """What was said once and is asked no longer (`Revision.kept`), the latest first: one query."""
        campaign = self.revision.battle.campaign_id
        applied = Revision.objects.filter(battle__campaign=campaign, state=Revision.State.APPLIED)
        kept = applied.order_by("-closed_at").values_list("kept", flat=True)
        return [item for each in kept for item in each]


def read(revision_id: UUID) -> Known | None:
    """Return the revision with all that its plans are reckoned from, or None if there is no such revision."""
    revision = Revision.objects.filter(pk=revision_id).first()
    if revision is None:
        return None
    [revision.battle] = _battles([revision.battle_id])
    known = Known(revision, [revision.battle])
    known.secret = _secret(revision.battle.campaign_id)
    ledger.open_books(known._registers())
    return known


def _battles(keys: Iterable[UUID]) -> list[Battle]:
    """The battles with these keys, in the order of their keys, with their campaign and both sides: three queries.

    A Register that fights in several of them is the same object in all.
    """
    registers = Register.objects.select_related("owner").defer("biography")
    return list(
        Battle.objects.filter(pk__in=keys)
        .order_by("pk")
        .select_related("campaign")
        .prefetch_related(
            Prefetch("sides", Side.objects.order_by("colour")), Prefetch("sides__register", registers)
        )
    )


def _secret(campaign: UUID) -> set[UUID]:
    """The battles of a campaign that are over and have a seed which nobody has seen."""
    seeds = DiceSeed.objects.filter(battle__campaign=campaign, battle__status__in=OVER, revealed_at=None)
    return set(seeds.values_list("battle", flat=True))

"""What the plans of a revision are reckoned from, each read once however often it is reckoned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from campaign.models import Battle, Revision, Side

#: Battles with their campaigns, and both sides with their Registers and players.
_BATTLES = Battle.objects.select_related("campaign").prefetch_related(
    Prefetch("sides", Side.objects.select_related("register__owner").order_by("colour"))
)


class Known:
    """Battles with their campaign and both sides, and what earlier revisions of the campaign have kept.

    `battles` are those that were read at this moment, or locked. The ledgers are known by the Registers of the sides
    (`ledger.written`).
    """

    def __init__(self, revision: Revision, battles: Iterable[Battle] = ()) -> None:
        self.revision = revision
        self._battles = {battle.pk: battle for battle in battles}

    def battles(self, keys: Iterable[UUID]) -> list[Battle]:
        """The battles with these keys that are there."""
        keys = list(keys)
        if missing := [key for key in keys if key not in self._battles]:
            self._battles |= {battle.pk: battle for battle in _BATTLES.filter(pk__in=missing)}
        return [self._battles[key] for key in keys if key in self._battles]

    def under_lock(self, battles: Iterable[Battle]) -> Known:
        """The same with battles that were locked since, and nothing that was read before but what was kept: the
        campaign is locked."""
        known = Known(self.revision, battles)
        known.kept = self.kept
        return known

    @cached_property
    def kept(self) -> list[Mapping[str, Any]]:
        """What was said once and is asked no longer (`Revision.kept`), the latest first."""
        campaign = self.revision.battle.campaign_id
        applied = Revision.objects.filter(battle__campaign=campaign, state=Revision.State.APPLIED)
        return [
            item for kept in applied.order_by("-closed_at").values_list("kept", flat=True) for item in kept
        ]

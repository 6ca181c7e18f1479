"""What the plan of a revision is worked out from: battles, ledgers and earlier revisions, each read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from campaign.life import OVER
from campaign.models import Battle, DiceSeed, Revision, Side
from registers.models import Entry, Register
from registers.services.ledger import LedgerSession


class Known:
    """What is known of the campaign of a revision.

    `battles` are those that were read already, with their campaign and both sides.
    """

    def __init__(self, revision: Revision, battles: Iterable[Battle] = ()) -> None:
        self.revision = revision
        self._battles = {battle.pk: battle for battle in battles}
        self._ledgers: dict[UUID, list[Entry]] = {}

    def battles(self, keys: Iterable[UUID]) -> list[Battle]:
        """Return the battles with these keys that exist, each with its campaign and both sides, blue first."""
        keys = list(keys)
        if missing := [key for key in keys if key not in self._battles]:
            sides = Side.objects.select_related("register__owner").order_by("colour")
            found = Battle.objects.filter(pk__in=missing).select_related("campaign")
            self._battles |= {
                battle.pk: battle for battle in found.prefetch_related(Prefetch("sides", sides))
            }
        return [self._battles[key] for key in keys if key in self._battles]

    def ledgers(self, registers: Collection[Register]) -> dict[UUID, list[Entry]]:
        """Return the whole ledgers of Registers by primary key, oldest entry first."""
        if missing := [register.pk for register in registers if register.pk not in self._ledgers]:
            self._ledgers |= {pk: [] for pk in missing}
            for entry in Entry.objects.filter(register__in=missing).order_by("register", "position"):
                self._ledgers[entry.register_id].append(entry)
        return {register.pk: self._ledgers[register.pk] for register in registers}

    def under_lock(self, battles: Iterable[Battle], session: LedgerSession) -> Known:
        """Return the same for battles that were locked since, with the ledgers of their Registers.

        What earlier revisions have kept is not read again: the campaign was locked before.
        """
        known = Known(self.revision, battles)
        known.kept = self.kept
        known._ledgers = {pk: session.entries(register) for pk, register in session.registers.items()}
        return known

    @cached_property
    def kept(self) -> list[Mapping[str, Any]]:
        """What was said once and is asked no longer (`Revision.kept`), the latest first."""
        applied = Revision.objects.filter(
            battle__campaign=self.revision.battle.campaign_id, state=Revision.State.APPLIED
        )
        return [
            item for kept in applied.order_by("-closed_at").values_list("kept", flat=True) for item in kept
        ]

    @property
    def secret(self) -> set[UUID]:
        """The battles that are over and have a seed which was promised to be revealed once nothing asks for dice."""
        over = DiceSeed.objects.filter(
            battle__campaign=self.revision.battle.campaign_id, battle__status__in=OVER, revealed_at=None
        )
        return set(over.values_list("battle", flat=True))


def read(revision_id: UUID) -> Known | None:
    """Return what the plan of a revision is worked out from; None if there is no such revision."""
    revision = Revision.objects.filter(pk=revision_id).first()
    if revision is None:
        return None
    known = Known(revision)
    [revision.battle] = known.battles([revision.battle_id])
    return known

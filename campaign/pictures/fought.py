"""The battles of a campaign that the pictures are made from: three queries, however many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch

from campaign import queries
from campaign.models import Battle, Campaign, Side
from registers.models import Register
from rules.report import result_for

WON, DRAWN, LOST = "won", "drawn", "lost"

#: Whose a side is; armies, reports and answers are much more than all the rest of a battle.
_SIDES = Prefetch("sides", Side.objects.only("battle", "colour", "register"))


@dataclass(frozen=True, slots=True)
class Bout:
    """A battle that is over, as one Register saw it: WON, DRAWN or LOST, and against whom (nothing: a guest)."""

    battle: Battle
    register: UUID
    opponent: UUID | None
    result: str


@dataclass(frozen=True, slots=True)
class Fought:
    """The commissioned Registers of a campaign, those of the highest Reputation first, and its battles by number.

    The battles are those of which the sequence has begun; `bouts` has those that are over, for each Register.
    """

    registers: list[Register]
    battles: list[Battle]
    bouts: Mapping[UUID, list[Bout]]


def fought(campaign: Campaign) -> Fought:
    """What a campaign has seen so far."""
    registers = list(queries.registers_of(campaign).filter(commissioned=True))
    reported = campaign.battles.filter(status__in=(Battle.Status.SEQUENCE, Battle.Status.CLOSED))
    battles = list(reported.order_by("number").prefetch_related(_SIDES))
    bouts: dict[UUID, list[Bout]] = {register.pk: [] for register in registers}
    for battle in battles:
        for bout in _bouts(battle):
            bouts.setdefault(bout.register, []).append(bout)
    return Fought(registers, battles, bouts)


def _bouts(battle: Battle) -> Iterator[Bout]:
    if battle.status != Battle.Status.CLOSED:
        return
    for side, other in queries.both_ways(battle):
        if side.register_id:
            yield Bout(battle, side.register_id, other.register_id, result_for(side.colour, battle.winner))

"""A campaign that was brought, read again as pages read it: one statement, however large it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast

from campaign.made import EVENT, battles_made, event_made
from campaign.models import Battle, Campaign, Event, Side
from campaign.saga.tale import acts_of
from config.together import Together, columns, made, one_of
from registers.models import Entry, Register


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Of a campaign: Registers, battles with their sides, what the closed ones brought, and the log, newest first."""

    registers: Mapping[UUID, Register]
    battles: Sequence[Battle]
    acts: Sequence[Entry]
    events: Sequence[Event]


def read(campaign: Campaign, registers: Collection[Register]) -> Again:
    """Read it, and these Registers."""
    found, sides, acts, events = _ROWS.ask(
        campaign=campaign.pk, registers=[str(register.pk) for register in registers]
    )
    battles = {battle.pk: battle for battle in battles_made(sides)}
    return Again(
        registers={register.pk: register for register in (made(Register, row) for row in found)},
        battles=list(battles.values()),
        acts=[made(Entry, row) for row in acts],
        events=[event_made(row, battles) for row in events],
    )


def _registers(campaign: UUID, registers: str) -> QuerySet[Register, Any]:
    return Register.objects.filter(pk__in=one_of(registers, "uuid")).values(*columns(Register))


def _sides(campaign: UUID, registers: str) -> QuerySet[Side, Any]:
    sides = Side.objects.filter(battle__campaign=campaign).order_by()
    return sides.values(
        *columns(Side), *columns(Battle, "battle__"), *columns(Register, "register__", without=("biography",))
    )


def _acts(campaign: UUID, registers: str) -> QuerySet[Entry, Any]:
    closed = Battle.objects.filter(campaign=campaign, status=Battle.Status.CLOSED).order_by()
    acts = acts_of(closed.values(key=Cast("pk", CharField())))
    # By Register, too: the index of battles is of those that have one, which PostgreSQL cannot tell of a sub-select.
    mine = acts.filter(register__in=one_of(registers, "uuid"))
    return mine.values("id", "register_id", "battle", "effects")


def _events(campaign: UUID, registers: str) -> QuerySet[Event, Any]:
    return Event.objects.filter(campaign=campaign).values(*EVENT)


_ROWS = Together({"campaign": UUID, "registers": list[str]}, _registers, _sides, _acts, _events)

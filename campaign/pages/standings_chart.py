"""Charts of a campaign: standings over time, and which Registers fought each other."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import F, Prefetch, Q
from django.utils import timezone

from campaign.battles.models import Battle, Side
from campaign.battles.queries import battles as battle_queries
from campaign.models import Campaign
from campaign.queries.registers import by_standing, registers_of
from registers.charts.geometry import ColumnLayout, Scale, per_cent, px, readable, room_of
from registers.ledger.session import effects_of_entry
from registers.models import LedgerEntry, Register
from rules.battle.report import result_for
from rules.core.values import KeywordValue, Value
from rules.register import effects as e

WON, DRAWN, LOST = "won", "drawn", "lost"

#: Only the Register of each side: armies, reports and answers are by far the largest columns.
_SIDES = Prefetch("sides", Side.objects.only("battle", "colour", "register"))


class Bout(Value):
    """A closed battle from the view of one Register: WON, DRAWN or LOST, and the opponent (None: a guest)."""

    battle: Battle
    register: UUID
    opponent: UUID | None
    result: str


class Fought(Value):
    """The commissioned Registers of a campaign, highest Reputation first, and its battles in the order in which they
    were closed. The battles are those whose sequence has begun; `bouts` has the closed ones of each Register.
    """

    registers: list[Register]
    battles: list[Battle]
    bouts: Mapping[UUID, list[Bout]]


def fought(campaign: Campaign) -> Fought:
    """Return the Registers and battles of a campaign for its charts."""
    registers = by_standing(registers_of(campaign))
    reported = campaign.battles.filter(status__in=(Battle.Status.SEQUENCE, Battle.Status.CLOSED))
    # Battles are played in any order, whatever their numbers are.
    in_order = reported.order_by(F("closed_at").asc(nulls_last=True), "number")
    battles = list(in_order.prefetch_related(_SIDES))
    bouts: dict[UUID, list[Bout]] = {register.pk: [] for register in registers}
    for battle in battles:
        for side, other in battle_queries.both_ways(battle) if battle.status == Battle.Status.CLOSED else ():
            if side.register_id:
                result = result_for(side.colour, battle.winner)
                bout = Bout(battle, side.register_id, other.register_id, result)
                bouts.setdefault(bout.register, []).append(bout)
    return Fought(registers, battles, bouts)


#: Above this number, battles between two Registers are shown as numbers instead of marks.
MARKS = 3


class Cell(Value):
    """The battles of a Register against one opponent (None: guests), from the view of the Register."""

    opponent: Register | None
    bouts: Sequence[Bout]
    itself: bool = False

    @property
    def tally(self) -> str:
        """Won, drawn and lost as numbers, if there are too many battles for marks."""
        return _tally(self.bouts) if len(self.bouts) > MARKS else ""


def opponents(seen: Fought) -> dict[str, Any] | None:
    """Return the table of a campaign; None before its first battle is closed."""
    bouts = [bout for found in seen.bouts.values() for bout in found]
    if not bouts:
        return None
    with_guests = any(bout.opponent is None for bout in bouts)
    return {
        "rows": [_matrix_row(register, seen, with_guests) for register in seen.registers],
        "with_guests": with_guests,
        "count": len({bout.battle.pk for bout in bouts}),
    }


def _matrix_row(register: Register, seen: Fought, with_guests: bool) -> dict[str, Any]:
    own = seen.bouts[register.pk]
    met: dict[UUID | None, list[Bout]] = {}
    for bout in own:
        met.setdefault(bout.opponent, []).append(bout)
    cells = [Cell(other, met.get(other.pk, ()), other == register) for other in seen.registers]
    if with_guests:
        cells.append(Cell(None, met.get(None, ())))
    return {"register": register, "cells": cells, "tally": _tally(own)}


def _tally(bouts: Sequence[Bout]) -> str:
    results = Counter(bout.result for bout in bouts)
    return f"{results[WON]}–{results[DRAWN]}–{results[LOST]}"


# Vertical positions in px: Reputation bars stand on a base line, below labels of 12 px; under it are the first and the
# last battle.
WORD, RISE, NUMBERS, HEIGHT = 14, 64, 15, 20


class ReputationChange(Value):
    """A change of a Register's Reputation: how much, when (the battle, if it was in one), and the total after it.
    `column` is that of the first battle after which the total applied.
    """

    column: int
    battle: Battle | None
    gained: int
    reputation: int

    @property
    def signed(self) -> str:
        """The amount with its sign."""
        return f"{self.gained:+d}".replace("-", "−")


class Standings(KeywordValue):
    """The whole chart: one row for each Register, all on the same scale, from the first battle to the last."""

    rows: list[dict[str, Any]]
    first: Battle
    last: Battle
    count: int
    highest: int
    floor: str
    numbers: str
    height: str


def standings(seen: Fought) -> Standings | None:
    """Return the chart of a campaign with one more query; None before its first battle."""
    if not seen.battles or not seen.registers:
        return None
    changes = reputations(seen.registers, seen.battles)
    highest = max((change.reputation for found in changes.values() for change in found), default=0)
    across, up = ColumnLayout(len(seen.battles), 0, 100), Scale(0, max(1, highest), WORD + RISE, WORD)
    return Standings(
        rows=[
            {
                "register": register,
                "since": per_cent(across.left(own[0].column if (own := changes[register.pk]) else 0)),
                "runs": list(_runs(own, across, up)),
                "bouts": seen.bouts[register.pk],
                "changes": [change for change in own if change.gained],
            }
            for register in seen.registers
        ],
        first=seen.battles[0],
        last=seen.battles[-1],
        count=len(seen.battles),
        highest=highest,
        floor=px(up.start),
        numbers=px(up.start + NUMBERS),
        height=px(up.start + HEIGHT),
    )


def reputations(registers: Iterable[Register], battles: Sequence[Battle]) -> dict[UUID, list[ReputationChange]]:
    """Return the changes of each Register's Reputation from its ledger in one query; the first is the initial value."""
    speaks = (
        Q(effects__contains=[{"kind": "ReputationGained"}])
        | Q(effects__contains=[{"kind": "RegisterOpened"}])
        | Q(effects__contains=[{"kind": "Corrected", "field": "reputation"}])
    )
    entries = LedgerEntry.objects.filter(speaks, register__in=registers, undone_by__isnull=True)
    found: dict[UUID, list[ReputationChange]] = {register.pk: [] for register in registers}
    by_id = {str(battle.pk): (place, battle) for place, battle in enumerate(battles)}
    closed = [battle.closed_at or timezone.now() for battle in battles]
    in_order = entries.order_by("register", "place", "position")
    for register, acts in groupby(in_order, lambda entry: entry.register_id):
        found[register] = list(_changes(acts, by_id, closed))
    return found


def _changes(
    entries: Iterable[LedgerEntry], battles: Mapping[str, tuple[int, Battle]], closed: Sequence[datetime]
) -> Iterator[ReputationChange]:
    column = reputation = 0
    for entry in entries:
        place, battle = battles.get(entry.battle, (bisect_right(closed, entry.created_at), None))
        column = min(max(column, place), len(closed) - 1)
        gained = sum(map(_gained, effects_of_entry(entry)))
        reputation += gained
        yield ReputationChange(column, battle, gained, reputation)


def _gained(effect: e.Effect) -> int:
    match effect:
        case e.RegisterOpened(reputation=amount) | e.ReputationGained(amount=amount):
            return amount
        case e.Corrected(field="reputation", old=old, new=new):
            return int(new - old)
    return 0


def _runs(changes: Sequence[ReputationChange], across: ColumnLayout, up: Scale) -> Iterator[dict[str, Any]]:
    """Yield the bars from one change to the next; there is none while a Register has no Reputation."""
    reached = {change.column: change.reputation for change in changes}
    columns = [*reached, across.count]
    runs = [
        (begins, ends, reputation)
        for begins, ends, reputation in zip(columns, columns[1:], reached.values(), strict=False)
        if reputation > 0
    ]
    room = room_of(len(str(max(reached.values(), default=0))) + 1)
    labels = [min(across.left(begins), across.end - room) for begins, _ends, _reputation in runs]
    shown = set(readable(labels, room))
    for place, (begins, ends, reputation) in enumerate(runs):
        yield {
            "x": per_cent(across.left(begins)),
            "width": per_cent(across.left(ends) - across.left(begins)),
            "y": px(up(reputation)),
            "height": px(up.length(reputation)),
            "reputation": reputation,
            "label": str(reputation) if place in shown else "",
            "label_x": per_cent(labels[place]),
            "label_y": px(up(reputation) - 3),
        }

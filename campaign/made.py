"""Battles and events of what `config.together` found of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from uuid import UUID

from accounts.models import User
from config.together import Row, columns, made, made_if_any
from registers.models import Register

from .models import Battle, Event, Side

#: What is read of a person to name them.
NAMES = ("id", "username", "known_as")
#: What is read of an event.
EVENT = (*columns(Event), *(f"{who}__{name}" for who in ("actor", "acting_for") for name in NAMES))


def battles_made(rows: Iterable[Row]) -> Iterator[Battle]:
    """Battles, each with both of its sides, blue first, and their Registers. A row is one of a side, with what was
    found of its battle (`battle__`) and of its Register (`register__`); the same one may come twice."""
    in_order = sorted(rows, key=lambda row: (row["battle_id"], row["colour"]))
    for _, both in groupby(in_order, key=lambda row: row["battle_id"]):
        by_colour = {row["colour"]: row for row in both}
        battle = made(Battle, by_colour[Side.BLUE], "battle__")
        battle.carry(_side(row) for row in by_colour.values())
        yield battle


def _side(row: Row) -> Side:
    side = made(Side, row)
    side.register = made_if_any(Register, row, "register__")
    return side


def event_made(row: Row, battles: Mapping[UUID, Battle]) -> Event:
    """An event, with who did it and in whose stead, of a row that has what EVENT says, and its battle among these."""
    event = made(Event, row)
    event.battle = battles.get(event.battle_id)
    event.actor = made_if_any(User, row, "actor__")
    event.acting_for = made_if_any(User, row, "acting_for__")
    return event

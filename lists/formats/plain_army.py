"""Plain armies: the input of the writers, and the certain part of a list that was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lists.formats.cards import CardIndex
from lists.formats.parsed import Kind, Line, Parsed
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit

__all__ = [
    "PlainArmy", "PlainUnit", "army_of", "army_points", "counterpart_points", "unit_points",
]  # fmt: skip


def unit_points(unit: PlainUnit, index: CardIndex) -> int:
    """Return the points of a unit card and its upgrades, without its counterpart."""
    return index.units[unit.card].points + sum(index.upgrades[slug].points for slug in unit.upgrades)


def counterpart_points(unit: PlainUnit, index: CardIndex) -> int:
    """Return the points of a unit's counterpart and its upgrades; 0 without one."""
    if not unit.counterpart:
        return 0
    upgrades = sum(index.upgrades[slug].points for slug in unit.counterpart_upgrades)
    return index.counterparts[unit.counterpart].points + upgrades


def army_points(army: PlainArmy, index: CardIndex) -> int:
    """Return the points of all cards of an army in the current catalogue."""
    return sum(unit_points(unit, index) + counterpart_points(unit, index) for unit in army.units)


def army_of(parsed: Parsed) -> PlainArmy:
    """Return the army of all lines that are understood. Open lines are left out: let the player `settle` them first.

    Lines that belong to an open unit are left out too, and contingencies, which are not part of a Command Hand.
    """
    lines = parsed.lines
    units = tuple(
        _unit(lines, place, line.card) for place, line in enumerate(lines) if line.kind is Kind.UNIT and line.card
    )
    return PlainArmy(
        faction=_card(lines, Kind.FACTION),
        battle_force=_card(lines, Kind.BATTLE_FORCE),
        size=next((line.number or 0 for line in lines if line.kind is Kind.SIZE), 0),
        title=next((line.read for line in lines if line.kind is Kind.TITLE), ""),
        units=units,
        command_cards=tuple(slug for slug in _cards(lines, Kind.COMMAND_CARD) if slug != STANDING_ORDERS),
        battle_cards=_cards(lines, Kind.BATTLE_CARD),
    )


def _unit(lines: Sequence[Line], place: int, card: str) -> PlainUnit:
    unit = PlainUnit(card, _cards(lines, Kind.UPGRADE, of=place), loadout=_cards(lines, Kind.LOADOUT, of=place))
    for other, line in enumerate(lines):
        if line.kind is Kind.COUNTERPART and line.of == place and line.card:
            upgrades = _cards(lines, Kind.UPGRADE, of=other)
            return replace(unit, counterpart=line.card, counterpart_upgrades=upgrades)
    return unit


def _cards(lines: Sequence[Line], kind: Kind, *, of: int | None = None) -> tuple[str, ...]:
    return tuple(line.card for line in lines if line.kind is kind and line.card and line.of == of)


def _card(lines: Sequence[Line], kind: Kind) -> str:
    return next(iter(_cards(lines, kind)), "")

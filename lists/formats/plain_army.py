"""Plain armies: the input of the writers, and the certain part of a list that was read."""

from collections.abc import Sequence
from dataclasses import replace

from lists.formats.cards import CardIndex
from lists.formats.parsed import LineKind, Parsed, ParsedLine
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit


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
        _unit(lines, place, line.card) for place, line in enumerate(lines) if line.kind is LineKind.UNIT and line.card
    )
    return PlainArmy(
        faction=_card(lines, LineKind.FACTION),
        battle_force=_card(lines, LineKind.BATTLE_FORCE),
        size=next((line.number or 0 for line in lines if line.kind is LineKind.SIZE), 0),
        title=next((line.read for line in lines if line.kind is LineKind.TITLE), ""),
        units=units,
        command_cards=tuple(slug for slug in _cards(lines, LineKind.COMMAND_CARD) if slug != STANDING_ORDERS),
        battle_cards=_cards(lines, LineKind.BATTLE_CARD),
    )


def _unit(lines: Sequence[ParsedLine], place: int, card: str) -> PlainUnit:
    unit = PlainUnit(card, _cards(lines, LineKind.UPGRADE, of=place), loadout=_cards(lines, LineKind.LOADOUT, of=place))
    for other, line in enumerate(lines):
        if line.kind is LineKind.COUNTERPART and line.of == place and line.card:
            upgrades = _cards(lines, LineKind.UPGRADE, of=other)
            return replace(unit, counterpart=line.card, counterpart_upgrades=upgrades)
    return unit


def _cards(lines: Sequence[ParsedLine], kind: LineKind, *, of: int | None = None) -> tuple[str, ...]:
    return tuple(line.card for line in lines if line.kind is kind and line.card and line.of == of)


def _card(lines: Sequence[ParsedLine], kind: LineKind) -> str:
    return next(iter(_cards(lines, kind)), "")

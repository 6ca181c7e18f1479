"""Tabletop Admiral's text, as far as its grammar is known.

    600/600
    8 Activations
    Han Solo 100 + 13 = 113 --Upgrade (8), Upgrade (5)
    2x Rebel Troopers 40 x 2 = 80

Upgrades may stand in a line of their own. Below the units, a list of command cards with pips and lists of battle
cards. Only read. Lost: titles, the title of the list, its Faction, its battle force; whether the points of a unit
with copies are counted with upgrades, so both are believed.
"""

from __future__ import annotations

import re

from rules.language import gettext

from .cards import CardIndex
from .drafts import Sheet
from .limits import careful, shown
from .parsed import Format, Kind, Parsed
from .text_lines import add_unit, check_activations, listed, priced, read_commands, too_long, unit_of
from .understanding import understood

POINTS = re.compile(r"([0-9]{1,5})\s*/\s*([0-9]{1,5})")
ACTIVATIONS = re.compile(r"([0-9]{1,3})\s+Activations?", re.IGNORECASE)
_TAIL = re.compile(r" ([0-9]{1,4})(?: \+ ([0-9]{1,4}))?(?: [x×] ([0-9]{1,2}))?(?: = ([0-9]{1,5}))?$")
_COPIES = re.compile(r"([0-9]{1,2})[x×] ")


@careful(Format.ADMIRAL_TEXT)
def read(text: str, index: CardIndex) -> Parsed:
    """Tabletop Admiral's text as lines. Refused: only what breaks a limit."""
    sheet = Sheet(index, title_lost=True)
    activations = 0
    units: list[int] = []
    sheet.faction("")
    for line in listed(text):
        points, claim = POINTS.fullmatch(line[:40]), ACTIVATIONS.fullmatch(line[:40])
        if too_long(sheet, line):
            continue
        if points:
            sheet.counted(Kind.POINTS, line, int(points[1]))
            sheet.counted(Kind.SIZE, line, int(points[2]))
        elif claim:
            activations = int(claim[1])
        else:
            units = _read_line(sheet, line, units)
    check_activations(sheet, activations)
    return understood(Format.ADMIRAL_TEXT, sheet)


def _read_line(sheet: Sheet, line: str, units: list[int]) -> list[int]:
    """Note what stands in a line; returns the places of the units that upgrades in the next one belong to."""
    own, dashes, upgrades = line.partition("--")
    tail = _TAIL.search(own.strip())
    if tail:
        units = _read_unit(sheet, line, own.strip()[: tail.start()], tail, units)
    elif own.strip():
        _read_cards(sheet, line)
        return units
    if dashes:
        _read_upgrades(sheet, line, upgrades, units)
    return units


def _read_unit(sheet: Sheet, line: str, name: str, tail: re.Match[str], units: list[int]) -> list[int]:
    cost, extra = int(tail[1]), int(tail[2] or 0)
    prefix = _COPIES.match(name)
    count = max(1, int(prefix[1] if prefix else tail[3] or 1))
    name = name[prefix.end() :] if prefix else name
    last = unit_of(sheet, units[-1]) if units else None
    found = [add_unit(sheet, line, name, (cost,), last) for _ in range(count)]
    if tail[4] and int(tail[4]) != (cost + extra) * count:
        sheet.drafts[found[-1]].problems.append(
            gettext(
                "The list adds this up to {total} points; it is {claimed}.",
                total=tail[4],
                claimed=(cost + extra) * count,
            )
        )
    return found


def _read_upgrades(sheet: Sheet, line: str, text: str, units: list[int]) -> None:
    cards, rest = priced(text)
    if rest or not cards or not units:
        sheet.unknown(line, gettext("These upgrades cannot be read, or stand before any unit."))
        return
    for unit in units:
        for name, cost in cards:
            sheet.named(Kind.UPGRADE, f"{name} ({cost})", name, of=unit, costs=(cost,))
        if len(units) > 1:
            sheet.drafts[unit].costs += tuple(
                points - sum(cost for _, cost in cards) for points in sheet.drafts[unit].costs
            )


def _read_cards(sheet: Sheet, line: str) -> None:
    """A line without points: command cards if it has pips or names of them, else battle cards."""
    names = sheet.split(Kind.BATTLE_CARD, line)
    if any(sheet.knows(Kind.BATTLE_CARD, name) for name in names):
        for name in names:
            sheet.named(Kind.BATTLE_CARD, shown(name), name)
    elif line[0] in "•*" or any(
        sheet.knows(Kind.COMMAND_CARD, name) for name in sheet.split(Kind.COMMAND_CARD, line)
    ):
        read_commands(sheet, Kind.COMMAND_CARD, line)
    else:
        sheet.unknown(line, gettext("This is neither a unit with its points nor a list of cards."))

"""Legion HQ's "tournament text": a line for each copy of a unit, its upgrades in lines below.

Lost: the titles of all cards (Luke Skywalker is three), so the points, the Faction and the upgrades have to tell them
apart, and what they cannot tell apart is left to the player; the Faction, which the units tell; the battle force;
recon or standard at 601 to 800 points; an army called "Untitled".
"""

from __future__ import annotations

from rules.command_hand import STANDING_ORDERS
from rules.language import gettext

from .cards import BattleCard, Card, CardIndex
from .drafts import Sheet
from .limits import careful
from .parsed import Format, Kind, Parsed
from .plain_army import PlainArmy, PlainUnit, army_points, counterpart_points, unit_points
from .text_lines import (
    UNTITLED,
    add_unit,
    check_activations,
    listed,
    priced,
    read_commands,
    read_header,
    too_long,
    undashed,
    unit_of,
)
from .understanding import understood

#: Headings, by what stands below them.
SECTIONS = {
    "commands": Kind.COMMAND_CARD, "contingencies": Kind.CONTINGENCY, "battle deck": Kind.BATTLE_CARD,
    "objectives": Kind.BATTLE_CARD, "secondaries": Kind.BATTLE_CARD, "advantages": Kind.BATTLE_CARD,
}  # fmt: skip
_DECK = {"objective": "Objectives", "secondary": "Secondaries", "advantage": "Advantages"}


@careful(Format.TOURNAMENT_TEXT)
def read(text: str, index: CardIndex) -> Parsed:
    """Tournament text as lines. Refused: only what breaks a limit."""
    sheet = Sheet(index, title_lost=True)
    lines, activations = read_header(sheet, listed(text))
    section = Kind.UNIT
    unit: int | None = None
    for line in lines:
        heading = SECTIONS.get(line.removesuffix(":").lower())
        if heading:
            section = heading
        elif too_long(sheet, line):
            continue
        elif section is Kind.UNIT:
            unit = _read_unit_line(sheet, line, unit)
        elif section is Kind.BATTLE_CARD:
            sheet.named(section, line, undashed(line))
        else:
            read_commands(sheet, section, line)
    check_activations(sheet, activations)
    return understood(Format.TOURNAMENT_TEXT, sheet)


def _read_unit_line(sheet: Sheet, line: str, last: int | None) -> int | None:
    """Note a unit, its counterpart or an upgrade of it; returns the place of the unit that follows belong to."""
    name = undashed(line)
    cards, rest = priced(name)
    if rest or not cards:
        sheet.unknown(line, gettext("This is neither a unit nor an upgrade with its points."))
    elif name != line:
        for upgrade, cost in cards:
            if last is None:
                sheet.unknown(line, gettext("This upgrade stands before any unit."))
            else:
                sheet.named(Kind.UPGRADE, line, upgrade, of=last, costs=(cost,))
                # Points of a unit are counted with its upgrades.
                own = sheet.drafts[last]
                own.costs = tuple(points - cost for points in own.costs)
    elif len(cards) > 1:
        sheet.unknown(line, gettext("Two units stand in one line."))
    else:
        [(unit, total)] = cards
        return add_unit(sheet, line, unit, (total,), unit_of(sheet, last))
    return last


# --- Writing -----------------------------------------------------------------------------------------------


def write(army: PlainArmy, index: CardIndex) -> str:
    """An army as tournament text, with the points of today. Raises KeyError for cards that are not in the index."""
    number = len(army.units)
    lines = [
        " ".join(army.title.split()) or UNTITLED,
        f"{army_points(army, index)}/{army.size} ({number} activation{'s' if number != 1 else ''})",
    ]
    for unit in army.units:
        lines += _unit_lines(unit, index)
    if army.command_cards:
        hand = [index.command_cards[slug] for slug in (*army.command_cards, STANDING_ORDERS)]
        lines += ["", "Commands:", *(f"{'•' * card.pips}{card.name}" for card in hand)]
    if army.battle_cards:
        lines += ["", "Battle Deck", *_deck_lines([index.battle_cards[slug] for slug in army.battle_cards])]
    return "\n".join(lines) + "\n"


def _unit_lines(unit: PlainUnit, index: CardIndex) -> list[str]:
    lines = [_priced(index.units[unit.card], unit_points(unit, index)), *_upgrade_lines(unit.upgrades, index)]
    if unit.counterpart:
        lines.append(_priced(index.counterparts[unit.counterpart], counterpart_points(unit, index)))
        lines += _upgrade_lines(unit.counterpart_upgrades, index)
    return lines


def _upgrade_lines(slugs: tuple[str, ...], index: CardIndex) -> list[str]:
    return [f" - {_priced(index.upgrades[slug], index.upgrades[slug].points)}" for slug in slugs]


def _priced(card: Card, points: int) -> str:
    return f"{card.name} ({points})"


def _deck_lines(deck: list[BattleCard]) -> list[str]:
    lines = []
    for type_, heading in _DECK.items():
        names = [f" - {card.name}" for card in deck if card.type == type_]
        lines += [f"{heading}:", *names] if names else []
    return lines

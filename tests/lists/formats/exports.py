"""Lists in the formats of other programs."""

from dataclasses import replace

from rules.battle.plain_army import PlainArmy
from tests.lists.formats.strategies import INDEX


def slotted(army: PlainArmy) -> PlainArmy:
    """The army with upgrades in an order of their own: a link has that of the slots."""
    return replace(army, units=tuple(replace(unit, upgrades=tuple(sorted(unit.upgrades))) for unit in army.units))


def tts_deck(army: PlainArmy) -> PlainArmy:
    """The army with its battle cards in the order of the old words."""
    types = ["advantage", "objective", "secondary"]
    deck = sorted(army.battle_cards, key=lambda slug: types.index(INDEX.battle_cards[slug].type))
    return replace(army, battle_cards=tuple(deck))

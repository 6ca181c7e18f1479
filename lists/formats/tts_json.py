"""The JSON that Tabletop Simulator loads, as Legion HQ, Tabletop Admiral and others write it.

Names are complete, with titles. A counterpart is one more string among its unit's upgrades. The three kinds of battle
cards have old keys, which writers use differently; so the type of a card counts and not its key.

Lost: the size; the Faction of mercenaries and Mandalorians, unless a battle force shows it; which of two cards of one
name and title is meant if neither Faction, unit nor battle force decides (the Rebel AT-RT is not the Republic's, but a
Rebel army may include either A-A5 Speeder Truck).
"""

import json
import re
from typing import Any

from lists.formats.cards import CardIndex, Counterpart
from lists.formats.legion_hq_link import write as write_link
from lists.formats.limits import Unreadable, careful, json_object, list_value, number_value, text_value, value_shown
from lists.formats.list_text import miscounted
from lists.formats.parsed import Format, LineKind, Parsed
from lists.formats.plain_army import army_points
from lists.formats.understanding import Draft, Sheet, check_upgrades, understood
from lists.formats.words import FACTIONS
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.card_types import MERCENARY, Unit, Upgrade
from rules.core.translation import gettext

ADMIRAL = "Tabletop Admiral"
#: Factions without a word in this format.
WORDLESS = frozenset({MERCENARY, "mandalorian"})
#: Keys that say nothing about the army.
ASIDE = frozenset({"author", "listlink", "numActivations"})
#: The keys for battle cards: Legion HQ's, LegionApp's and the mod's.
DECK = ("objective", "objectives", "deployment", "conditions", "condition", "secondary", "advantage")
#: Types of battle cards by the keys that Legion HQ writes for them.
_WRITTEN = {"conditions": "advantage", "deployment": "objective", "objective": "secondary"}
SCENARIOS = {"standard": "standard", "recon": "recon"}


@careful(Format.TTS_JSON)
def read(text: str, index: CardIndex) -> Parsed:
    """Return the JSON as lines; its author shows Tabletop Admiral's. Refuses JSON without a list of units."""
    data = _with_our_keys(json_object(text), _KNOWN)
    if not isinstance(data.get("units"), list):
        raise Unreadable(gettext("This JSON does not contain units."))
    sheet = Sheet(index)
    _read_header(sheet, data)
    for entry in data["units"]:
        _read_unit(sheet, entry)
    for key, kind in (("commandCards", LineKind.COMMAND_CARD), ("contingencies", LineKind.CONTINGENCY)):
        for name in list_value(data.get(key)):
            read_name(sheet, kind, name)
    _read_deck(sheet, data.get("battlefieldDeck"))
    units = sum(draft.kind is LineKind.UNIT for draft in sheet.drafts)
    claimed = number_value(data.get("numActivations"))
    if claimed is not None and claimed != units:
        sheet.violations.append(miscounted(claimed, units))
    admiral = text_value(data.get("author")) == ADMIRAL
    return understood(Format.ADMIRAL_JSON if admiral else Format.TTS_JSON, sheet)


_KNOWN = frozenset({
    "listname", "points", "point", "armyFaction", "battleForce", "commandCards", "contingencies", "units",
    "battlefieldDeck",
})  # fmt: skip


#: Keys that some writers have for the number of copies; Tabletop Simulator has one entry a copy.
_COUNTS = ("count", "quantity", "qty", "copies")
#: Keys that writers have for the name of a unit.
_NAMES = ("name", "unitName", "unit", "card")
_UNIT_KNOWN = frozenset({*_NAMES, "upgrades", "loadout", "varName", *_COUNTS})
#: Keys of other programs for ours.
_OTHER_KEYS = {"faction": "armyFaction", "title": "listname"}


def _with_our_keys(data: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Return an object with our spelling of its keys: "Units" are "units"."""
    ours = {key.lower(): key for key in known} | {word: key for word, key in _OTHER_KEYS.items() if key in known}
    spelled = {key: ours.get(key.lower(), key) for key in data}
    return {key if spelled[key] in data else spelled[key]: value for key, value in data.items()}


def _read_header(sheet: Sheet, data: dict[str, Any]) -> None:
    if title := text_value(data.get("listname")):
        sheet.add(LineKind.TITLE, title)
    for key in ("points", "point"):
        if key in data:
            sheet.counted(LineKind.POINTS, value_shown(data[key]), number_value(data[key]))
    read_faction(sheet, data.get("armyFaction"))
    if data.get("battleForce"):
        read_name(sheet, LineKind.BATTLE_FORCE, data["battleForce"])
    read_rest(sheet, data, _KNOWN, aside=ASIDE)


def read_faction(sheet: Sheet, value: Any, *, of: int | None = None) -> None:
    """Note the Faction that a value names; without one it has to be inferred."""
    word = text_value(value)
    known = FACTIONS.get(word.lower())
    draft = sheet.drafts[sheet.faction(word, *([known] if known else []))]
    draft.of = of
    if value not in (None, "") and not known:
        draft.violations.append(gettext("No Faction has this name."))


def read_rest(
    sheet: Sheet,
    data: dict[str, Any],
    known: frozenset[str],
    *,
    aside: frozenset[str] = frozenset(),
    of: int | None = None,
) -> None:
    """Note keys that no reader knows, and those in `aside`, as notes: they are ignored."""
    for key, value in data.items():
        if key not in known:
            sheet.add(
                LineKind.NOTE,
                f"{key}: {value_shown(value)}",
                of=of,
                violation="" if key in aside else gettext("This key is unknown in this format."),
            )


def read_name(sheet: Sheet, kind: LineKind, value: Any, *, of: int | None = None) -> None:
    """Note the card that a value names; a value that is not a name is not understood."""
    if name := text_value(value):
        sheet.named(kind, name, name, of=of)
    else:
        sheet.unknown(
            value_shown(value), gettext("The name is missing ({kind}).", kind=gettext(kind.replace("_", " "))), of=of
        )


def _read_unit(sheet: Sheet, entry: Any) -> None:
    if isinstance(entry, str):
        several = re.fullmatch(r"([0-9]{1,2})\s?[x×]\s*(.+)", entry)
        entry = {"name": several[2], "count": several[1]} if several else {"name": entry}
    entry = _with_our_keys(entry, _UNIT_KNOWN) if isinstance(entry, dict) else entry
    names = [text_value(entry.get(key)) for key in _NAMES] if isinstance(entry, dict) else []
    if not (name := next(filter(None, names), "")):
        sheet.unknown(value_shown(entry), gettext("This is not a unit with a name."))
        return
    copies = next((number_value(entry[key]) for key in _COUNTS if key in entry), 1)
    for _ in range(max(1, copies or 1)):
        _read_copy(sheet, entry, name)


def _read_copy(sheet: Sheet, entry: dict[str, Any], name: str) -> None:
    unit = sheet.named(LineKind.UNIT, name, name)
    texts = list_value(entry.get("upgrades"))
    check_upgrades(len(texts))
    names = [text_value(value.get("name") if isinstance(value, dict) else value) for value in texts]
    known = [not sheet.knows(LineKind.UPGRADE, name) and sheet.knows(LineKind.COUNTERPART, name) for name in names]
    counterpart: int | None = None
    for name, is_counterpart in zip(names, known, strict=True):
        if is_counterpart and counterpart is None:
            counterpart = sheet.named(LineKind.COUNTERPART, name, name, of=unit)
    for value, name, is_counterpart in zip(texts, names, known, strict=True):
        if not is_counterpart:
            owner = _owner(sheet, unit, counterpart, name)
            read_name(sheet, LineKind.UPGRADE, name or value, of=owner)
    for value in list_value(entry.get("loadout")):
        read_name(sheet, LineKind.LOADOUT, value, of=unit)
    read_rest(sheet, entry, _UNIT_KNOWN, of=unit)


def _owner(sheet: Sheet, unit: int, counterpart: int | None, name: str) -> int:
    """Return the counterpart for an upgrade that only it has a slot for among its unit's upgrades, else the unit."""
    if counterpart is None:
        return unit
    types = {card.type for card in sheet.index.named(LineKind.UPGRADE, name).cards if hasattr(card, "type")}
    if types <= _slots(sheet.drafts[counterpart]) and not types & _slots(sheet.drafts[unit]):
        return counterpart
    return unit


def _slots(draft: Draft) -> set[str]:
    return {slot for card in draft.cards if isinstance(card, Unit | Counterpart) for slot in card.upgrade_slots}


def _read_deck(sheet: Sheet, deck: Any) -> None:
    if deck is not None and not isinstance(deck, dict):
        sheet.unknown(value_shown(deck), gettext("The battle deck must list cards by type."))
        return
    for key, value in (deck or {}).items():
        if key == "scenario":
            scenario = SCENARIOS.get(text_value(value).lower())
            sheet.add(LineKind.SCENARIO if scenario else LineKind.NOTE, scenario or f"scenario: {value_shown(value)}")
        elif key in DECK:
            for name in list_value(value):
                read_name(sheet, LineKind.BATTLE_CARD, name)
        else:
            read_rest(sheet, {key: value}, frozenset())


def write(army: PlainArmy, index: CardIndex) -> str:
    """Return the JSON of an army, with current points. Raises KeyError for cards that are not in the index."""
    deck = [index.battle_cards[slug] for slug in army.battle_cards]
    hand = [index.command_cards[slug] for slug in (*army.command_cards, STANDING_ORDERS)]
    scenario = "recon" if 0 < army.size <= 600 else "standard"
    data: dict[str, Any] = {
        "author": "Musterbook",
        "listname": army.title,
        "points": army_points(army, index),
        "numActivations": len(army.units),
        "armyFaction": "" if army.faction in WORDLESS else army.faction,
    }
    if army.battle_force:
        data["battleForce"] = index.battle_forces[army.battle_force].name
    data |= {
        "commandCards": [card.name for card in hand],
        "contingencies": [],
        "units": [_unit(unit, index) for unit in army.units],
        "battlefieldDeck": {
            **{word: [card.name for card in deck if card.type == type_] for word, type_ in _WRITTEN.items()},
            "scenario": deck[0].format if deck else scenario,
        },
        "listlink": write_link(army, index),
    }
    return json.dumps(data, ensure_ascii=False, indent=4)


def _unit(unit: PlainUnit, index: CardIndex) -> dict[str, Any]:
    card = index.units[unit.card]
    upgrades = [_upgrade(index.upgrades[slug]) for slug in unit.upgrades]
    if unit.counterpart:
        upgrades.append(_spaced(index.counterparts[unit.counterpart]))
        upgrades += [_upgrade(index.upgrades[slug]) for slug in unit.counterpart_upgrades]
    loadout = [_upgrade(index.upgrades[slug]) for slug in unit.loadout]
    return {"name": _spaced(card), "upgrades": upgrades, "loadout": loadout}


def _spaced(card: Unit | Counterpart) -> str:
    """Return the mod's name of a unit: its own, or name and title with a space between."""
    return card.tts_name or f"{card.name} {card.title}".strip()


def _upgrade(card: Upgrade) -> str:
    """Return the mod's name of an upgrade: its own, or name and title with a comma between."""
    return card.tts_name or card.full_name

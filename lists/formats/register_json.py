"""A file of Tours of Duty Registers that players already share: {"format": "legion-tod-register", "version": 1 …}.

Almost every value in it is free text, so any character may separate a list of names, and names may be shortened. The
format is only read. Lost: how a unit earned its experience, and the Paragon unless there is only one commander.
"""

import re
from typing import Any

from lists.formats.cards import CardIndex
from lists.formats.limits import Unreadable, careful, json_object, list_value, number_value, text_value, value_shown
from lists.formats.parsed import Format, LineKind, Parsed
from lists.formats.tts_json import read_faction, read_name, read_rest
from lists.formats.understanding import Sheet, understood
from lists.formats.words import FACTIONS
from rules.core.translation import gettext

FORMAT = "legion-tod-register"
VERSION = 1

#: Numbers of a Register and of a Dossier, by their keys in the file.
_REGISTER_NUMBERS = {
    "combatPotential": LineKind.COMBAT_POTENTIAL, "supplyPoints": LineKind.SUPPLY_POINTS,
    "reputation": LineKind.REPUTATION,
}  # fmt: skip
_DOSSIER_NUMBERS = {"veteranRank": LineKind.VETERAN_RANK, "experience": LineKind.EXPERIENCE}
_DOSSIER_NAMES = {
    "upgrades": LineKind.UPGRADE, "setbacks": LineKind.SETBACK, "commendations": LineKind.COMMENDATION,
}  # fmt: skip
_REGISTER_KNOWN = frozenset({
    *_REGISTER_NUMBERS, "name", "faction", "storyArc", "strategicAssets", "agendas", "dossiers",
})  # fmt: skip
_DOSSIER_KNOWN = frozenset({*_DOSSIER_NUMBERS, *_DOSSIER_NAMES, "dossierName", "unitName", "unitFaction"})
#: Keys that the app stores in another way, or not at all.
_ASIDE = frozenset({
    "format", "version", "exportedAt", "id", "unitId", "updatedAt", "combatPotentialSpent", "pointsSpent",
    "objectives",
})  # fmt: skip
#: Words that people write for an empty value.
_NOTHING = frozenset({"", "-", "–", "—", "none", "n/a", "0"})
#: "Downtrodden 2", "Downtrodden x2", "2x Downtrodden"
_TIMES = re.compile(r"(?:([0-9])\s*[x×]\s*)?(.*?)(?:\s*[x×]?\s*([0-9]))?", re.IGNORECASE)


@careful(Format.REGISTER_JSON)
def read(text: str, index: CardIndex) -> Parsed:
    """Return the Registers of a file as lines: a line for each Register, followed by the lines that belong to it.

    Refuses another format or version, and a file without a list of Registers.
    """
    data = json_object(text)
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise Unreadable(gettext("This is not {format} version {version}.", format=FORMAT, version=VERSION))
    if not isinstance(data.get("registers"), list):
        raise Unreadable(gettext("This JSON does not contain Registers."))
    sheet = Sheet(index)
    read_rest(sheet, data, frozenset({"registers"}), aside=_ASIDE)
    for register in data["registers"]:
        _read_register(sheet, register)
    return understood(Format.REGISTER_JSON, sheet)


def _read_register(sheet: Sheet, register: Any) -> None:
    if not isinstance(register, dict):
        sheet.unknown(value_shown(register), gettext("This is not a Register."))
        return
    place = sheet.add(LineKind.REGISTER, text_value(register.get("name")))
    read_faction(sheet, register.get("faction"), of=place)
    _read_names(sheet, LineKind.STORY_ARC, register.get("storyArc"), place)
    for key, kind in _REGISTER_NUMBERS.items():
        _read_number(sheet, kind, register.get(key), place)
    _read_names(sheet, LineKind.ASSET, register.get("strategicAssets"), place)
    for agenda in list_value(register.get("agendas")):
        _read_agenda(sheet, agenda, place)
    for dossier in list_value(register.get("dossiers")):
        _read_dossier(sheet, dossier, place)
    read_rest(sheet, register, _REGISTER_KNOWN, aside=_ASIDE, of=place)


def _read_agenda(sheet: Sheet, value: Any, register: int) -> None:
    name = text_value(value.get("name") if isinstance(value, dict) else value)
    if name.lower() in _NOTHING and (value is None or isinstance(value, dict | str)):
        return
    if not name:
        sheet.unknown(value_shown(value), gettext("This is not an Agenda with a name."), of=register)
        return
    draft = sheet.drafts[sheet.named(LineKind.AGENDA, name, name, of=register)]
    if isinstance(value, dict):
        draft.number = number_value(value.get("progression"))
        if draft.number is None:
            draft.violations.append(
                gettext("The number of progressions cannot be {value}.", value=value_shown(value.get("progression")))
            )


def _read_dossier(sheet: Sheet, dossier: Any, register: int) -> None:
    name = text_value(dossier.get("unitName")) if isinstance(dossier, dict) else ""
    if not name:
        sheet.unknown(value_shown(dossier), gettext("This is not a Dossier with a unit name."), of=register)
        return
    unit = sheet.named(LineKind.UNIT, name, name, of=register)
    faction = FACTIONS.get(text_value(dossier.get("unitFaction")).lower())
    _prefer(sheet, unit, faction)
    if own := text_value(dossier.get("dossierName")):
        sheet.add(LineKind.DOSSIER_NAME, own, of=unit)
    for key, kind in _DOSSIER_NUMBERS.items():
        _read_number(sheet, kind, dossier.get(key), unit)
    for key, kind in _DOSSIER_NAMES.items():
        _read_names(sheet, kind, dossier.get(key), unit)
    read_rest(sheet, dossier, _DOSSIER_KNOWN, aside=_ASIDE, of=unit)


def _prefer(sheet: Sheet, unit: int, faction: str | None) -> None:
    """Use the Faction of a Dossier to choose among unit cards of one name."""
    draft = sheet.drafts[unit]
    own = tuple(card for card in draft.cards if getattr(card, "faction", "") == faction)
    if draft.exact and own and len(own) < len(draft.cards):
        draft.cards, draft.because = own, gettext("the Faction")


def _read_number(sheet: Sheet, kind: LineKind, value: Any, of: int) -> None:
    if value not in (None, ""):
        sheet.counted(kind, value_shown(value), number_value(value), of=of)


def _read_names(sheet: Sheet, kind: LineKind, value: Any, of: int) -> None:
    for part in list_value(value):
        if not isinstance(part, str):
            read_name(sheet, kind, part, of=of)
            continue
        for name in sheet.split(kind, part):
            if name.lower() not in _NOTHING:
                _read_name(sheet, kind, name, of)


def _read_name(sheet: Sheet, kind: LineKind, name: str, of: int) -> None:
    """Note a name, perhaps with a number; Setbacks that stack have a 1 in their name."""
    found = None if sheet.knows(kind, name) else _TIMES.fullmatch(name[:200])
    if not found or kind not in (LineKind.SETBACK, LineKind.UPGRADE, LineKind.ASSET):
        sheet.named(kind, name, name, of=of)
        return
    bare = found[2]
    called = f"{bare} 1" if kind is LineKind.SETBACK and sheet.knows(kind, f"{bare} 1") else bare
    for _ in range(max(1, int(found[1] or found[3] or 1))):
        sheet.named(kind, name, called, of=of)

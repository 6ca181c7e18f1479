"""What the text formats have in common: the header, pips, copies, counterparts between units."""

from __future__ import annotations

import re

from rules.language import gettext, ngettext

from .drafts import Sheet
from .limits import MAX_LINE, lines_of, shown
from .parsed import Kind

#: "180/600 (1 activation)"
HEADER = re.compile(
    r"([0-9]{1,5})\s*/\s*([0-9]{1,5})(?:\s*\(\s*([0-9]{1,3})\s+activations?\s*\))", re.IGNORECASE
)
_PIPS = re.compile(r"[•●∙·*]{1,4}")
COPIES = re.compile(r"([0-9]{1,2})\s*[×xX]\s+(?=\S)")
_DASH = re.compile(r"^[-–—]+\s*")
UNTITLED = "Untitled"


def listed(text: str) -> list[str]:
    """The lines of a text that say something, each on its own, without blanks around it.

    Raises Unreadable for a text that breaks a limit.
    """
    return [line.strip() for line in lines_of(text) if line.strip()]


def too_long(sheet: Sheet, line: str) -> bool:
    """Whether a line is too long to be looked at; it is noted as not understood then."""
    if len(line) <= MAX_LINE:
        return False
    sheet.unknown(line, gettext("This line is too long for a list."))
    return True


def read_header(sheet: Sheet, lines: list[str]) -> tuple[list[str], int]:
    """Note title, points, size and the Faction that is to be inferred.

    Returns the other lines and how many activations the list claims, 0 if it does not say.
    """
    matches = [HEADER.fullmatch(line[:MAX_LINE]) for line in lines[:2]]
    place, found = next(((place, match) for place, match in enumerate(matches) if match), (0, None))
    activations = 0
    if found:
        if place and lines[0] != UNTITLED:
            sheet.add(Kind.TITLE, lines[0])
        points, size, activations = (int(number) for number in found.groups())
        sheet.counted(Kind.POINTS, lines[place], points)
        sheet.counted(Kind.SIZE, lines[place], size)
        lines = lines[place + 1 :]
    sheet.faction("")
    return lines, activations


def check_activations(sheet: Sheet, claimed: int) -> None:
    """Say so if there are more or fewer units than the list claims."""
    units = sum(draft.kind is Kind.UNIT for draft in sheet.drafts)
    if claimed and claimed != units:
        sheet.problems.append(miscounted(claimed, units))


def miscounted(claimed: int, units: int) -> str:
    """The sentence for a list that has another number of units than it claims activations."""
    were = ngettext("{number} unit was read", "{number} units were read", units)
    return ngettext(
        "The list claims {number} activation; {were}.",
        "The list claims {number} activations; {were}.",
        claimed,
        were=were,
    )


def undashed(line: str) -> str:
    """The line without the dash of a list before it; web pages make longer dashes of them."""
    return _DASH.sub("", line)


def copies(text: str) -> tuple[int, str]:
    """How many of what: "2× Rebel Troopers"."""
    found = COPIES.match(text)
    return (max(1, int(found[1])), text[found.end() :]) if found else (1, text)


def add_unit(sheet: Sheet, read: str, name: str, costs: tuple[int, ...], last: int | None) -> int:
    """Note a unit, or the counterpart of the unit at `last`, which looks the same; returns its place."""
    counterpart = not sheet.knows(Kind.UNIT, name) and sheet.knows(Kind.COUNTERPART, name)
    kind = Kind.COUNTERPART if counterpart else Kind.UNIT
    if kind is Kind.UNIT and not sheet.knows(kind, name) and " - " in name:
        after = name.rsplit(" - ", 1)[1]  # "Super Tactical Droid - Kraken"
        name = after if sheet.knows(kind, after) else name
    return sheet.named(kind, read, name, of=last if counterpart else None, costs=costs)


def unit_of(sheet: Sheet, place: int | None) -> int | None:
    """The unit at a place, or the one that the counterpart there belongs to."""
    if place is not None and sheet.drafts[place].kind is Kind.COUNTERPART:
        return sheet.drafts[place].of
    return place


def read_commands(sheet: Sheet, kind: Kind, text: str) -> None:
    """Note command cards: each follows its pips, else they are separated by commas."""
    names = _PIPS.split(text) if _PIPS.search(text) else sheet.split(kind, text)
    for name in names:
        name = name.strip().rstrip(",").strip()
        if name:
            sheet.named(kind, shown(name), name)


def priced(text: str) -> tuple[list[tuple[str, int]], str]:
    """The names with their cost behind them, "Saber Throw (10), Force Push (10)", and what is left at the end."""
    parts = re.split(r"\(\s*([0-9]{1,4})\s*\)", text)
    names = [part.strip().lstrip(",/").strip() for part in parts[0:-1:2]]
    return list(zip(names, map(int, parts[1::2]), strict=True)), parts[-1].strip()

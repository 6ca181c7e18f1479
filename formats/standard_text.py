"""Legion HQ's "standard text", where a unit and its upgrades are one line, and "minimal text", without points.

Standard: ` - 2× Name (cost): Upgrade (cost), Upgrade (cost) = total`, below headings for the ranks; points of a unit
are its own, the total that of all copies. Minimal: `2× Name (Upgrade, Upgrade)`. Both are only read.

Lost: the titles of all cards, as in tournament text; which unit a counterpart comes with, in standard text: its card
tells; in minimal text also the points, so that more is left to the player.
"""

from __future__ import annotations

import re

from rules.language import gettext

from .cards import CardIndex, Counterpart
from .drafts import Sheet
from .limits import careful, shown
from .parsed import Format, Kind, Parsed
from .text_lines import (
    add_unit,
    check_activations,
    copies,
    listed,
    priced,
    read_commands,
    read_header,
    too_long,
    undashed,
    unit_of,
)
from .understanding import understood

#: Headings of ranks; they say nothing that the cards do not.
HEADINGS = frozenset({
    "commanders", "commander", "operative", "operatives", "corps", "special forces", "support", "heavy", "counterparts",
})  # fmt: skip
_COMMANDS = re.compile(r"(commands|contingencies)\s*:\s*", re.IGNORECASE)
_TOTAL = re.compile(r"\s*=\s*([0-9]{1,5})$")


@careful(Format.STANDARD_TEXT)
def read(text: str, index: CardIndex) -> Parsed:
    """Standard text as lines. Refused: only what breaks a limit."""
    return _read(text, index, Format.STANDARD_TEXT)


@careful(Format.MINIMAL_TEXT)
def read_minimal(text: str, index: CardIndex) -> Parsed:
    """Minimal text as lines. Refused: only what breaks a limit."""
    return _read(text, index, Format.MINIMAL_TEXT)


def _read(text: str, index: CardIndex, which: Format) -> Parsed:
    sheet = Sheet(index, title_lost=True)
    lines, activations = read_header(sheet, listed(text))
    last: int | None = None
    for line in lines:
        commands = _COMMANDS.match(line)
        if line.removesuffix(":").lower() in HEADINGS or too_long(sheet, line):
            continue
        if commands:
            kind = Kind.CONTINGENCY if commands[1].lower() == "contingencies" else Kind.COMMAND_CARD
            read_commands(sheet, kind, line[commands.end() :])
        elif which is Format.STANDARD_TEXT:
            last = _read_standard(sheet, line, last)
        else:
            last = _read_minimal(sheet, line, last)
    _find_parents(sheet)
    check_activations(sheet, activations)
    return understood(which, sheet)


def _read_standard(sheet: Sheet, line: str, last: int | None) -> int | None:
    total = _TOTAL.search(line)
    count, text = copies(undashed(line[: total.start()] if total else line))
    head, _, tail = text.partition("):")
    own, rest = priced(f"{head})" if tail else head)
    upgrades, over = priced(tail)
    if over or (own and rest) or len(own) > 1 or not (own or (rest and total)):
        sheet.unknown(line, gettext("This is no unit with its points."))
        return last
    name, cost = own[0] if own else (rest, int(total[1]) if total else 0)
    claimed = count * (cost + sum(points for _, points in upgrades)) if own else cost
    for _ in range(count):
        # Without upgrades, the total alone says what a unit costs: of one or of all copies.
        costs = (cost,) if own else (cost, *([cost // count] if count > 1 else []))
        last = add_unit(sheet, line, name, costs, unit_of(sheet, last))
        for upgrade, points in upgrades:
            sheet.named(Kind.UPGRADE, f"{upgrade} ({points})", upgrade, of=last, costs=(points,))
    if total and claimed != int(total[1]) and last is not None:
        sheet.drafts[last].problems.append(
            gettext(
                "The list adds this up to {total} points; it is {claimed}.", total=total[1], claimed=claimed
            )
        )
    return last


def _read_minimal(sheet: Sheet, line: str, last: int | None) -> int | None:
    count, text = copies(line)
    if undashed(line).lower().startswith("loadout"):
        sheet.unknown(line, gettext("Loadouts are no longer played."), of=last)
        return last
    name, bracket, rest = text.partition("(")
    for _ in range(count):
        last = add_unit(sheet, line, name.strip(), (), unit_of(sheet, last))
        for upgrade in sheet.split(Kind.UPGRADE, rest.removesuffix(")")) if bracket else []:
            sheet.named(Kind.UPGRADE, shown(upgrade), upgrade, of=last)
    return last


def _find_parents(sheet: Sheet) -> None:
    """Standard text lists counterparts apart: each belongs to the unit that its card names."""
    for draft in sheet.drafts:
        if draft.kind is not Kind.COUNTERPART:
            continue
        parents = {
            slug for card in draft.cards if isinstance(card, Counterpart) for slug in card.parent_unit_slugs
        }
        places = [
            place
            for place, unit in enumerate(sheet.drafts)
            if unit.kind is Kind.UNIT and any(card.slug in parents for card in unit.cards)
        ]
        if len(places) == 1:
            draft.of = places[0]

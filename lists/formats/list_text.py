"""Lists as text: Legion HQ's tournament, standard and minimal text, and Tabletop Admiral's."""

import re

from lists.formats.cards import BattleCard, CardIndex, Counterpart
from lists.formats.limits import MAX_LINE, careful, lines_of, shown
from lists.formats.parsed import Format, LineKind, Parsed
from lists.formats.plain_army import army_points, counterpart_points, unit_points
from lists.formats.understanding import Sheet, understood
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.translation import gettext, ngettext

#: "180/600 (1 activation)"
HEADER = re.compile(r"([0-9]{1,5})\s*/\s*([0-9]{1,5})(?:\s*\(\s*([0-9]{1,3})\s+activations?\s*\))", re.IGNORECASE)
_PIPS = re.compile(r"[•●∙·*]{1,4}")
COPIES = re.compile(r"([0-9]{1,2})\s*[×xX]\s+(?=\S)")
_DASH = re.compile(r"^[-–—]+\s*")
UNTITLED = "Untitled"


def listed(text: str) -> list[str]:
    """Return the lines of a text that are not empty, without blanks around them.

    Raises Unreadable for a text beyond a limit.
    """
    return [line.strip() for line in lines_of(text) if line.strip()]


def too_long(sheet: Sheet, line: str) -> bool:
    """Return whether a line is too long to be read; it is then noted as not understood."""
    if len(line) <= MAX_LINE:
        return False
    sheet.unknown(line, gettext("This line is too long for a list."))
    return True


def read_header(sheet: Sheet, lines: list[str]) -> tuple[list[str], int]:
    """Note title, points and size, and that the Faction is to be inferred.

    Returns the other lines and how many activations the list claims, 0 if it does not say.
    """
    matches = [HEADER.fullmatch(line[:MAX_LINE]) for line in lines[:2]]
    place, found = next(((place, match) for place, match in enumerate(matches) if match), (0, None))
    activations = 0
    if found:
        if place and lines[0] != UNTITLED:
            sheet.add(LineKind.TITLE, lines[0])
        points, size, activations = (int(number) for number in found.groups())
        sheet.counted(LineKind.POINTS, lines[place], points)
        sheet.counted(LineKind.SIZE, lines[place], size)
        lines = lines[place + 1 :]
    sheet.faction("")
    return lines, activations


def check_activations(sheet: Sheet, claimed: int) -> None:
    """Report it if there are more or fewer units than the list claims."""
    units = sum(draft.kind is LineKind.UNIT for draft in sheet.drafts)
    if claimed and claimed != units:
        sheet.violations.append(miscounted(claimed, units))


def miscounted(claimed: int, units: int) -> str:
    """Return the sentence for a list whose number of units differs from the activations that it claims."""
    were = ngettext("{number} unit was found", "{number} units were found", units)
    return ngettext(
        "The list says {number} activation, but {were}.",
        "The list says {number} activations, but {were}.",
        claimed,
        were=were,
    )


def undashed(line: str) -> str:
    """Return the line without its leading dash, which web pages may turn into a longer one."""
    return _DASH.sub("", line)


def copies(text: str) -> tuple[int, str]:
    """Return the number and the name in a text such as "2× Rebel Troopers"."""
    found = COPIES.match(text)
    return (max(1, int(found[1])), text[found.end() :]) if found else (1, text)


def add_unit(sheet: Sheet, read: str, name: str, costs: tuple[int, ...], last: int | None) -> int:
    """Note a unit, or the counterpart of the unit at `last`, which is written alike. Return its place."""
    counterpart = not sheet.knows(LineKind.UNIT, name) and sheet.knows(LineKind.COUNTERPART, name)
    kind = LineKind.COUNTERPART if counterpart else LineKind.UNIT
    if kind is LineKind.UNIT and not sheet.knows(kind, name) and " - " in name:
        after = name.rsplit(" - ", 1)[1]  # "Super Tactical Droid - Kraken"
        name = after if sheet.knows(kind, after) else name
    return sheet.named(kind, read, name, of=last if counterpart else None, costs=costs)


def unit_of(sheet: Sheet, place: int | None) -> int | None:
    """Return the unit at a place, or the unit of the counterpart at that place."""
    if place is not None and sheet.drafts[place].kind is LineKind.COUNTERPART:
        return sheet.drafts[place].of
    return place


def _note_wrong_sum(sheet: Sheet, place: int, total: str, claimed: int) -> None:
    sheet.drafts[place].violations.append(
        gettext("The points of this line add up to {total}, but the list says {claimed}.", total=total, claimed=claimed)
    )


def read_commands(sheet: Sheet, kind: LineKind, text: str) -> None:
    """Note command cards: each follows its pips, or commas separate them."""
    names = _PIPS.split(text) if _PIPS.search(text) else sheet.split(kind, text)
    for name in names:
        name = name.strip().rstrip(",").strip()
        if name:
            sheet.named(kind, shown(name), name)


def priced(text: str) -> tuple[list[tuple[str, int]], str]:
    """Return names with the cost after them, as in "Saber Throw (10), Force Push (10)", and the rest of the text."""
    parts = re.split(r"\(\s*([0-9]{1,4})\s*\)", text)
    names = [part.strip().lstrip(",/").strip() for part in parts[0:-1:2]]
    return list(zip(names, map(int, parts[1::2]), strict=True)), parts[-1].strip()


#: Headings, with the kind of line below them.
SECTIONS = {
    "commands": LineKind.COMMAND_CARD, "contingencies": LineKind.CONTINGENCY, "battle deck": LineKind.BATTLE_CARD,
    "objectives": LineKind.BATTLE_CARD, "secondaries": LineKind.BATTLE_CARD, "advantages": LineKind.BATTLE_CARD,
}  # fmt: skip
_DECK = {"objective": "Objectives", "secondary": "Secondaries", "advantage": "Advantages"}


@careful(Format.TOURNAMENT_TEXT)
def read_tournament(text: str, index: CardIndex) -> Parsed:
    """Return tournament text as lines. Refuses only a text beyond a limit."""
    sheet = Sheet(index, title_lost=True)
    lines, activations = read_header(sheet, listed(text))
    section = LineKind.UNIT
    unit: int | None = None
    for line in lines:
        heading = SECTIONS.get(line.removesuffix(":").lower())
        if heading:
            section = heading
        elif too_long(sheet, line):
            continue
        elif section is LineKind.UNIT:
            unit = _read_unit_line(sheet, line, unit)
        elif section is LineKind.BATTLE_CARD:
            sheet.named(section, line, undashed(line))
        else:
            read_commands(sheet, section, line)
    check_activations(sheet, activations)
    return understood(Format.TOURNAMENT_TEXT, sheet)


def _read_unit_line(sheet: Sheet, line: str, last: int | None) -> int | None:
    """Note a unit, its counterpart or an upgrade of it. Return the place of the unit for the lines after it."""
    name = undashed(line)
    cards, rest = priced(name)
    if rest or not cards:
        sheet.unknown(line, gettext("This line is neither a unit nor an upgrade with points."))
    elif name != line:
        for upgrade, cost in cards:
            if last is None:
                sheet.unknown(line, gettext("This upgrade comes before the first unit."))
            else:
                sheet.named(LineKind.UPGRADE, line, upgrade, of=last, costs=(cost,))
                # The points of a unit include its upgrades.
                own = sheet.drafts[last]
                own.costs = tuple(points - cost for points in own.costs)
    elif len(cards) > 1:
        sheet.unknown(line, gettext("This line has two units."))
    else:
        [(unit, total)] = cards
        return add_unit(sheet, line, unit, (total,), unit_of(sheet, last))
    return last


def write_tournament(army: PlainArmy, index: CardIndex) -> str:
    """Return an army as tournament text, with current points. Raises KeyError for cards that are not in the index."""
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
    lines = [f"{index.units[unit.card].name} ({unit_points(unit, index)})"]
    lines += _upgrade_lines(unit.upgrades, index)
    if unit.counterpart:
        lines.append(f"{index.counterparts[unit.counterpart].name} ({counterpart_points(unit, index)})")
        lines += _upgrade_lines(unit.counterpart_upgrades, index)
    return lines


def _upgrade_lines(slugs: tuple[str, ...], index: CardIndex) -> list[str]:
    return [f" - {card.name} ({card.points})" for card in map(index.upgrades.__getitem__, slugs)]


def _deck_lines(deck: list[BattleCard]) -> list[str]:
    lines = []
    for type_, heading in _DECK.items():
        names = [f" - {card.name}" for card in deck if card.type == type_]
        lines += [f"{heading}:", *names] if names else []
    return lines


#: Headings of ranks, which add nothing to the cards.
HEADINGS = frozenset({
    "commanders", "commander", "operative", "operatives", "corps", "special forces", "support", "heavy", "counterparts",
})  # fmt: skip
_COMMANDS = re.compile(r"(commands|contingencies)\s*:\s*", re.IGNORECASE)
_LOADOUT = re.compile(r"loadout\b[\s:]*(.*)", re.IGNORECASE)
#: The words in minimal text for a unit without a loadout.
NO_LOADOUT = frozenset({"", "(none)", "none"})
_TOTAL = re.compile(r"\s*=\s*([0-9]{1,5})$")


@careful(Format.STANDARD_TEXT)
def read_standard(text: str, index: CardIndex) -> Parsed:
    """Return standard text as lines. Refuses only a text beyond a limit."""
    return _read(text, index, Format.STANDARD_TEXT)


@careful(Format.MINIMAL_TEXT)
def read_minimal(text: str, index: CardIndex) -> Parsed:
    """Return minimal text as lines. Refuses only a text beyond a limit."""
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
            kind = LineKind.CONTINGENCY if commands[1].lower() == "contingencies" else LineKind.COMMAND_CARD
            read_commands(sheet, kind, line[commands.end() :])
        elif which is Format.STANDARD_TEXT:
            last = _read_standard_line(sheet, line, last)
        else:
            last = _read_minimal_line(sheet, line, last)
    _find_parents(sheet)
    check_activations(sheet, activations)
    return understood(which, sheet)


def _read_standard_line(sheet: Sheet, line: str, last: int | None) -> int | None:
    total = _TOTAL.search(line)
    count, text = copies(undashed(line[: total.start()] if total else line))
    head, _, tail = text.partition("):")
    own, rest = priced(f"{head})" if tail else head)
    upgrades, over = priced(tail)
    if over or (own and rest) or len(own) > 1 or not (own or (rest and total)):
        sheet.unknown(line, gettext("This line is not a unit with points."))
        return last
    name, cost = own[0] if own else (rest, int(total[1]) if total else 0)
    claimed = count * (cost + sum(points for _, points in upgrades)) if own else cost
    for _ in range(count):
        # Without upgrades, the total is the only cost given: of one copy or of all.
        costs = (cost,) if own else (cost, *([cost // count] if count > 1 else []))
        last = add_unit(sheet, line, name, costs, unit_of(sheet, last))
        for upgrade, points in upgrades:
            sheet.named(LineKind.UPGRADE, f"{upgrade} ({points})", upgrade, of=last, costs=(points,))
    if total and claimed != int(total[1]) and last is not None:
        _note_wrong_sum(sheet, last, total[1], claimed)
    return last


def _read_minimal_line(sheet: Sheet, line: str, last: int | None) -> int | None:
    count, text = copies(line)
    if loadout := _LOADOUT.match(undashed(line)):
        _read_loadout(sheet, line, loadout[1], last)
        return last
    name, bracket, rest = text.partition("(")
    for _ in range(count):
        last = add_unit(sheet, line, name.strip(), (), unit_of(sheet, last))
        for upgrade in sheet.split(LineKind.UPGRADE, rest.removesuffix(")")) if bracket else []:
            sheet.named(LineKind.UPGRADE, shown(upgrade), upgrade, of=last)
    return last


def _read_loadout(sheet: Sheet, line: str, names: str, last: int | None) -> None:
    if names.lower() in NO_LOADOUT:
        sheet.add(LineKind.NOTE, line, of=last)
    elif last is None:
        sheet.unknown(line, gettext("This loadout comes before the first unit."))
    else:
        for name in sheet.split(LineKind.LOADOUT, names):
            sheet.named(LineKind.LOADOUT, shown(name), name, of=last)


def _find_parents(sheet: Sheet) -> None:
    """Assign each counterpart to the unit that its card names, since standard text lists counterparts apart."""
    for draft in sheet.drafts:
        if draft.kind is not LineKind.COUNTERPART:
            continue
        parents = {slug for card in draft.cards if isinstance(card, Counterpart) for slug in card.parent_unit_slugs}
        places = [
            place
            for place, unit in enumerate(sheet.drafts)
            if unit.kind is LineKind.UNIT and any(card.slug in parents for card in unit.cards)
        ]
        if len(places) == 1:
            draft.of = places[0]


POINTS = re.compile(r"([0-9]{1,5})\s*/\s*([0-9]{1,5})")
ACTIVATIONS = re.compile(r"([0-9]{1,3})\s+Activations?", re.IGNORECASE)
_TAIL = re.compile(r" ([0-9]{1,4})(?: \+ ([0-9]{1,4}))?(?: [x×] ([0-9]{1,2}))?(?: = ([0-9]{1,5}))?$")
_COPIES = re.compile(r"([0-9]{1,2})[x×] ")


@careful(Format.ADMIRAL_TEXT)
def read_admiral(text: str, index: CardIndex) -> Parsed:
    """Return Tabletop Admiral's text as lines. Refuses only a text beyond a limit."""
    sheet = Sheet(index, title_lost=True)
    activations = 0
    units: list[int] = []
    sheet.faction("")
    for line in listed(text):
        points, claim = POINTS.fullmatch(line[:40]), ACTIVATIONS.fullmatch(line[:40])
        if too_long(sheet, line):
            continue
        if points:
            sheet.counted(LineKind.POINTS, line, int(points[1]))
            sheet.counted(LineKind.SIZE, line, int(points[2]))
        elif claim:
            activations = int(claim[1])
        else:
            units = _read_line(sheet, line, units)
    check_activations(sheet, activations)
    return understood(Format.ADMIRAL_TEXT, sheet)


def _read_line(sheet: Sheet, line: str, units: list[int]) -> list[int]:
    """Note the contents of a line. Return the places of the units that upgrades in the next line belong to."""
    own, dashes, upgrades = line.partition("--")
    tail = _TAIL.search(own.strip())
    if tail:
        units = _read_admiral_unit(sheet, line, own.strip()[: tail.start()], tail, units)
    elif own.strip():
        _read_cards(sheet, line)
        return units
    if dashes:
        _read_upgrades(sheet, line, upgrades, units)
    return units


def _read_admiral_unit(sheet: Sheet, line: str, name: str, tail: re.Match[str], units: list[int]) -> list[int]:
    cost, extra = int(tail[1]), int(tail[2] or 0)
    prefix = _COPIES.match(name)
    count = max(1, int(prefix[1] if prefix else tail[3] or 1))
    name = name[prefix.end() :] if prefix else name
    last = unit_of(sheet, units[-1]) if units else None
    found = [add_unit(sheet, line, name, (cost,), last) for _ in range(count)]
    if tail[4] and int(tail[4]) != (cost + extra) * count:
        _note_wrong_sum(sheet, found[-1], tail[4], (cost + extra) * count)
    return found


def _read_upgrades(sheet: Sheet, line: str, text: str, units: list[int]) -> None:
    cards, rest = priced(text)
    if rest or not cards or not units:
        sheet.unknown(line, gettext("These upgrades cannot be read, or come before the first unit."))
        return
    for unit in units:
        for name, cost in cards:
            sheet.named(LineKind.UPGRADE, f"{name} ({cost})", name, of=unit, costs=(cost,))
        if len(units) > 1:
            sheet.drafts[unit].costs += tuple(
                points - sum(cost for _, cost in cards) for points in sheet.drafts[unit].costs
            )


def _read_cards(sheet: Sheet, line: str) -> None:
    """Note a line without points: command cards if it has pips or their names, else battle cards."""
    names = sheet.split(LineKind.BATTLE_CARD, line)
    if any(sheet.knows(LineKind.BATTLE_CARD, name) for name in names):
        for name in names:
            sheet.named(LineKind.BATTLE_CARD, shown(name), name)
    elif line[0] in "•*" or any(
        sheet.knows(LineKind.COMMAND_CARD, name) for name in sheet.split(LineKind.COMMAND_CARD, line)
    ):
        read_commands(sheet, LineKind.COMMAND_CARD, line)
    else:
        sheet.unknown(line, gettext("This line is neither a unit with points nor a list of cards."))

"""Legion HQ's link, which holds a whole list in letters.

https://legionhq2.com/list/<faction>/[<points>:][<battle force>:]<item>,<item>…

An item of two letters is a command card or battle card. A longer one is a unit: its number, its letters, and for each
slot the letters of an upgrade or 0; "+" begins its counterpart. Old links can be read as well. Legion HQ has reused
letters since then; a card of another kind in a place shows it.

Lost: the title; the size, unless it is 600, 800, 1000 or 1600; the order of upgrades, which becomes that of the slots;
and, for mercenaries and Mandalorians, that there was no battle force.
"""

import re
from itertools import groupby
from urllib.parse import unquote

from lists.formats.cards import Card, CardIndex, Counterpart, full_name
from lists.formats.limits import MAX_LINK, Unreadable, careful, clean, lines_of
from lists.formats.parsed import Format, LineKind, Parsed
from lists.formats.understanding import Sheet, understood
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.card_types import MERCENARY, BattleCard, CommandCard, Unit, Upgrade
from rules.core.translation import gettext

HOST = "https://legionhq2.com"
#: The Factions as links name them.
_FACTIONS = {
    "rebels": "rebel", "empire": "empire", "republic": "republic", "separatists": "separatist", "mercenary": MERCENARY,
    "mandalorians": "mandalorian",
}  # fmt: skip
#: The word of a link for each Faction.
_WORDS = {faction: word for word, faction in _FACTIONS.items()}
SIZES = (600, 800, 1000, 1600)
#: The battle force that Legion HQ assumes if the link names none.
BATTLE_FORCES = {MERCENARY: "shadow-collective", "mandalorian": "mandalorian-clans"}
#: Legion HQ reserves this many places for command cards; Standing Orders has none.
COMMAND_CARDS = 6
MOST_COPIES = 9

_HOST = r"(?:https?:\\?/\\?/)?(?:[\w-]{1,40}\.){1,4}[a-z]{2,10}"
#: A link that holds its list, wherever it stands. What cannot be part of the list ends it: a query, a bracket, a quote.
LINK = re.compile(rf"(?:{_HOST})?/list/({'|'.join(_FACTIONS)})/([A-Za-z0-9:,+_]{{2,}})", re.IGNORECASE | re.ASCII)
_REST = re.compile(r"[A-Za-z0-9,+]{2,}")
#: Where a phone puts blanks between items.
_BLANKS_BETWEEN = re.compile(r"(?<=[:,]) +(?=[1-9][A-Za-z]{2}[A-Za-z0+]*)")
#: A link to a list on Legion HQ's server: any host that it ever had.
STORED = re.compile(
    r"(?:https?://)?(?:www\.)?(?:legion-?hq2?\.(?:com|web\.app)|legionhq2?\.thefifthtrooper\.com)/list/[\w-]{1,80}",
    re.IGNORECASE,
)


def links_in(text: str) -> list[str]:
    """Return the different links in a text that hold a list, percent-encoded ones too."""
    plain = _whole(text)
    for _ in range(2):  # a chat may encode what was encoded before
        plain = unquote(plain) if "%" in plain else plain
    return list(dict.fromkeys(found[0] for found in LINK.finditer(plain.replace("\\", ""))))


def _whole(text: str) -> str:
    """Return a text, its links whole that a mail program broke at the end of a line."""
    lines: list[str] = []
    for line in _BLANKS_BETWEEN.sub("", text).splitlines():
        before, rest = lines[-1] if lines else "", line.lstrip("> \t").rstrip()
        if _REST.fullmatch(rest) and len(before) < MAX_LINK and _goes_on(before, rest):
            lines[-1] += rest
        else:
            lines.append(line)
    return "\n".join(lines)


def _goes_on(before: str, rest: str) -> bool:
    """Return whether a line goes on with the items of the link that ends the line before; a greeting does not."""
    *_, link = (None, *LINK.finditer(before))
    if link is None or link.end() < len(before):
        return False
    is_whole = before.endswith((",", ":", "+"))
    items = rest.split(",") if is_whole else rest.split(",")[1:]
    plausible = all(not item or len(item) == 2 or re.search("[0-9]", item) for item in items)
    return plausible and (is_whole or bool(re.search("^$|[0-9]", rest.partition(",")[0]) and items))


@careful(Format.LEGION_HQ_LINK)
def read(text: str, index: CardIndex) -> Parsed:
    """Return a link, with or without its host, as lines.

    Refuses a link to a list stored on Legion HQ's server, and any other link.
    """
    word, rest = _split_link(clean(text).strip())
    sheet = Sheet(index)
    for line in lines_of(_whole(clean(text))):
        if around := " ".join(LINK.sub(" ", unquote(line)).split()):
            sheet.ignored(around)
    faction = _FACTIONS[word]
    sheet.faction(word, faction)
    *headers, items = rest.split(":")
    for header in headers:
        _read_header(sheet, header)
    if faction in BATTLE_FORCES and all(draft.kind is not LineKind.BATTLE_FORCE for draft in sheet.drafts):
        draft = sheet.drafts[sheet.add(LineKind.BATTLE_FORCE, "")]
        draft.cards = (sheet.index.battle_forces[BATTLE_FORCES[faction]],)
        draft.because = gettext("the Faction")
    unit: int | None = None
    for item in filter(None, items.split(",")):
        unit = _read_item(sheet, item, unit)
    return understood(Format.LEGION_HQ_LINK, sheet)


def _split_link(link: str) -> tuple[str, str]:
    """Return the word for the Faction of the first link, and the text after it."""
    links = links_in(link)
    if links and (found := LINK.fullmatch(links[0])):
        if len(links[0]) > MAX_LINK:
            raise Unreadable(gettext("This link is too long for a list."))
        return found[1].lower(), found[2].replace("_", "")
    if STORED.search(link):
        raise Unreadable(
            gettext(
                "This short link does not contain the list. Open it in Legion HQ, then copy the long link or the text "
                "of the list."
            )
        )
    raise Unreadable(gettext("This is not a link to a Legion HQ list."))


def _read_header(sheet: Sheet, header: str) -> None:
    if re.fullmatch(r"[0-9]{1,5}", header):
        sheet.counted(LineKind.SIZE, header, int(header))
        return
    draft = sheet.drafts[sheet.add(LineKind.BATTLE_FORCE, header)]
    forces = sheet.index.battle_forces.items()
    draft.cards = tuple(each for slug, each in forces if sheet.index.letters(draft.kind, slug) == header)


def _read_item(sheet: Sheet, item: str, unit: int | None) -> int | None:
    """Note one item. Return the place of the unit that a counterpart after it would belong to."""
    if len(item) == 2:
        _read_card(sheet, item)
        return unit
    own, *parts = item.split("+")
    count, rest = (int(own[0]), own[1:]) if own[:1].isascii() and own[:1].isdigit() else (0, own)
    card = sheet.index.lettered(rest[:2])
    if isinstance(card, Counterpart):  # formerly an item of its own
        _read_cards(sheet, LineKind.COUNTERPART, rest, of=unit)
        return unit
    for _ in range(count or 1):
        unit = _read_cards(sheet, LineKind.UNIT, rest)
        if not count:
            sheet.drafts[unit].violations.append(
                gettext("The link does not say how many of this unit. One was assumed.")
            )
        for part in parts:
            _read_cards(sheet, LineKind.COUNTERPART, part.removeprefix("1"), of=unit)
    return unit


_CLASSES: dict[LineKind, type] = {LineKind.UNIT: Unit, LineKind.UPGRADE: Upgrade, LineKind.COUNTERPART: Counterpart}


def _read_cards(sheet: Sheet, kind: LineKind, text: str, *, of: int | None = None) -> int:
    """Note a unit or counterpart with its upgrades: two letters for each card, 0 for an empty slot."""
    place = sheet.add(kind, text[:2], of=of)
    _mean(sheet, place, text[:2])
    for part in re.findall(r"0|[A-Za-z]{2}|.", text[2:]):
        if part == "0":
            continue
        if len(part) == 2:
            _mean(sheet, sheet.add(LineKind.UPGRADE, part, of=place), part)
        else:
            sheet.unknown(part, gettext("Unknown character in the link."), of=place)
    return place


def _mean(sheet: Sheet, place: int, letters: str) -> None:
    draft = sheet.drafts[place]
    card = sheet.index.lettered(letters)
    if card and isinstance(card, _CLASSES[draft.kind]):
        draft.cards = (card,)
    else:
        draft.violations.append(_strange(letters, card, draft.kind))


def _read_card(sheet: Sheet, letters: str) -> None:
    card = sheet.index.lettered(letters)
    kinds: dict[type, LineKind] = {CommandCard: LineKind.COMMAND_CARD, BattleCard: LineKind.BATTLE_CARD}
    kind = kinds.get(type(card))
    if card and kind:
        sheet.drafts[sheet.add(kind, letters)].cards = (card,)
    else:  # the decks of earlier years had other cards
        sheet.add(LineKind.NOTE, letters, violation=_strange(letters, card, None))


def _strange(letters: str, card: Card | None, kind: LineKind | None) -> str:
    if card is None:
        return gettext("“{letters}” is no longer a card code.", letters=letters)
    wanted = gettext(kind.value.replace("_", " ")) if kind else gettext("command card or battle card")
    return gettext(
        "“{letters}” is now the code of {card}, which is not a {wanted}. It had another meaning when the link was "
        "made.",
        letters=letters,
        card=full_name(card),
        wanted=wanted,
    )


def write(army: PlainArmy, index: CardIndex) -> str:
    """Return the link of an army. Raises KeyError for cards and Factions that Legion HQ does not have."""
    word = _WORDS[army.faction]
    headers = [f"{army.size}:"] if army.size in SIZES else []
    if army.battle_force:
        headers.append(f"{index.letters(LineKind.BATTLE_FORCE, army.battle_force)}:")
    items = [item for _, copies in groupby(army.units) for item in _items(list(copies), index)]
    items += [index.letters(LineKind.COMMAND_CARD, slug) for slug in army.command_cards]
    items += [""] * (COMMAND_CARDS - len(army.command_cards))
    items += [index.letters(LineKind.BATTLE_CARD, slug) for slug in army.battle_cards]
    return f"{HOST}/list/{word}/{''.join(headers)}{','.join(items)}"


def _items(copies: list[PlainUnit], index: CardIndex) -> list[str]:
    counts = [min(MOST_COPIES, len(copies) - done) for done in range(0, len(copies), MOST_COPIES)]
    return [f"{count}{_item(copies[0], index)}" for count in counts]


def _item(unit: PlainUnit, index: CardIndex) -> str:
    card = index.units[unit.card]
    text = index.letters(LineKind.UNIT, unit.card) + _slots(card.upgrade_slots, unit.upgrades, index)
    if unit.counterpart:
        counterpart = index.counterparts[unit.counterpart]
        letters = index.letters(LineKind.COUNTERPART, unit.counterpart)
        text += f"+1{letters}{_slots(counterpart.upgrade_slots, unit.counterpart_upgrades, index)}"
    return text


def _slots(printed: tuple[str, ...], upgrades: tuple[str, ...], index: CardIndex) -> str:
    """Return the upgrade or 0 of each slot: first the printed slots, then those that upgrades give."""
    granted = (slot for slug in upgrades for slot in index.upgrades[slug].grants_slots)
    waiting, text = list(upgrades), ""
    for slot in (*printed, *granted):
        slug = next((slug for slug in waiting if index.upgrades[slug].type == slot), "")
        text += index.letters(LineKind.UPGRADE, slug) if slug else "0"
        if slug:
            waiting.remove(slug)
    return text + "".join(index.letters(LineKind.UPGRADE, slug) for slug in waiting)

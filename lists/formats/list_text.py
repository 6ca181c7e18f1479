"""Lists as text: Legion HQ's tournament, standard and minimal text, Tabletop Admiral's two, LegionApp's, and what
people make of them in chats and forums.

One reader takes every line by its own shape, since texts are cut, mixed and decorated on their way. Headings only say
of what kind the cards below them are; no heading decides the format.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from lists.formats.cards import (
    LONGEST_NAME,
    NEAR,
    Card,
    CardIndex,
    Counterpart,
    full_name,
    is_almost,
    names_of,
    words_of,
)
from lists.formats.limits import MAX_LINE, Unreadable, careful, shown
from lists.formats.parsed import Format, LineKind, Parsed
from lists.formats.plain_army import army_points, counterpart_points, unit_points
from lists.formats.plain_lines import BARE_POINTS, STRUCK, plain_lines, plain_signs
from lists.formats.understanding import Sheet, points_of, suits, understood
from lists.formats.words import DECKS, FACTIONS, NUMBERS, RANKS, SECTIONS
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.core.card_types import UPGRADE_TYPES, BattleCard, Unit, Upgrade
from rules.core.translation import gettext, ngettext
from rules.register.upgrade_slots import Bearer

UNTITLED = "Untitled"
_CARDS = (LineKind.UNIT, LineKind.COUNTERPART, LineKind.UPGRADE, LineKind.COMMAND_CARD, LineKind.BATTLE_CARD)
#: Lines above the points of a list among which its title is.
MOST_ABOVE = 6
#: Most names of a list that are compared with those of cards: each takes milliseconds.
MOST_COMPARED = 60
#: Blanks in an unknown name among those of units, and upgrades of one that has a short name.
MOST_BLANKS, MOST_SHORT = 4, 8
#: Commas of a line that has a whole army.
MOST_NAMES = 120

_DECK = {"objective": "Objectives", "secondary": "Secondaries", "advantage": "Advantages"}

_HEADING = re.compile(
    r"([A-Za-z][A-Za-z -]{1,24}?)(?: cards?)?(?: ?[(\[][0-9/ ]{1,7}[)\]])?(?: ?: ?(.*))?", re.IGNORECASE
)
_POINTS = re.compile(r"(?:(\D{0,30})[^\w\s]\s*)?([0-9]{1,5}) ?/ ?([0-9]{1,5})(?: ?(?:pts|points)\.?)?", re.IGNORECASE)
_ACTIVATIONS = re.compile(r"[\s,;(\[–—-]{0,4}([0-9]{1,3}) activations?[)\]]?", re.IGNORECASE)
_PIPS = re.compile(r"[•●∙·*]{1,4}")
_BULLET = re.compile(
    r"(?:[-–—*•·▪◦‣●○+└├╰↳→]+|[o§](?=\s)|(?!1\.4 FD)(?:[0-9]{1,2}\.){1,3}[0-9]{1,2}"
    r"|(?:[0-9]{1,2}|[a-z]|[IVX]{1,4})[.)])\s+"
    r"|[-–—]+(?=\S)"
)
#: The points of an army below or next to its Faction.
_SIZE = re.compile(
    r"(?=.{1,60}$)(?:((?:501st|212th)?\D+?)[\s:,–—-]*)?"
    r"(?:([0-9]{1,5}) ?(?:/|of|von|de) ?)?[(\[]?((?:[3-9]|[12][0-9]|30)[05]0)[)\]]?"
    r"(?: recon| standard| skirmish)?", re.IGNORECASE
)  # fmt: skip
_BETWEEN_FORCES = re.compile(r"\s+[–—/|-]\s+|,\s+")
_HEAD = re.compile(r"([^:]{2,40}): +(.+)")
_SIZE_WORD = re.compile(
    r"(?:(?:army|game) )?(?:size|limit|format)|(?:armee|spiel)?gr(?:ö|oe)(?:ß|ss)e|taille|tamaño|dimensione|rozmiar",
    re.IGNORECASE,
)
#: Before another list in the same text.
_NEXT_LIST = re.compile(
    r"(?:army |armee)?(?:list|liste|lista|army|armee)\s*[#:-]?\s*(?:[2-9]|b|two|zwei|deux)\b\W*", re.IGNORECASE
)
#: Below a list: a word of thanks or an empty line, then a name.
_SIGNED = re.compile(
    r"(?:\n\s*\n|\n-- ?\n|\b(?:thanks|thx|cheers|regards|gru(?:ß|ss)|lg|vg|mfg|saludos|merci|grazie|force)\b[^\n]*\n)"
    r"[\W_]*([^\W\d_]+)\W*$", re.IGNORECASE
)  # fmt: skip
_BEFORE = re.compile(
    r"[(\[]?(?:([0-9]{1,2})\s*[×xX*]|[xX×]\s?([0-9]{1,2}))[)\]]?\s+(?=\S)|([0-9]{1,2})[×x](?=[A-Z])|[(\[]([0-9]|1[0-2])[)\]]\s+"
)
_AFTER = re.compile(
    r"\s*(?:[(\[]?[×xX*]\s?([0-9]{1,2})[)\]]?|[(\[]([0-9]{1,2})\s?[×xX][)\]]|:\s?([0-9]{1,2})$)(?=[\s(:]|$)"
)
#: Behind the name of a unit, or within it, but not so often.
_NAME_END = re.compile(
    r"[(\[:=,)]|\s[/•]|\s[-–—]|\s[0-9+]|\s[x×*]|(?:[×*]|(?<=[a-z])x)(?=[0-9])|\s(?:with|mit|avec|con)\s|\sw/"
)
MOST_ENDS = 12
#: Behind a name that no card has.
_AFTER_NAME = re.compile(r"\s*[(\[:=]|\s+[+–—-]\s|\s+[×xX]\s?(?=[0-9])")
#: A name that no card has, with its number.
_COPIES = re.compile(r"(?:([0-9]{1,2}) )?(.+?)(?:\s*[(\[]?[×xX]\s?([0-9]{1,2})[)\]]?)?")
#: Before the name of a unit.
_NUMBER = re.compile(r"([0-9]{1,2}|[^\W\d_]{1,7})\s+(?:(?:units?|squads?|copies) of\s+)?(?=\S)", re.IGNORECASE)
_SUMMED_UP = re.compile(
    r"(?:total|totale|gesamt|summe|suma|razem|points|pts|activations|bid)\s*[:=]?\s*[\[(]?[0-9]{1,5}\b.{0,40}"
    r"|[0-9]{1,3} activations?\b.{1,40}",
    re.IGNORECASE,
)
#: Points before a unit: no army has so many copies.
_POINTS_BEFORE = re.compile(r"[+(\[]?(?:1[3-9]|[2-9][0-9]|[1-9][0-9]{2})(?:[)\]:]|\s*[–—-])?\s+(?=[A-Z0-9])")
MOST_COPIES = 12
_BETWEEN = re.compile(r"\s*(?:[;,•]|(?<![wW])/)\s+|\s+(?:&|and)\s+")
_WITH = re.compile(r"\s+(?:w/|(?:with|mit|avec|con)\s)\s*", re.IGNORECASE)
#: In a unit with its upgrades.
_OTHER_SIGNS = re.compile(r"[(\[:=]| [–—-] ")
#: Behind the upgrades of a unit: its copies, or its points with them.
_LAST = re.compile(r"(?<=[)\]])\s*[(\[]?[×xX]\s?([0-9]{1,2})[)\]]?$|(?<=\w)\s+[×xX]\s?([0-9]{1,2})$")
_TIMES = re.compile(r"\s*[(\[]?[×xX]\s?[0-9]{1,2}\b")
_WHOLE = re.compile(r"(\s*[(\[][^\W\d_].*[)\]])\s*\(([0-9]{1,5})\)")
_TOTAL = re.compile(r"\s*=\s*([0-9]{1,5})$", re.IGNORECASE)
_OPENED = re.compile(r"\s*[(\[]\s*[^\W\d_]")
#: What may be a title.
_TITLED = re.compile(r"(?:\s*[,(]|\s[–—-])?\s*([^\W\d_][^,(\[)/:=]{4,40}?)\)?(?=\s*[(\[:/=,]|\s+[0-9+]|$)")
_SUM = re.compile(r" ([0-9]{1,4})(?: \+ ([0-9]{1,4}))?(?: [x×] ([0-9]{1,2}))?$")
_COST = re.compile(r"\s*[(\[]\s*\+?([0-9]{1,5})\s*[)\]]")
_PRICED = re.compile(r"[(\[]\s*\+?([0-9]{1,4})\s*[)\]]", re.IGNORECASE)
_TYPE = re.compile(r"\[[A-Za-z][^\]]{0,40}\]\s*")
#: Before cards, in any language, but not before the name of a person.
_LABEL = re.compile(
    r"(?!player|author|opponent|list|title|team|loadout)[^\W\d_](?:[^\W\d_]|[ -]){1,24}(?::\s+|\s=\s+(?!\d))",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:player|author|opponent|team|date|event|round|table|spieler|joueur|jugador|gracz)[^:]{0,9}: |.*\w@\w+\.\w"
    r"|.{0,40}(?:today|yesterday|heute|gestern|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}),?(?: at| um)? [0-9:]{4,8}",
    re.IGNORECASE,
)
_RANK = re.compile(r"\[([A-Za-z ]{1,14})\]\s*")
#: "CMD Darth Vader", "C: Stormtroopers"
_SHORT_RANK = re.compile(r"[A-Z]{2,4}[.:]?\s+|[A-Z][.:]\s+")
#: A slot or a rank, before a card or behind it.
_SLOT = "|".join(sorted({each.replace("-", " ") for each in (*UPGRADE_TYPES, *RANKS) if each}))
_SLOT_BEFORE = re.compile(rf"(?:{_SLOT})\s[–—-]\s", re.IGNORECASE)
_SLOT_BEHIND = re.compile(rf"(?<=\S)\s*[(\[](?:{_SLOT})[)\]]", re.IGNORECASE)
_LOADOUT = re.compile(r"loadout\b[\s:]*(.*)", re.IGNORECASE)
_NOTHING = frozenset({"", "(none)", "none", "-", "–", "—", "empty", "(empty)", "n/a", "no upgrades", "naked"})
_ORDERS = re.compile(r"^(?:[(\[]?[1-4①-④](?:[ -]?pips?)?[)\]]?[.:]?\s+|(?:I{1,3}|IV)[.:)]\s+)|\s[1-4]$", re.IGNORECASE)
_PIPS_AFTER = re.compile(r"\s*[(\[]\s*[1-4](?:[ -]?pips?)?\s*[)\]]", re.IGNORECASE)


@dataclass(slots=True)
class _Unit:
    """A unit line that was read: the places of its copies, its bullet, and its points with those of its upgrades."""

    places: list[int]
    bullet: str
    indent: int
    cost: int | None = None
    total: int | None = None
    is_exact: bool = False
    guessed: bool = False
    inline: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


@careful(Format.MINIMAL_TEXT)
def read(text: str, index: CardIndex) -> Parsed:
    """Return a list in any text format as lines. Refuses a text without cards, and one beyond a limit."""
    reader = _Reader(index)
    lines = plain_lines(text)
    above = reader.read_header(lines)
    reader.signed = signed[1] if (signed := _SIGNED.search(text[-200:].rstrip())) else ""
    for place, line in enumerate(lines):
        if place not in above:
            reader.read_line(plain_signs(line))
    return reader.understood()


class _Reader:
    def __init__(self, index: CardIndex) -> None:
        self.sheet = Sheet(index, title_lost=True)
        self.section, self.rank, self.signed = LineKind.UNIT, "", ""
        self.units: list[_Unit] = []
        self.activations = 0
        self.resembling: dict[tuple[LineKind, str], bool] = {}
        self.headed = self.is_a_list = self.is_bare = self.summed_up = self.is_over = False
        self.marks: set[Format] = set()

    def read_header(self, lines: Sequence[str]) -> set[int]:
        """Note title, points, size and Faction. Return the places of the lines that were read for it."""
        read: set[int] = set()
        for place, line in enumerate(lines[: MOST_ABOVE + 1]):
            if self._read_points(line.strip(), note=False):
                above = [each.strip() for each in lines[:place]]
                if above and not any(map(self._is_card_line, above)):
                    for text in above[:-1]:
                        self.sheet.ignored(text)
                    self._read_title(above[-1])
                    read |= {*range(place)}
                self._read_points(line.strip(), note=True)
                self.headed = True
                read.add(place)
                break
        if not any(draft.kind is LineKind.FACTION for draft in self.sheet.drafts):
            self.sheet.faction("")
        return read

    def _is_card_line(self, text: str) -> bool:
        named = re.search(r"[^\W\d_]{3}", text)  # "(1)" may be a title
        priced = named and (_PRICED.search(text) or _TOTAL.search(text))
        return len(text) > MAX_LINE or bool(priced or _ACTIVATIONS.fullmatch(text))

    def _read_title(self, text: str) -> None:
        name, bracket, rest = text.partition(" [")
        words = re.split(r" [—–-] ", rest.removesuffix("]")) if bracket and rest.endswith("]") else []
        if words and FACTIONS.get(words[0].lower()):
            self.marks.add(Format.LEGION_APP_TEXT)
            text = name
            self._read_allegiance(words)
        if text != UNTITLED:
            self.sheet.add(LineKind.TITLE, text)

    def _read_allegiance(self, words: Sequence[str]) -> bool:
        """Note a Faction, a battle force, or both."""
        found = False
        for word in words:
            if faction := FACTIONS.get(word.lower()):
                place = next((i for i, d in enumerate(self.sheet.drafts) if d.kind is LineKind.FACTION), None)
                draft = self.sheet.drafts[self.sheet.faction(word) if place is None else place]
                draft.read, draft.factions, found = word, (faction,), True
            elif self.sheet.knows(LineKind.BATTLE_FORCE, word):
                self.sheet.named(LineKind.BATTLE_FORCE, word, word)
                found = True
        return found

    def _is_allegiance(self, text: str) -> bool:
        """Note a Faction, a battle force, or both: "Empire – Blizzard Force". Return False for any other line."""
        words = _BETWEEN_FORCES.split(text.partition(": ")[2] or text)
        known = (word.lower() in FACTIONS or self.sheet.knows(LineKind.BATTLE_FORCE, word) for word in words)
        return all(known) and self._read_allegiance(words)

    def _read_points(self, line: str, *, note: bool) -> bool:
        points = _POINTS.match(line[:MAX_LINE])
        if not points or _BULLET.match(line):
            return False
        rest = line[points.end() :]
        claim = _ACTIVATIONS.match(rest)
        if (rest and not claim) or (claim and claim.end() < len(rest)):
            return False
        if note:
            self._read_allegiance([(points[1] or "").strip()])
            self.sheet.counted(LineKind.POINTS, line, int(points[2]))
            self.sheet.counted(LineKind.SIZE, line, int(points[3]))
            self.activations = int(claim[1]) if claim else 0
        return True

    def read_line(self, line: str) -> None:
        """Note what a line says."""
        marked = BARE_POINTS.sub(r" (\1)", line)
        text, self.is_bare = marked.strip(), marked != line
        if line.startswith(STRUCK):
            self.sheet.ignored(line.removeprefix(STRUCK))
        elif len(text) > MAX_LINE or text.count(",") > MOST_NAMES:
            self.sheet.unknown(text, gettext("This line is too long for a list."))
        elif not self._read_heading(text, indent := len(line) - len(line.lstrip())):
            label = _HEAD.match(text) if not self.units else None
            if label and self._is_head(label[1]):
                text, self.headed = label[2], True
            self._read_content(text, indent)

    def _read_heading(self, text: str, indent: int) -> bool:
        """Note a heading, with the cards that stand in its line. Return False for a line that is none."""
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
        heading = _HEADING.fullmatch(text, bullet.end() if (bullet := _BULLET.match(text)) else 0)
        word = " ".join(heading[1].lower().split()) if heading else ""
        if not heading or word not in SECTIONS:
            return False
        if heading[2] and self.section is LineKind.UNIT and self.units and self._is_slot(word, heading[2]):
            return False
        if heading[2] and SECTIONS[word] is LineKind.UNIT:
            if not self._counted(heading[2])[2]:
                return False
            self.section, self.rank = LineKind.UNIT, RANKS[word]
            self._read_army_line(heading[2], indent)
            return True
        self.section, self.rank = SECTIONS[word], RANKS.get(word, "")
        if word in DECKS:
            self.sheet.add(LineKind.SCENARIO, DECKS[word])
        if heading[2]:  # all cards in one line: what follows is the army again, or text around the list
            self._read_cards(heading[2])
            self.section = LineKind.UNIT
        return True

    def _is_slot(self, word: str, cards: str) -> bool:
        """Return whether a heading is a slot of the unit above: "Command: Vigilance (12)"."""
        names = self._upgrade_names(cards)
        return word in UPGRADE_TYPES and bool(names) and not any(
            self.sheet.knows(LineKind.COMMAND_CARD, name) for name in names
        )  # fmt: skip

    def _read_content(self, text: str, indent: int) -> None:
        """Note what a line that is no heading says."""
        if claim := _ACTIVATIONS.fullmatch(text):
            self.marks.add(Format.ADMIRAL_TEXT)
            self.activations = int(claim[1])
        elif _SUMMED_UP.fullmatch(text.lstrip("-–=• ")) or (_PERSON.match(text) and not self._name(text)):
            self.sheet.ignored(text)
        elif not self.headed and (self._read_points(text, note=True) or self._read_size(text)):
            self.headed = True
        elif self.units and _NEXT_LIST.fullmatch(text):
            self._end_list(text)
        elif self.units and self._read_points(text, note=False):
            self.summed_up = True
            self._leave_out_title()
            self.sheet.ignored(text)
        elif self.is_over or (self.summed_up and self._counted(text)[2]):
            self._end_list(text)
        elif text == self.signed and self.units and not any(self.sheet.knows(kind, text) for kind in _CARDS):
            self.sheet.ignored(text)
        elif not self._is_upgrade_of_that_name(text, indent) and self._is_allegiance(text):
            pass
        elif self.section is not LineKind.UNIT:
            self._read_cards(text)
        else:
            self._read_army_line(text, indent)

    def _is_head(self, text: str) -> bool:
        """Note a size or a Faction before the army in one line: "CIS 800: …"."""
        return self._read_size(text) or self._read_allegiance([text])

    def _is_upgrade_of_that_name(self, text: str, indent: int) -> bool:
        """Return whether a line below a unit is an upgrade with the name of a battle force: " - Clan Wren"."""
        is_below = bool(self.units) and self.section is LineKind.UNIT and (indent or _BULLET.match(text))
        return bool(is_below) and self.sheet.knows(LineKind.UPGRADE, text.partition(": ")[2] or text)

    def _end_list(self, text: str) -> None:
        """Ignore a line of another list."""
        if not self.is_over:
            self.sheet.violations.append(gettext("This text has several lists. Only the first one was read."))
        self.is_over = True
        self.sheet.ignored(text)

    def _leave_out_title(self) -> None:
        """Ignore a line above the points of another list that was read as a unit of a similar name: "Vader's Fist"."""
        last = self.sheet.drafts[-1]
        if last.kind is LineKind.UNIT and not last.exact and not last.costs and len(self.units[-1].places) == 1:
            self.units.pop()
            last.kind, last.cards, last.name = LineKind.NOTE, (), ""
            last.violations = [gettext("Ignored.")]

    def _read_size(self, text: str) -> bool:
        """Note the size of an army: "Rebels 800", "Blizzard Force: 598/600 points"."""
        size = _SIZE.fullmatch(text)
        if not size or (size[1] and not _SIZE_WORD.fullmatch(size[1]) and not self._read_allegiance([size[1]])):
            return False
        if size[2]:
            self.sheet.counted(LineKind.POINTS, text, int(size[2]))
        self.sheet.counted(LineKind.SIZE, text, int(size[3]))
        return True

    def _read_cards(self, text: str) -> None:
        """Note cards of a Command Hand or a Battle Deck."""
        if self.section is LineKind.BATTLE_CARD:
            bullet = _BULLET.match(text)
            for name in self.sheet.split(LineKind.BATTLE_CARD, _TYPE.sub("", text[bullet.end() :] if bullet else text)):
                self._read_battle_card(name)
            return
        _, rest, name = self._counted(text)
        after = _PIPS_AFTER.sub("", rest[len(name) :]).strip(" -–—:(),")
        if name and self.sheet.index.named(LineKind.COMMAND_CARD, after).cards:  # "Boba Fett - Whipcord Launcher"
            read_commands(self.sheet, self.section, after)
        elif name and not self.sheet.knows(self.section, text):
            self.section = LineKind.UNIT
            self._read_content(text, 0)
        elif (
            _PIPS.search(text)
            or _ORDERS.search(text)
            or any(
                self._resembles(LineKind.COMMAND_CARD, name)
                for name in self.sheet.split(self.section, _PIPS_AFTER.sub(",", text))
            )
        ):
            read_commands(self.sheet, self.section, text)
        else:
            self.sheet.ignored(text)

    def _read_battle_card(self, name: str) -> None:
        name = name if self.sheet.knows(LineKind.BATTLE_CARD, name) else _LABEL.sub("", name, count=1)
        place = self.sheet.named(LineKind.BATTLE_CARD, shown(name), name)
        draft = self.sheet.drafts[place]
        if not draft.cards:  # the decks of earlier years had other cards
            draft.kind = LineKind.NOTE
            draft.violations.append(gettext("No current battle card has this name. It is left out."))

    def _read_army_line(self, text: str, indent: int) -> None:
        bullet = _BULLET.match(text)
        content = self._without_label(text[bullet.end() :].strip() if bullet else text)
        mark = bullet[0].strip()[:1] if bullet else ""
        if self.units and (more := _WITH.match(f" {content}")):
            bullet, mark, content = more, "w", f" {content}"[more.end() :]
        if loadout := _LOADOUT.match(content):
            self._read_loadout(text, loadout[1])
        elif content.lower() in _NOTHING:
            self.sheet.ignored(text)
        elif text.startswith("--") and not _TOTAL.search(text):
            self.marks.add(Format.ADMIRAL_TEXT)
            self._read_upgrades(text, content)
        elif len(units := self._units_of_one_line(content)) > 1:
            for unit in units:
                self._read_army_line(unit, indent)
        elif (
            self._is_upgrade(content, mark, indent)
            if bullet or _TYPE.match(content)
            else self._is_upgrade_alone(content)
        ):
            self._read_upgrades(text, content)
        elif self._kind_of_cards(content) or not self._read_unit(text, content, mark, indent):
            self._read_other(text, content)

    def _without_label(self, content: str) -> str:
        """Return cards without what stands before them: "Upgrades: …", "Truppen: …", "[Corps] …"."""
        content = content if self.sheet.knows(LineKind.UPGRADE, content) else _SLOT_BEHIND.sub("", content)
        rank = _RANK.match(content)
        if rank and (rank[1].lower() in RANKS or (len(rank[1]) < 4 and self._name(content[rank.end() :]))):
            self.rank, content = RANKS.get(rank[1].lower(), self.rank), content[rank.end() :]
        if (short := _SHORT_RANK.match(content)) and not self._name(content) and self._name(content[short.end() :]):
            content = content[short.end() :]
        count = _BEFORE.match(content)  # "2x Smoke Grenades": one for each copy of the unit
        rest = content[count.end() :] if count else ""
        # "AT-RT (Flamethrower)" would be the name of an upgrade, too.
        if self.sheet.knows(LineKind.UPGRADE, _PRICED.sub("", rest)) and not self._name(rest):
            content = rest
        label = _LABEL.match(content) or _SLOT_BEFORE.match(content)
        if not label or self._name(content):
            return content
        rest = content[label.end() :].strip("[] ")
        known = self._upgrade_names(rest) or self._counted(rest)[2] or self._kind_of_cards(rest)
        return rest if known or rest.lower() in _NOTHING else content

    def _counted(self, content: str) -> tuple[int, str, str]:
        """Return the number of copies before a unit, 0 for none; the text after it; and the known name in that."""
        if found := _BEFORE.match(content):
            rest = content[found.end() :]
            return int(next(filter(None, found.groups()))), rest, self._name(rest)
        name = self._name(content)
        found = _NUMBER.match(content)
        if not name and found:
            number = int(found[1]) if found[1].isdecimal() else int(NUMBERS.get(found[1].lower(), 0))
            rest = content[found.end() :]
            if number and (name := self._name(rest)):
                return number, rest, name
        return 0, content, name

    def _units_of_one_line(self, content: str) -> list[str]:
        """Return the units of a line that has several, each with its upgrades."""
        units: list[str] = []
        whole, sign = content, ""
        while content:
            _, rest, name = self._counted(content)  # whose own commas separate nothing
            end = _BETWEEN.search(content, len(content) - len(rest) + len(name))
            before, sign = sign, end[0] if end else ""
            part, content = (content[: end.start()], content[end.end() :]) if end else (content, "")
            inside = units and units[-1].count("(") > units[-1].count(")")
            named = not inside and self._counted(part)[2]
            if named and not (units and self._is_for(part, units[-1])):
                units.append(part)
            elif units:
                units[-1] += before + part  # "Duck and Cover" is one name
            else:
                break
        known = self._counted(whole)[2]
        if units[1:] or _BETWEEN.search(known) or (units and _OTHER_SIGNS.search(whole)):
            return units
        return max(units, self._short_units(whole), key=len)

    def _short_units(self, content: str) -> list[str]:
        """Return the units of a line that has several by short names: "Vader, 3 snows w/ flamer". Empty for others."""
        units: list[str] = []
        unknown = 0
        for part in _BETWEEN.split(content):
            upgrade = _PRICED.sub("", part).strip(" ()[]")
            if units and (self._upgrade_names(upgrade) or units[-1].count("(") > units[-1].count(")")):
                units[-1] += f", {part}"
            elif self._short_name(part)[1]:
                units.append(part)
            elif units and self._resembles(LineKind.UPGRADE, upgrade):
                units[-1] += f", {part}"
            else:
                unknown += 1 if _WITH.split(part)[0].count(" ") < MOST_BLANKS else len(content)
                found = re.match(r"(?:([0-9]{1,2})[x×]? )?(.*)", part)
                units.append(f"{(found and found[1]) or 1}x {found[2] if found else part}")
        plausible = 3 * unknown <= len(units) and all(unit.count(",") <= MOST_SHORT for unit in units)
        return units if plausible else []

    def _short_name(self, content: str) -> tuple[int, str]:
        """Return the number of a unit and a name that is short for it or almost its own; "" if it is none."""
        number = _NUMBER.match(content) or _BEFORE.match(content)
        count = next(filter(None, number.groups())) if number else ""
        copies = int(count) if count.isdecimal() else int(NUMBERS.get(count.lower(), 0))
        content = content[number.end() :] if number and copies else content
        name = _NAME_END.split(content, maxsplit=1)[0].strip()
        return (copies, name) if self._resembles(LineKind.UNIT, name) else (0, "")

    def _is_for(self, part: str, unit: str) -> bool:
        """Return whether a part of a line names upgrades that the unit before it has slots for. "AT-RT (Flamethrower)"
        is a unit, though it would be the name of an upgrade, too.
        """
        _, rest, name = self._counted(part)
        names = [] if _OPENED.match(rest, len(name)) else self._upgrade_names(_TOTAL.sub("", part))
        return any(self._fitting(self._counted(unit)[2], name) for name in names[:1])

    def _fitting(self, unit: str, upgrade: str) -> list[Upgrade]:
        """Return the upgrades of a name that a unit has slots for."""
        cards = self.sheet.index.named(LineKind.UNIT, unit).cards
        return [
            card for card in self.sheet.index.named(LineKind.UPGRADE, upgrade).cards if isinstance(card, Upgrade)
            if any(
                suits(Bearer(each, card.faction or each.faction, each.faction, each.affiliation), (), card)
                for each in cards if isinstance(each, Unit)
            )
        ]  # fmt: skip

    def _is_upgrade_alone(self, content: str) -> bool:
        """Return whether a line without a bullet names upgrades of the unit above it, and nothing else."""
        names = self._upgrade_names(content)
        return bool(
            self.units
            and names
            and not self._counted(content)[2]
            and not any(self.sheet.knows(LineKind.COMMAND_CARD, name) for name in names)
            and not any(  # "Snow Trooper (42)" is a unit
                cost == points_of(card)
                for name, cost in priced(content)[0][:1]
                for card in self.sheet.index.named(LineKind.UNIT, f"{name}s").cards
            )
        )

    def _is_upgrade(self, content: str, mark: str, indent: int) -> bool:
        """Return whether a line with a bullet is an upgrade of the unit above it."""
        if self._counted(content)[0] or _BEFORE.match(content):
            return False
        if _TYPE.match(content):
            self.marks.add(Format.LEGION_APP_TEXT)
            return True
        if _TOTAL.search(content) or "):" in content or self._kind_of_cards(content):
            return False
        if not self.units:
            return not self._name(content) and bool(self._upgrade_names(content))
        last = self.units[-1]
        if (mark, indent) == (last.bullet, last.indent) and last.bullet:
            unit = self._name(content) or self.sheet.index.resembling(LineKind.UNIT, content)
            return not unit or (not self._name(content) and bool(self._upgrade_names(content)))
        return bool(self._upgrade_names(content)) or not self._name(content)

    def _upgrade_names(self, content: str) -> list[str]:
        names = [name for name, _ in priced(content)[0]]
        known = [name for name in (content, *names) if self.sheet.knows(LineKind.UPGRADE, name)]
        names = [] if known or names else self.sheet.split(LineKind.UPGRADE, content)
        return known or (names if all(self.sheet.knows(LineKind.UPGRADE, name) for name in names) else [])

    def _name(self, content: str) -> str:
        """Return the longest beginning of a text that is the name of a unit or counterpart."""
        ends = [len(content), *(found.start() for found in islice(_NAME_END.finditer(content), MOST_ENDS))]
        ends = sorted((end for end in set(ends) if end <= LONGEST_NAME), reverse=True)
        names = [content[: end + (content[end : end + 1] == ")")].strip(" :;-–—") for end in ends]
        kinds = (LineKind.UNIT, LineKind.COUNTERPART)
        if known := next((name for name in names if any(self.sheet.knows(kind, name) for kind in kinds)), ""):
            return known
        before, dash, after = content.partition(" - ")
        if not dash or re.search(r"[(\[:,]", before):
            return ""
        similar = self.sheet.index.named(LineKind.UNIT, before).cards
        same = any(words_of(before) in map(words_of, names_of(card)) for card in similar)
        called = next((name for name in names if self.sheet.knows(LineKind.UNIT, name.partition(" - ")[2])), "")
        if called:  # "Super Tactical Droid - Kraken", but "Stormtrooper - Imperial Officer"
            cards = self.sheet.index.named(LineKind.UNIT, called.partition(" - ")[2]).cards
            return before if same and not {*similar} & {*cards} else called
        return before if same and self._upgrade_names(after) else ""

    def _read_unit(self, read: str, content: str, mark: str, indent: int) -> bool:
        """Note a unit with its copies and its upgrades. Return False for a line that is none."""
        own, dashes, listed = _WITH.sub(" + ", content).partition("--")
        own = own.strip()
        own = own[points.end() :] if (points := _POINTS_BEFORE.match(own)) else own
        total = _TOTAL.search(own)
        own = own[: total.start()] if total else own
        counted, own, name = self._counted(own)
        count = counted or 1
        certain = bool(name or counted or total)
        if not certain and (short := self._short_name(own))[1]:
            copies, after = _count_after(own.partition(short[1])[2], short[0])
            upgrades = [each for each, _ in self._upgrades_in(after)]
            if upgrades and (copies or all(self._resembles(LineKind.UPGRADE, each) for each in upgrades)):
                certain = self.is_a_list = True
                count, name, own = copies or 1, short[1], own[own.index(short[1]) :]
        sums = _SUM.search(own) if total and not name else None
        name = name or _AFTER_NAME.split(own[: sums.start()] if sums else own, maxsplit=1)[0]
        rest = own[len(name) :]
        sums = _SUM.fullmatch(rest) if total else None
        name, rest = self._with_title(name, rest)
        certain = certain or bool(self.units and _TIMES.match(rest) and re.search(r"[^\W\d_]{3}", name))
        if not name.strip() or not (certain or self._may_be_unit(name, rest)):
            return False
        count, rest = _count_after(rest, count)
        if whole := _WHOLE.fullmatch(rest):
            rest = whole[1]
        added_up = whole[2] if whole else total[1] if total else ""
        unit = _Unit([], mark, indent, total=int(added_up) if added_up else None)
        if sums and not _PRICED.search(rest):
            self.marks.add(Format.ADMIRAL_TEXT)
            unit.cost, unit.is_exact, count, rest = int(sums[1]), True, max(count, int(sums[3] or 1)), ""
        elif total:
            self.marks.add(Format.STANDARD_TEXT)
        if cost := _COST.match(rest):
            unit.cost = int(cost[1])
            count, rest = _count_after(rest[cost.end() :], count)
            if 0 < unit.cost <= MOST_COPIES and count == 1 and self.sheet.knows(LineKind.UNIT, name):  # "AT-RT (2)"
                count, unit.cost = unit.cost, None
        self._add_copies(
            unit, max(1, count), read, name, [*self._upgrades_in(rest), *priced(listed if dashes else "")[0]]
        )
        return True

    def _with_title(self, name: str, rest: str) -> tuple[str, str]:
        """Return a name with the title that is almost the one behind it, and the rest of the line."""
        titled = _TITLED.match(rest)
        for card in self.sheet.index.named(LineKind.UNIT, name).cards if titled else ():
            if titled and isinstance(card, Unit) and card.title and is_almost(titled[1], card.title, NEAR):
                return card.full_name, rest[titled.end() :]
        return name, rest

    def _upgrades_in(self, rest: str) -> list[tuple[str, int | None]]:
        upgrades, over = priced(_unwrapped(re.sub(r"(?:^|\s)\+\s*(?=[^\W\d])|\s\+\s+(?![0-9])", ", ", rest)))
        found = [*upgrades, *((each, None) for each in self.sheet.split(LineKind.UPGRADE, _unwrapped(over)))]
        return [each for each in found if re.search(r"[^\W\d_]", each[0]) and each[0].lower() not in _NOTHING]

    def _add_copies(
        self, unit: _Unit, count: int, read: str, name: str, upgrades: Sequence[tuple[str, int | None]]
    ) -> None:
        """Note the copies of a unit or counterpart, each with its upgrades."""
        name = name if self.sheet.knows(LineKind.UNIT, name) else name.partition(" - ")[2] or name
        known = self.sheet.knows(LineKind.UNIT, name)
        kind = LineKind.COUNTERPART if not known and self.sheet.knows(LineKind.COUNTERPART, name) else LineKind.UNIT
        for _ in range(count):
            place = self.sheet.named(kind, read, name)
            self.sheet.drafts[place].rank = self.rank
            unit.places.append(place)
            for upgrade, points in upgrades:
                self._add_upgrade(_with_points(upgrade, points), upgrade, points, place)
        unit.inline = [self._points_of(unit, *upgrade) for upgrade in upgrades]
        if unit.guessed and unit.cost is not None:
            unit.total = None
        self.units.append(unit)

    def _may_be_unit(self, name: str, rest: str) -> bool:
        """Return whether a line without a known name may be a unit: it has points or brackets, or resembles one."""
        if self.is_bare and not self._is_misspelled(_COPIES.fullmatch(name)):
            rest = _COST.sub("", rest, count=1)  # "See you at table 5"
        return bool(
            self.sheet.index.named(LineKind.UNIT, name).cards
            or _COST.match(rest)
            or (rest.strip() and self._upgrade_names(_unwrapped(rest)))
            or (self.headed and re.match(r"\s*[(\[:=]+\s*\w", rest) and "://" not in rest)
        )

    def _add_upgrade(self, read: str, name: str, points: int | None, of: int) -> None:
        """Note an upgrade, or a counterpart that stands among a unit's upgrades."""
        known = self.sheet.knows(LineKind.UPGRADE, name)
        kind = LineKind.COUNTERPART if not known and self.sheet.knows(LineKind.COUNTERPART, name) else LineKind.UPGRADE
        self.sheet.named(kind, read, name, of=of, costs=() if points is None else (points,))

    def _read_upgrades(self, read: str, content: str) -> None:
        if not self.units:
            self.sheet.unknown(read, gettext("This upgrade comes before the first unit."))
            return
        content = _TYPE.sub("", content)
        label = _LABEL.match(content)
        if label and not self._upgrade_names(content):
            content = content[label.end() :]
        upgrades, over = priced(content)
        names = [*upgrades, *((each, None) for each in self.sheet.split(LineKind.UPGRADE, over))]
        for place in self.units[-1].places:
            for name, points in names:
                self._add_upgrade(read if len(names) == 1 else _with_points(name, points), name, points, place)
        self.units[-1].below += [self._points_of(self.units[-1], *each) for each in names]

    def _points_of(self, unit: _Unit, name: str, points: int | None) -> int:
        """Return what an upgrade costs: in the list, else now. 0 for an unknown one."""
        if points is not None:
            return points
        unit.guessed = True
        owner = self.sheet.drafts[unit.places[0]].name
        return next(iter({card.points for card in self._fitting(owner, name)}), 0)

    def _read_loadout(self, read: str, names: str) -> None:
        if names.lower() in _NOTHING:
            self.sheet.add(LineKind.NOTE, read)
        elif not self.units:
            self.sheet.unknown(read, gettext("This loadout comes before the first unit."))
        else:
            for name in self.sheet.split(LineKind.LOADOUT, names):
                for place in self.units[-1].places:
                    self.sheet.named(LineKind.LOADOUT, shown(name), name, of=place)

    def _read_other(self, read: str, content: str) -> None:
        """Note a line of the army that is no unit: cards without a heading, or text around the list."""
        names = self.sheet.split(LineKind.UPGRADE, content)
        if kind := self._kind_of_cards(content):
            self.section = kind
            self._read_cards(content)
            self.section = LineKind.UNIT
        elif self.units and names and all(self.sheet.knows(LineKind.UPGRADE, name) for name in names):
            if any(self.sheet.knows(LineKind.COMMAND_CARD, name) for name in names):
                self.sheet.unknown(read, gettext("This can be an upgrade or a Command Card. Add a heading above it."))
            else:
                self._read_upgrades(read, content)
        elif _PRICED.search(content) and self.units and not self.is_bare:
            self.sheet.unknown(read, gettext("This line is neither a unit nor an upgrade."))
        elif all(map(self._is_misspelled, parts := [_COPIES.fullmatch(part) for part in _BETWEEN.split(content)])):
            self.is_a_list = True
            for part in filter(None, parts):
                self._add_copies(_Unit([], "", 0), max(1, int(part[1] or part[3] or 1)), part[0], part[2], ())
        else:
            self.sheet.ignored(read)

    def _is_misspelled(self, part: re.Match[str] | None) -> bool:
        """Return whether a name is spelled almost like a unit, or short for one."""
        return bool(part and self._resembles(LineKind.UNIT, part[2]))

    def _resembles(self, kind: LineKind, name: str) -> bool:
        """Return whether a card of a kind has a name, or almost."""
        index = self.sheet.index
        if (kind, name) not in self.resembling:
            self.resembling[kind, name] = bool(
                index.named(kind, name).cards
                or (len(self.resembling) <= MOST_COMPARED and index.misspelled(kind, name, 1))
            )
        return self.resembling[kind, name]

    def _kind_of_cards(self, content: str) -> LineKind | None:
        """Return whether a line without a heading names battle cards or command cards, and no unit or upgrade."""
        if self._counted(content)[2] or self._upgrade_names(content):
            return None
        for kind in (LineKind.BATTLE_CARD, LineKind.COMMAND_CARD):
            names = (
                name for part in _PIPS.split(_PIPS_AFTER.sub(",", content)) for name in self.sheet.split(kind, part)
            )
            if any(self.sheet.knows(kind, name) for name in names):
                return kind
        return None

    def understood(self) -> Parsed:
        """Return what was read."""
        sheet = self.sheet
        kinds = (LineKind.UNIT, LineKind.COUNTERPART, LineKind.COMMAND_CARD, LineKind.BATTLE_CARD)
        found = any(draft.kind in kinds and draft.cards for draft in sheet.drafts) or self.is_a_list
        units = [draft.name for draft in sheet.drafts if draft.kind is LineKind.UNIT]
        if not found and not any(self._is_misspelled(_COPIES.fullmatch(name)) for name in units):
            raise unknown_format()
        claimed = next((draft.number for draft in sheet.drafts if draft.kind is LineKind.POINTS), None)
        units_alone = sum(unit.cost or 0 for unit in self.units)
        if claimed == units_alone + sum(sum(unit.below) for unit in self.units):
            for unit in self.units:  # the points of a unit do not include those of the lines below it
                unit.below = []
        for unit in self.units:
            self._price(unit, claimed)
        _find_parents(sheet)
        if self.activations and self.activations != len(units):
            sheet.violations.append(miscounted(self.activations, len(units)))
        return understood(self._format(), sheet)

    def _price(self, unit: _Unit, claimed: int | None) -> None:
        """Note the points of a unit card alone, as far as its line says them, and a sum that is wrong."""
        count, cost = len(unit.places), unit.cost
        below, inline = sum(unit.below), sum(unit.inline)
        if cost is None and unit.total is not None:
            cost, unit.total = unit.total, None
            costs = [(cost // count) - inline - below, cost - inline - below]
        elif cost is None:
            return
        elif unit.is_exact:
            costs = [cost, cost - below - inline] if count > 1 else [cost]
        elif unit.below:
            costs = [cost // count - below, cost - below] if count > 1 else [cost - below]
        elif unit.total is None and count > 1:
            costs = [cost // count - inline, cost // count, cost]
        else:
            costs = [cost, cost - inline] if unit.total is None and inline else [cost]
        cards = self.sheet.drafts[unit.places[0]].cards
        if not unit.is_exact and (unit.guessed or not claimed or not any(points_of(card) in costs for card in cards)):
            costs += [cost // count, cost]  # the points may be those of the card alone
        for place in unit.places:
            self.sheet.drafts[place].costs = tuple(dict.fromkeys(each for each in costs if each >= 0))
        if unit.total is not None and not unit.is_exact and unit.total != count * (cost + inline):
            text = gettext(
                "The points of this line add up to {total}, but the list says {claimed}.",
                total=unit.total,
                claimed=count * (cost + inline),
            )
            self.sheet.drafts[unit.places[-1]].violations.append(text)

    def _format(self) -> Format:
        for which in (Format.LEGION_APP_TEXT, Format.ADMIRAL_TEXT, Format.STANDARD_TEXT):
            if which in self.marks:
                return which
        priced = any(unit.cost is not None for unit in self.units)
        return Format.TOURNAMENT_TEXT if priced else Format.MINIMAL_TEXT


def unknown_format() -> Unreadable:
    """Return the error for a text in which nothing is a list."""
    return Unreadable(
        gettext(
            "This list format is unknown. Paste a link or text from Legion HQ, JSON for Tabletop Simulator, JSON or "
            "text from Tabletop Admiral or LegionApp, or a Register file."
        )
    )


def _with_points(name: str, points: int | None) -> str:
    return shown(name) if points is None else f"{shown(name)} ({points})"


def _count_after(rest: str, count: int) -> tuple[int, str]:
    """Return the number of copies that stands behind a unit, else `count`, and the text without it."""
    after = _AFTER.match(rest) or _LAST.search(rest)
    if not after:
        return count, rest
    return int(next(filter(None, after.groups()))), rest[: after.start()] + rest[after.end() :]


def _unwrapped(text: str) -> str:
    """Return a text without the brackets around all of it, and without the colon before it."""
    text = re.sub(r"^[\s:–—,/-]*(?:(?:with|mit|avec|con)\s+)?", "", text).strip()
    while text[:1] in ("(", "[") and text[-1:] in (")", "]") and not _PRICED.match(text):
        text = text[1:-1].strip()
    return text


def priced(text: str) -> tuple[list[tuple[str, int | None]], str]:
    """Return names with the cost after them, as in "Saber Throw (10), Force Push (10)", and the rest of the text."""
    parts = _PRICED.split(text)
    names = [re.sub(r"^[\s,/+–—-]+", "", part).strip() for part in parts[0:-1:2]]
    pairs: list[tuple[str, int | None]] = [
        (name, int(cost)) for name, cost in zip(names, parts[1::2], strict=True) if name
    ]
    return pairs, parts[-1].strip().strip(",").strip()


def miscounted(claimed: int, units: int) -> str:
    """Return the sentence for a list whose number of units differs from the activations that it claims."""
    were = ngettext("{number} unit was found", "{number} units were found", units)
    return ngettext(
        "The list says {number} activation, but {were}.",
        "The list says {number} activations, but {were}.",
        claimed,
        were=were,
    )


def read_commands(sheet: Sheet, kind: LineKind, text: str) -> None:
    """Note command cards: pips stand before or after each, or commas separate them."""
    text = _PIPS_AFTER.sub(",", text)
    # "Push••, Assault•••" has its pips behind the names, "• Ambush, •• Push" before them.
    if _PIPS.match(text.strip()) or not _PIPS.search(text):
        names = _PIPS.split(text) if _PIPS.search(text) else sheet.split(kind, text)
    else:
        names = sheet.split(kind, _PIPS.sub("", text))
    for each in names:
        name = each.strip().strip(",;").strip()
        name = name if sheet.knows(kind, name) else _ORDERS.sub("", name)
        parts = [name] if sheet.knows(kind, name) else sheet.split(kind, name)
        for part in parts:
            sheet.named(kind, shown(part), part)


def _find_parents(sheet: Sheet) -> None:
    """Assign each counterpart to the unit that its card names: the last one above it, else the only one."""
    taken: set[int] = set()
    for place, draft in enumerate(sheet.drafts):
        if draft.kind is not LineKind.COUNTERPART:
            continue
        parents = {slug for card in draft.cards if isinstance(card, Counterpart) for slug in card.parent_unit_slugs}
        places = [
            other
            for other, unit in enumerate(sheet.drafts)
            if unit.kind is LineKind.UNIT and other not in taken and any(card.slug in parents for card in unit.cards)
        ]
        if draft.of not in places:
            above = [other for other in places if other < place]
            draft.of = above[-1] if above else places[0] if places else draft.of
        units = {sheet.drafts[other].name for other in places}
        if draft.rank and len(units) > 1 and draft.of is not None:  # in a section of its own, no place tells
            draft.asked = True
            text = gettext("This can come with {units}. Choose it to add it to {unit}.")
            draft.violations.append(text.format(units=", ".join(sorted(units)), unit=sheet.drafts[draft.of].name))
        if draft.of is None:
            above = [other for other in range(place) if sheet.drafts[other].kind is LineKind.UNIT]
            draft.of = max(above, default=None)
        if draft.of is not None:
            taken.add(draft.of)


def write_tournament(army: PlainArmy, index: CardIndex) -> str:
    """Return an army as tournament text, with current points. Raises KeyError for cards that are not in the index.

    Cards have the short names of Legion HQ's text, with the title where others have that name (E11); the Faction or
    battle force stands below the points.
    """
    number = len(army.units)
    lines = [
        " ".join(army.title.split()) or UNTITLED,
        f"{army_points(army, index)}/{army.size} ({number} activation{'s' if number != 1 else ''})",
    ]
    if army.faction:
        lines.append(army.faction.capitalize())
    if army.battle_force:
        lines.append(index.battle_forces[army.battle_force].name)
    for unit in army.units:
        lines += _unit_lines(unit, index)
    if army.command_cards:
        hand = [index.command_cards[slug] for slug in (*army.command_cards, STANDING_ORDERS)]
        lines += ["", "Commands:", *(f"{'•' * card.pips}{card.name}" for card in hand)]
    if army.battle_cards:
        game = index.battle_cards[army.battle_cards[0]].format
        lines += [
            "",
            f"{game.capitalize()} Battle Deck",
            *_deck_lines([index.battle_cards[slug] for slug in army.battle_cards]),
        ]
    return "\n".join(lines) + "\n"


def _unit_lines(unit: PlainUnit, index: CardIndex) -> list[str]:
    lines = [f"{_called(LineKind.UNIT, index.units[unit.card], index)} ({unit_points(unit, index)})"]
    lines += _upgrade_lines(unit.upgrades, index)
    if unit.counterpart:
        name = _called(LineKind.COUNTERPART, index.counterparts[unit.counterpart], index)
        lines.append(f"{name} ({counterpart_points(unit, index)})")
        lines += _upgrade_lines(unit.counterpart_upgrades, index)
    return lines


def _upgrade_lines(slugs: tuple[str, ...], index: CardIndex) -> list[str]:
    return [
        f" - {_called(LineKind.UPGRADE, card, index)} ({card.points})"
        for card in map(index.upgrades.__getitem__, slugs)
    ]


def _called(kind: LineKind, card: Card, index: CardIndex) -> str:
    """Return the first name of a card that no other has: short, full, or with what tells it apart (E11)."""
    short = getattr(card, "short_name", "") or card.name
    names = (short, full_name(card), *names_of(card)[::-1])
    alone = (name for name in names if index.named(kind, name).cards == (card,))
    return next(alone, full_name(card))


def _deck_lines(deck: list[BattleCard]) -> list[str]:
    lines = []
    for type_, heading in _DECK.items():
        names = [f" - {card.name}" for card in deck if card.type == type_]
        lines += [f"{heading}:", *names] if names else []
    return lines

"""The result of a reader: every line with its meaning, or why it was not understood."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from rules.core.translation import gettext
from rules.core.values import KeywordValue, Value


class Format(StrEnum):
    """The formats, by the names that a page can list."""

    LEGION_HQ_LINK = "Legion HQ link"
    TOURNAMENT_TEXT = "Legion HQ tournament text"
    STANDARD_TEXT = "Legion HQ standard text"
    MINIMAL_TEXT = "Legion HQ minimal text"
    LEGION_APP_TEXT = "LegionApp text"
    TTS_JSON = "Tabletop Simulator JSON"
    ADMIRAL_JSON = "Tabletop Admiral JSON"
    ADMIRAL_TEXT = "Tabletop Admiral text"
    ADMIRAL_LINK = "Tabletop Admiral link"
    REGISTER_JSON = "Register JSON"
    UNKNOWN = "unknown"


class LineKind(StrEnum):
    """The kinds of lines. Kinds of cards have the names that the catalogue gives them."""

    LINK = "link"
    TITLE = "title"
    POINTS = "points"
    SIZE = "size"
    SCENARIO = "scenario"
    FACTION = "faction"
    BATTLE_FORCE = "battle_force"
    UNIT = "unit"
    UPGRADE = "upgrade"
    LOADOUT = "loadout"
    COUNTERPART = "counterpart"
    COMMAND_CARD = "command_card"
    CONTINGENCY = "contingency"
    BATTLE_CARD = "battle_card"
    REGISTER = "register"
    STORY_ARC = "story_arc"
    AGENDA = "agenda"
    ASSET = "asset"
    COMBAT_POTENTIAL = "combat_potential"
    SUPPLY_POINTS = "supply_points"
    REPUTATION = "reputation"
    DOSSIER_NAME = "dossier_name"
    EXPERIENCE = "experience"
    VETERAN_RANK = "veteran_rank"
    SETBACK = "setback"
    COMMENDATION = "commendation"
    NOTE = "note"
    UNKNOWN = "unknown"


#: Kinds whose lines mean one card of several (or one word, for a Faction).
NAMING = frozenset({
    LineKind.LINK, LineKind.FACTION, LineKind.BATTLE_FORCE, LineKind.UNIT, LineKind.UPGRADE, LineKind.LOADOUT,
    LineKind.COUNTERPART, LineKind.COMMAND_CARD, LineKind.CONTINGENCY, LineKind.BATTLE_CARD, LineKind.STORY_ARC,
    LineKind.AGENDA, LineKind.ASSET, LineKind.SETBACK, LineKind.COMMENDATION,
})  # fmt: skip
#: Kinds whose lines mean a whole number: points, SP, XP …
COUNTING = frozenset({
    LineKind.POINTS, LineKind.SIZE, LineKind.COMBAT_POTENTIAL, LineKind.SUPPLY_POINTS, LineKind.REPUTATION,
    LineKind.EXPERIENCE, LineKind.VETERAN_RANK,
})  # fmt: skip


class ParsedLine(KeywordValue):
    """One item of a list.

    `read` is the text of the list, tidied and cut to be shown. `card` is the slug of the card it means. While that is
    open, `card` is empty and the player chooses among the slugs in `candidates`; `because` says what decided between
    several cards of one name. `number` goes with kinds that count, and with an Agenda (its progressions). `of` is the
    place of the line it belongs to: an upgrade's unit, a unit's Register. `violations` are sentences. `copy_of` is the
    place of an open line whose decision holds for this one too: that of another copy of the same unit.
    """

    read: str
    kind: LineKind
    card: str = ""
    candidates: tuple[str, ...] = ()
    because: str = ""
    number: int | None = None
    of: int | None = None
    violations: tuple[str, ...] = ()
    copy_of: int | None = None

    @property
    def open(self) -> bool:
        """Whether the player has to decide what this line means."""
        return (
            self.kind is LineKind.UNKNOWN
            or (self.kind in NAMING and not self.card)
            or (self.kind in COUNTING and self.number is None)
        )


class Parsed(Value):
    """A text that was read: its lines, and sentences about the whole. A refused text has none, and a sentence why."""

    format: Format
    lines: tuple[ParsedLine, ...] = ()
    violations: tuple[str, ...] = ()
    refused: str = ""

    @property
    def open(self) -> tuple[int, ...]:
        """The places of the lines that the player has to decide, once for all copies of a unit."""
        return tuple(place for place, line in enumerate(self.lines) if line.open and line.copy_of is None)


def settle(parsed: Parsed, choices: Mapping[int, str]) -> Parsed:
    """Return the list with the player's decisions: place of a line to the slug it means, or "" to leave it out.

    A line that is left out becomes a note, with the lines that belong to it. Raises ValueError for choices for other
    places, and for slugs that are not among a line's candidates: such a form belongs to another list.
    """
    lines = list(parsed.lines)
    first = {place: line.copy_of for place, line in enumerate(lines) if line.copy_of is not None}
    choices = {**choices, **{place: choices[of] for place, of in first.items() if of in choices}}
    for place, slug in choices.items():
        if not 0 <= place < len(lines):
            raise ValueError(f"the list has no line {place}")
        line = lines[place]
        if not slug:
            continue
        if line.kind not in NAMING or (line.candidates and slug not in line.candidates):
            raise ValueError(f"line {place} cannot be {slug!r}")
        lines[place] = replace(line, card=slug, candidates=(), because=gettext("choice"), violations=(), copy_of=None)
    dropped = {place for place, slug in choices.items() if not slug}
    for place, line in enumerate(lines):  # lines come after the line they belong to
        if place in dropped or line.of in dropped:
            dropped.add(place)
            lines[place] = replace(line, kind=LineKind.NOTE, card="", candidates=(), violations=())
    return replace(parsed, lines=tuple(lines))

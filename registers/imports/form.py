"""The form for a pasted or uploaded list, with the player's decisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django import forms
from django.utils.translation import gettext, ngettext

from catalogue.snapshot import card_index
from core.form_errors import as_context
from core.form_fields import INCOMPLETE, Numbered, NumbersField, entered, error_messages
from lists.formats import detect
from lists.formats.limits import MAX_BYTES, decoded
from lists.formats.parsed import COUNTING, Format, LineKind, Parsed, ParsedLine
from lists.forms.reading import digest
from registers.services.importing import Joining
from rules.adjustments.imported_register import PastRegister, PastUnit, take_over_register
from rules.core.campaign_rules import STARTING_COMBAT_POTENTIAL
from rules.core.card_types import FACTIONS
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import Violation, raise_if_any
from rules.register.building import NO_FACTION, dossier_points, open_register
from rules.register.state import Dossier, RegisterState, replay
from rules.register.veterans import veteran_rank

from . import judging
from .judging import ListDecisions, PartVerdict, Recruit, RecruitPart, Verdict, add_recruit, judge


class Pasted(Value):
    """A list as text and as read, and whether the posted decisions are about this exact text."""

    text: str
    parsed: Parsed
    decided: bool

    @property
    def refused(self) -> tuple[dict[str, str], ...]:
        """Why the list could not be read, as `components/refusal.html` takes it; empty if it was read."""
        return as_context([Violation("", self.parsed.refused)]) if self.parsed.refused else ()

    @property
    def digest(self) -> str:
        """A digest of the text that survives a browser's change of line ends."""
        return digest(self.text)


class ListForm(forms.Form):
    """A list, as a `file` or else as `text`, and what its player decided about its lines, by their numbers.

    `read` is the digest of the text that the page was drawn from. Decisions about another text do not count.
    """

    register = forms.UUIDField(error_messages=error_messages(INCOMPLETE))
    file = forms.FileField(required=False, allow_empty_file=True)
    text = forms.Field(required=False)
    read = forms.Field(required=False)
    line, name, keyword = Numbered(), Numbered(), Numbered()
    #: The lines that could be ticked, separated by commas, and those that were.
    offered = forms.Field(required=False)
    keep = NumbersField()
    faction = forms.Field(required=False)
    paragon = NumbersField()
    register_name = forms.Field(required=False)

    def pasted(self) -> Pasted:
        """Return the list as it was read."""
        if file := entered(self)["file"]:
            data = file.read(MAX_BYTES + 1)
            parsed = detect.read_file(data, card_index())
            return Pasted("" if parsed.refused else decoded(data), parsed, decided=False)
        text = self.cleaned_data["text"] or ""
        return Pasted(text, detect.read(text, card_index()), self.cleaned_data["read"] == digest(text))

    def decisions(self) -> ListDecisions:
        """Return the decisions."""
        words = entered(self)
        return ListDecisions(
            meant=words["line"],
            offered=frozenset(NumbersField().clean((words["offered"] or "").split(","))),
            ticked=frozenset(words["keep"]),
            names=words["name"],
            keywords=words["keyword"],
            faction=words["faction"] or "",
            paragon=next(iter(words["paragon"]), None),
            register_name=words["register_name"],
        )


#: Kinds of open lines that a player can decide; those of DECIDED_TOO only if a whole Register is imported.
DECIDED = (LineKind.UNIT, LineKind.UPGRADE)
DECIDED_TOO = (LineKind.STORY_ARC, LineKind.AGENDA, LineKind.ASSET, LineKind.SETBACK, LineKind.COMMENDATION)


@dataclass
class ImportedList:
    """A list as read, with the player's decisions (`decisions`). `combat_potential` are the starting points (R1)."""

    book: Rulebook
    pasted: Pasted
    decisions: ListDecisions
    combat_potential: int = STARTING_COMBAT_POTENTIAL
    factions: tuple[str, ...] = FACTIONS

    @property
    def lines(self) -> tuple[ParsedLine, ...]:
        """All lines that were read."""
        return self.pasted.parsed.lines

    @cached_property
    def faction(self) -> str:
        """The Faction chosen, or else the list's, if a Register can have it (R3)."""
        if self.decisions.faction in self.factions:
            return self.decisions.faction
        return next((line.card for line in self.lines if self.settles_faction(line)), "")

    def settles_faction(self, line: ParsedLine) -> bool:
        """Return whether this line determines the Register's Faction."""
        return line.kind is LineKind.FACTION and line.card in self.factions

    @property
    def faction_is_open(self) -> bool:
        """Whether the player has to choose the Faction: several may hire mercenaries."""
        return not any(self.settles_faction(line) for line in self.lines)

    @property
    def register_name(self) -> str:
        """The name typed, or else the title of the list."""
        if self.decisions.register_name is not None:
            return self.decisions.register_name
        return next((line.read for line in self.lines if line.kind in (LineKind.TITLE, LineKind.REGISTER)), "")

    @property
    def registers(self) -> int:
        """The number of Registers in the list: a file may have several, any other list has one."""
        return max(1, sum(line.kind is LineKind.REGISTER for line in self.lines))

    @cached_property
    def recruits(self) -> list[Recruit]:
        """The units whose card is known, each with its known upgrades."""
        return [
            Recruit(place, card, tuple(self._parts(place)), self.name_of(place))
            for place, line in enumerate(self.lines)
            if line.kind is LineKind.UNIT and (card := self.decisions.card_of(place, line))
        ]

    def name_of(self, unit: int) -> str:
        """Return the Dossier name of a unit: the one typed, or else the list's."""
        own = (line.read for line in self.lines if line.of == unit and line.kind is LineKind.DOSSIER_NAME)
        return self.decisions.names.get(unit, next(own, ""))

    def _parts(self, unit: int) -> Iterator[RecruitPart]:
        for place, line in enumerate(self.lines):
            if line.of == unit and self.is_part(line) and (part := self._part(place, line)):
                yield part

    def is_part(self, line: ParsedLine) -> bool:
        """Return whether a line belongs to a unit and may be imported. A VR may not if it follows from the XP (R12)."""
        if line.kind is LineKind.VETERAN_RANK and self.takes_over:
            own = (each.number for each in self.lines if each.kind is LineKind.EXPERIENCE and each.of == line.of)
            return (line.number or 0) > veteran_rank(next(own, 0) or 0)
        return line.kind is LineKind.UPGRADE or (self.takes_over and line.kind in judging.OF_UNIT)

    def _part(self, place: int, line: ParsedLine) -> RecruitPart | None:
        card = self.decisions.card_of(place, line)
        counts = line.kind in COUNTING or line.kind is LineKind.AGENDA
        if (counts and line.number is None) or not (card or line.kind in COUNTING):
            return None
        return RecruitPart(place, line.kind, card, line.number or 0, self.decisions.keywords.get(place, ""))

    @property
    def takes_over(self) -> bool:
        """Whether the list is a Register with its history, and not just an army."""
        return self.pasted.parsed.format is Format.REGISTER_JSON

    @cached_property
    def values(self) -> list[PartVerdict]:
        """The verdict on each value of the Register itself, if it is imported."""
        parts = [
            part
            for place, line in enumerate(self.lines)
            if self.takes_over and line.kind in judging.OF_REGISTER and (part := self._part(place, line))
        ]
        return list(judging.judged_values(self.book, self._opened, parts, self.decisions))

    @property
    def _opened(self) -> RegisterState:
        return replay(open_register(combat_potential=self.combat_potential))

    @property
    def taken_over(self) -> PastRegister | None:
        """The imported values of the Register; None for a list without any."""
        taken = [verdict.part for verdict in self.values if verdict.taken]
        return judging.past_register(taken) if taken else None

    @cached_property
    def capacity(self) -> int:
        """The Combat Potential that units may take: the Register's starting points, or its value from elsewhere."""
        effects = take_over_register(self.book, self._opened, self.taken_over) if self.taken_over else []
        return replay(effects, self._opened).combat_potential

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdict on each unit, the Paragon's first (R6)."""
        join = judging.take_over if self.takes_over else add_recruit
        return judge(self.book, self.faction, self.recruits, self.decisions, join)

    @property
    def joining(self) -> list[Verdict]:
        """The units to add, in the order in which they join."""
        return [verdict for verdict in self.verdicts if verdict.joins]

    def points(self, verdict: Verdict) -> int:
        """Return the points of a unit with its upgrades."""
        upgrades = tuple(part.card for part in verdict.recruit.parts if part.kind is LineKind.UPGRADE)
        return dossier_points(self.book, Dossier("", verdict.recruit.card, upgrades=upgrades))

    @cached_property
    def spent(self) -> int:
        """The points of all units to add (R2)."""
        return sum(self.points(verdict) for verdict in self.joining)

    @cached_property
    def beyond(self) -> frozenset[int]:
        """Indexes of the units for which no Combat Potential is left, counted in the order of the list (R2)."""
        spent, places = 0, set()
        for verdict in self.joining:
            spent += self.points(verdict)
            if spent > self.capacity:
                places.add(verdict.recruit.place)
        return frozenset(places)

    @cached_property
    def undecided(self) -> list[int]:
        """Open lines without a decision: units, parts of units that join, and values of the Register."""
        joining = {verdict.recruit.place for verdict in self.joining}
        return [
            place
            for place, line in enumerate(self.lines)
            if self.can_choose(line)
            and not self.decisions.card_of(place, line)
            and not self.decisions.left_out(place)
            and (line.kind is LineKind.UNIT or line.kind in judging.OF_REGISTER or line.of in joining)
        ]

    def can_choose(self, line: ParsedLine) -> bool:
        """Return whether a line can mean several cards, and the player can choose one."""
        decided = line.kind in DECIDED or (self.takes_over and line.kind in DECIDED_TOO)
        return decided and not line.card and bool(line.candidates)

    def units(self) -> list[Joining | PastUnit]:
        """Return the units as the service takes them. Refuses a list with open or wrong lines, naming all of them."""
        raise_if_any(self._all_violations())
        if self.takes_over:
            return [judging.past_unit(verdict.recruit) for verdict in self.joining]
        return [
            Joining(recruit.card, tuple(part.card for part in recruit.parts), recruit.name)
            for recruit in (verdict.recruit for verdict in self.joining)
        ]

    def _all_violations(self) -> Iterator[Violation]:
        if self.registers > 1:
            text = gettext(
                "This file has %(number)s Registers. Keep one of them in the text below, and read it again."
            ) % {"number": self.registers}
            yield Violation("", text)
        if not self.faction:
            yield NO_FACTION("faction")
        if number := len(self.undecided):
            text = ngettext("Choose a card for %(number)s line.", "Choose a card for %(number)s lines.", number) % {
                "number": number
            }
            yield Violation("", text)
        if not self.joining:
            yield Violation("", gettext("No unit is selected. Tick at least one."))
        for verdict in self.joining:
            yield from verdict.violations
            for part in verdict.parts:
                yield from part.violations if part.wanted else ()
        if self.spent > self.capacity:
            text = gettext(
                "The units cost %(spent)s points, and the Register has %(capacity)s. Remove %(over)s points."
            ) % {"spent": self.spent, "capacity": self.capacity, "over": self.spent - self.capacity}
            yield Violation("R2", text)

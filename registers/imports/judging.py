"""Checks whether a list can become a Register, unit by unit, with or without a history."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from lists.formats.parsed import LineKind, ParsedLine
from rules.adjustments import imported_register as imported
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation, violations_of
from rules.register.building import add_unit
from rules.register.effects import Effect, ExperienceGained
from rules.register.state import RegisterState

#: The choice that leaves out an open line.
OUT = "-"


class ListDecisions(Value):
    """The posted decisions.

    `meant` is for open lines, `offered` are lines with a checkbox, `ticked` those checked; `names` and `keywords` are
    by line.
    """

    meant: Mapping[int, str] = field(default_factory=dict)
    offered: frozenset[int] = frozenset()
    ticked: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)
    keywords: Mapping[int, str] = field(default_factory=dict)
    faction: str = ""
    paragon: int | None = None
    register_name: str | None = None

    def tick(self, place: int) -> bool | None:
        """Return whether a line was ticked; None if it had no checkbox yet."""
        return place in self.ticked if place in self.offered else None

    def card_of(self, place: int, line: ParsedLine) -> str:
        """Return the card of a line: its only one, or the one chosen; "" while that is open."""
        chosen = self.meant.get(place, "")
        return line.card or (chosen if chosen in line.candidates else "")

    def left_out(self, place: int) -> bool:
        """Return whether the player left out an open line."""
        return self.meant.get(place) == OUT


#: Combat Potential is checked for the whole list; no unit is refused for it alone.
PLENTY = 1_000_000
#: Key of a Paragon that is not the unit being judged.
ANOTHER = "0"


class RecruitPart(Value):
    """A line that belongs to a unit or Register. `card` is its slug, `keyword` one chosen with a Commendation."""

    place: int
    kind: LineKind
    card: str = ""
    number: int = 0
    keyword: str = ""


class Recruit(Value):
    """A unit of a list: its card, its parts, and its new Dossier name."""

    place: int
    card: str
    parts: tuple[RecruitPart, ...] = ()
    name: str = ""


Join = Callable[[Rulebook, RegisterState, Recruit], Sequence[Effect]]


class PartVerdict(Value):
    """Whether a part is allowed, whether it is wanted, and why it cannot be imported."""

    part: RecruitPart
    possible: bool
    wanted: bool
    violations: tuple[Violation, ...] = ()

    @property
    def taken(self) -> bool:
        """Whether the part is imported with its unit."""
        return self.wanted and not self.violations


class Verdict(Value):
    """Whether a unit may join and is wanted, with which parts, and its violations. `recruit` has those parts."""

    recruit: Recruit
    possible: bool
    wanted: bool
    parts: tuple[PartVerdict, ...] = ()
    violations: tuple[Violation, ...] = ()
    effects: Sequence[Effect] = ()

    @property
    def joins(self) -> bool:
        """Whether the unit is added."""
        return self.possible and self.wanted

    @property
    def cut(self) -> int:
        """XP above the maximum, which are cut off (R13)."""
        return sum(effect.lost for effect in self.effects if isinstance(effect, ExperienceGained))


def add_recruit(book: Rulebook, state: RegisterState, recruit: Recruit) -> Sequence[Effect]:
    """Return the effects of a unit that joins a Register being built (R3, R5, R7, R8)."""
    return add_unit(book, state, recruit.card, upgrades=[part.card for part in recruit.parts], name=recruit.name)


def judge(
    book: Rulebook, faction: str, recruits: Sequence[Recruit], decisions: ListDecisions, join: Join = add_recruit
) -> list[Verdict]:
    """Return a verdict on each unit, the Paragon's first (R6): it has to join before other commanders."""
    paragon = _paragon(book, faction, recruits, decisions, join)
    order = sorted(recruits, key=lambda recruit: recruit.place != paragon)
    return [_judged(book, _alone(book, faction, recruit, paragon), recruit, decisions, join) for recruit in order]


def _paragon(
    book: Rulebook, faction: str, recruits: Sequence[Recruit], decisions: ListDecisions, join: Join
) -> int | None:
    """Return the commander that becomes the Paragon: the one chosen, else the first that can join."""
    commanders = [
        recruit.place
        for recruit in recruits
        if book.units[recruit.card].rank == "commander"
        and decisions.tick(recruit.place) is not False
        and not _refusals(book, _alone(book, faction, recruit, recruit.place), _bare(book, recruit), join)
    ]
    return decisions.paragon if decisions.paragon in commanders else next(iter(commanders), None)


def _alone(book: Rulebook, faction: str, recruit: Recruit, paragon: int | None) -> RegisterState:
    another = book.units[recruit.card].rank == "commander" and recruit.place != paragon
    return RegisterState(faction=faction, combat_potential=PLENTY, paragon=ANOTHER if another else "")


def _judged(book: Rulebook, alone: RegisterState, recruit: Recruit, decisions: ListDecisions, join: Join) -> Verdict:
    bare = _bare(book, recruit)
    if never := _refusals(book, alone, bare, join):
        return Verdict(bare, possible=False, wanted=False, violations=never)
    parts = tuple(_judged_parts(book, alone, bare, _in_order(book, recruit.parts), decisions, join))
    taken = tuple(verdict.part for verdict in parts if verdict.taken)
    joining = replace(recruit, parts=taken)
    violations: tuple[Violation, ...] = ()
    effects: Sequence[Effect] = ()
    try:
        effects = join(book, alone, joining)
    except RuleViolation as refusal:
        violations = refusal.violations
    wanted = decisions.tick(recruit.place) is not False
    return Verdict(joining, True, wanted, tuple(sorted(parts, key=lambda v: v.part.place)), violations, effects)


def _judged_parts(
    book: Rulebook,
    alone: RegisterState,
    bare: Recruit,
    parts: Sequence[RecruitPart],
    decisions: ListDecisions,
    join: Join,
) -> Iterator[PartVerdict]:
    """Judge one part after another: each has to fit those accepted before it."""
    taken: tuple[RecruitPart, ...] = ()
    for part in parts:
        violations = _refusals(book, alone, replace(bare, parts=(*taken, part)), join)
        possible = not violations or not _refusals(book, alone, replace(bare, parts=(part,)), join)
        tick = decisions.tick(part.place)
        verdict = PartVerdict(
            part, possible, wanted=possible and (not violations if tick is None else tick), violations=violations
        )
        if verdict.taken:
            taken = (*taken, part)
        yield verdict


#: Experience allows Commendations, and those give upgrade slots, so they come first.
_ORDER = (LineKind.EXPERIENCE, LineKind.VETERAN_RANK, LineKind.COMMENDATION, LineKind.UPGRADE, LineKind.SETBACK)


def _in_order(book: Rulebook, parts: Sequence[RecruitPart]) -> list[RecruitPart]:
    """Return parts in the order in which they can be added (R8, R15): those that others need come first."""

    def key(part: RecruitPart) -> tuple[int, int]:
        needs = 0
        if part.kind is LineKind.UPGRADE:
            needs = int(not book.upgrades[part.card].grants_slots)
        elif part.kind is LineKind.COMMENDATION:
            needs = len(book.commendations[part.card].requires.commendations)
        return _ORDER.index(part.kind), needs

    return sorted(parts, key=key)


def _bare(book: Rulebook, recruit: Recruit) -> Recruit:
    """Return the unit without parts but with a name, so that violations are about the unit itself."""
    return replace(recruit, parts=(), name=book.units[recruit.card].name)


def _refusals(book: Rulebook, state: RegisterState, recruit: Recruit, join: Join) -> tuple[Violation, ...]:
    return violations_of(lambda: join(book, state, recruit))


#: Kinds of lines with the history of a unit, and of a Register. Its Story Arc comes before its Agendas.
OF_UNIT = (LineKind.EXPERIENCE, LineKind.VETERAN_RANK, LineKind.COMMENDATION, LineKind.SETBACK)
OF_REGISTER = (
    LineKind.COMBAT_POTENTIAL, LineKind.SUPPLY_POINTS, LineKind.REPUTATION, LineKind.STORY_ARC, LineKind.AGENDA,
    LineKind.ASSET,
)  # fmt: skip


def past_unit(recruit: Recruit) -> imported.PastUnit:
    """Return a unit with all of its parts, as the rules import it."""
    of = {kind: [part for part in recruit.parts if part.kind is kind] for kind in (*OF_UNIT, LineKind.UPGRADE)}
    return imported.PastUnit(
        card=recruit.card,
        name=recruit.name,
        upgrades=tuple(part.card for part in of[LineKind.UPGRADE]),
        experience=sum(part.number for part in of[LineKind.EXPERIENCE]),
        veteran_rank=sum(part.number for part in of[LineKind.VETERAN_RANK]),
        awards=tuple(imported.ImportedCommendation(part.card, part.keyword) for part in of[LineKind.COMMENDATION]),
        setbacks=tuple(part.card for part in of[LineKind.SETBACK]),
    )


def past_register(parts: Sequence[RecruitPart]) -> imported.PastRegister:
    """Return the values of a Register, as the rules import them. Missing numbers are left out."""
    numbers = {part.kind: part.number for part in parts}
    of = {kind: [part for part in parts if part.kind is kind] for kind in OF_REGISTER}
    return imported.PastRegister(
        combat_potential=numbers.get(LineKind.COMBAT_POTENTIAL),
        supply_points=numbers.get(LineKind.SUPPLY_POINTS),
        reputation=numbers.get(LineKind.REPUTATION),
        story_arc=next((part.card for part in of[LineKind.STORY_ARC]), ""),
        agendas=tuple((part.card, part.number) for part in of[LineKind.AGENDA]),
        assets=tuple(part.card for part in of[LineKind.ASSET]),
    )


def take_over(book: Rulebook, state: RegisterState, recruit: Recruit) -> Sequence[Effect]:
    """Return the effects of a unit that joins with its history, as `judge` takes them."""
    return imported.take_over_unit(book, state, past_unit(recruit))


def judged_values(
    book: Rulebook, opened: RegisterState, parts: Sequence[RecruitPart], decisions: ListDecisions
) -> Iterator[PartVerdict]:
    """Yield a verdict on each value of a Register: each has to fit those accepted before it."""
    taken: tuple[RecruitPart, ...] = ()
    for part in sorted(parts, key=lambda part: OF_REGISTER.index(part.kind)):
        past = past_register((*taken, part))
        violations = violations_of(lambda past=past: imported.take_over_register(book, opened, past))
        tick = decisions.tick(part.place)
        wanted = not violations if tick is None else tick and not violations
        if wanted:
            taken = (*taken, part)
        yield PartVerdict(part, possible=not violations, wanted=wanted, violations=violations)

"""Who of a list may join a Register, with what, and why not.

Each unit is judged by itself: nothing in the building rules but Combat Potential depends on who else joins, once
the Faction and the Paragon are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from formats.parsed import Kind
from rules.building import add_unit
from rules.effects import Effect, ExperienceGained
from rules.force import Force
from rules.refusal import Problem, Refusal, problems_of
from rules.rulebook import Rulebook

from .said import Said

#: Combat Potential is reckoned over the whole list; no unit is refused for it alone.
PLENTY = 1_000_000
#: A Paragon that is somebody else.
ANOTHER = "0"


@dataclass(frozen=True, slots=True)
class Part:
    """A line that belongs to a unit or a Register: an upgrade, or what a Register kept elsewhere says of them.

    `card` is its slug, `number` how many, and `keyword` the one that was chosen with a Commendation.
    """

    place: int
    kind: Kind
    card: str = ""
    number: int = 0
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class Recruit:
    """A unit of a list: its card, what belongs to it, and the Dossier name it shall have."""

    place: int
    card: str
    parts: tuple[Part, ...] = ()
    name: str = ""


Join = Callable[[Rulebook, Force, Recruit], Sequence[Effect]]


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """Whether a part may be taken at all, whether it is wanted, and why it cannot come along."""

    part: Part
    possible: bool
    wanted: bool
    problems: tuple[Problem, ...] = ()

    @property
    def taken(self) -> bool:
        """Whether it joins with its unit."""
        return self.wanted and not self.problems


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a unit may join at all, whether it is wanted, with which parts, and what is wrong with it.

    `recruit` is the unit as it would join: with the parts that are taken.
    """

    recruit: Recruit
    possible: bool
    wanted: bool
    parts: tuple[PartVerdict, ...] = ()
    problems: tuple[Problem, ...] = ()
    effects: Sequence[Effect] = ()

    @property
    def joins(self) -> bool:
        """Whether it is to join."""
        return self.possible and self.wanted

    @property
    def cut(self) -> int:
        """XP that are cut off at its maximum (R13)."""
        return sum(effect.lost for effect in self.effects if isinstance(effect, ExperienceGained))


def found(book: Rulebook, force: Force, recruit: Recruit) -> Sequence[Effect]:
    """A unit that joins a Register which is being founded (R3, R5, R7, R8)."""
    return add_unit(
        book, force, recruit.card, upgrades=[part.card for part in recruit.parts], name=recruit.name
    )


def judge(
    book: Rulebook, faction: str, recruits: Sequence[Recruit], said: Said, join: Join = found
) -> list[Verdict]:
    """A verdict for each unit, the Paragon's first (R6): it has to join before other commanders do."""
    paragon = _paragon(book, faction, recruits, said, join)
    order = sorted(recruits, key=lambda recruit: recruit.place != paragon)
    return [_judged(book, _alone(book, faction, recruit, paragon), recruit, said, join) for recruit in order]


def _paragon(book: Rulebook, faction: str, recruits: Sequence[Recruit], said: Said, join: Join) -> int | None:
    """The commander that becomes the Paragon: the one chosen, else the first that joins."""
    commanders = [
        recruit.place
        for recruit in recruits
        if book.units[recruit.card].rank == "commander"
        and said.tick(recruit.place) is not False
        and not _refusals(book, _alone(book, faction, recruit, recruit.place), _bare(book, recruit), join)
    ]
    return said.paragon if said.paragon in commanders else next(iter(commanders), None)


def _alone(book: Rulebook, faction: str, recruit: Recruit, paragon: int | None) -> Force:
    another = book.units[recruit.card].rank == "commander" and recruit.place != paragon
    return Force(faction=faction, combat_potential=PLENTY, paragon=ANOTHER if another else "")


def _judged(book: Rulebook, alone: Force, recruit: Recruit, said: Said, join: Join) -> Verdict:
    bare = _bare(book, recruit)
    if never := _refusals(book, alone, bare, join):
        return Verdict(bare, possible=False, wanted=False, problems=never)
    parts = tuple(_judged_parts(book, alone, bare, _in_order(book, recruit.parts), said, join))
    taken = tuple(verdict.part for verdict in parts if verdict.taken)
    joining = Recruit(recruit.place, recruit.card, taken, recruit.name)
    problems: tuple[Problem, ...] = ()
    effects: Sequence[Effect] = ()
    try:
        effects = join(book, alone, joining)
    except Refusal as refusal:
        problems = refusal.problems
    wanted = said.tick(recruit.place) is not False
    return Verdict(joining, True, wanted, tuple(sorted(parts, key=lambda v: v.part.place)), problems, effects)


def _judged_parts(
    book: Rulebook, alone: Force, bare: Recruit, parts: Sequence[Part], said: Said, join: Join
) -> Iterator[PartVerdict]:
    """One part after another: each has to get on with those that were taken before it."""
    taken: tuple[Part, ...] = ()
    for part in parts:
        problems = _refusals(book, alone, _with(bare, (*taken, part)), join)
        possible = not problems or not _refusals(book, alone, _with(bare, (part,)), join)
        tick = said.tick(part.place)
        verdict = PartVerdict(
            part, possible, wanted=possible and (not problems if tick is None else tick), problems=problems
        )
        if verdict.taken:
            taken = (*taken, part)
        yield verdict


#: Experience opens Commendations, and these give slots: each comes before what it is needed for.
_ORDER = (Kind.EXPERIENCE, Kind.VETERAN_RANK, Kind.COMMENDATION, Kind.UPGRADE, Kind.SETBACK)


def _in_order(book: Rulebook, parts: Sequence[Part]) -> list[Part]:
    """Parts in the order in which they can be taken (R8, R15)."""
    return sorted(parts, key=lambda part: (_ORDER.index(part.kind), _needs(book, part)))


def _needs(book: Rulebook, part: Part) -> int:
    """How much has to be there before it: a slot that another upgrade gives, or other Commendations."""
    if part.kind is Kind.UPGRADE:
        return int(not book.upgrades[part.card].grants_slots)
    return len(book.commendations[part.card].requires.commendations) if part.kind is Kind.COMMENDATION else 0


def _bare(book: Rulebook, recruit: Recruit) -> Recruit:
    """The unit without parts, named, so that nothing but itself can be wrong."""
    return Recruit(recruit.place, recruit.card, (), book.units[recruit.card].name)


def _with(bare: Recruit, parts: tuple[Part, ...]) -> Recruit:
    return Recruit(bare.place, bare.card, parts, bare.name)


def _refusals(book: Rulebook, force: Force, recruit: Recruit, join: Join) -> tuple[Problem, ...]:
    return problems_of(lambda: join(book, force, recruit))

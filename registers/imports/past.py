"""What a Register kept elsewhere says of itself and of its units, value by value: what of it may be taken over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.parsed import Kind
from rules.effects import Effect
from rules.force import Force
from rules.refusal import Problem, problems_of
from rules.rulebook import Rulebook
from rules.taking_over import Award, PastRegister, PastUnit, take_over_register, take_over_unit

from .judging import Part, PartVerdict, Recruit
from .said import Said

#: Kinds of lines that say what has become of a unit, and of a Register. Its Story Arc comes before its Agendas.
OF_UNIT = (Kind.EXPERIENCE, Kind.VETERAN_RANK, Kind.COMMENDATION, Kind.SETBACK)
OF_REGISTER = (
    Kind.COMBAT_POTENTIAL, Kind.SUPPLY_POINTS, Kind.REPUTATION, Kind.STORY_ARC, Kind.AGENDA, Kind.ASSET,
)  # fmt: skip


def past_unit(recruit: Recruit) -> PastUnit:
    """A unit with all of its parts, as the rules take it over."""
    of = {kind: [part for part in recruit.parts if part.kind is kind] for kind in (*OF_UNIT, Kind.UPGRADE)}
    return PastUnit(
        card=recruit.card,
        name=recruit.name,
        upgrades=tuple(part.card for part in of[Kind.UPGRADE]),
        experience=sum(part.number for part in of[Kind.EXPERIENCE]),
        veteran_rank=sum(part.number for part in of[Kind.VETERAN_RANK]),
        awards=tuple(Award(part.card, part.keyword) for part in of[Kind.COMMENDATION]),
        setbacks=tuple(part.card for part in of[Kind.SETBACK]),
    )


def past_register(parts: Sequence[Part]) -> PastRegister:
    """The values of a Register, as the rules take them over; a number that is not there is not said."""
    numbers = {part.kind: part.number for part in parts}
    of = {kind: [part for part in parts if part.kind is kind] for kind in OF_REGISTER}
    return PastRegister(
        combat_potential=numbers.get(Kind.COMBAT_POTENTIAL),
        supply_points=numbers.get(Kind.SUPPLY_POINTS),
        reputation=numbers.get(Kind.REPUTATION),
        story_arc=next((part.card for part in of[Kind.STORY_ARC]), ""),
        agendas=tuple((part.card, part.number) for part in of[Kind.AGENDA]),
        assets=tuple(part.card for part in of[Kind.ASSET]),
    )


def take_over(book: Rulebook, force: Force, recruit: Recruit) -> Sequence[Effect]:
    """A unit that joins with all that it has become; see `judging.judge`."""
    return take_over_unit(book, force, past_unit(recruit))


def judged_values(book: Rulebook, opened: Force, parts: Sequence[Part], said: Said) -> Iterator[PartVerdict]:
    """A verdict for each value of a Register: each has to get on with those that were taken before it."""
    taken: tuple[Part, ...] = ()
    for part in sorted(parts, key=lambda part: OF_REGISTER.index(part.kind)):
        problems = _refusals(book, opened, (*taken, part))
        tick = said.tick(part.place)
        wanted = not problems if tick is None else tick and not problems
        if wanted:
            taken = (*taken, part)
        yield PartVerdict(part, possible=not problems, wanted=wanted, problems=problems)


def _refusals(book: Rulebook, opened: Force, parts: tuple[Part, ...]) -> tuple[Problem, ...]:
    return problems_of(lambda: take_over_register(book, opened, past_register(parts)))

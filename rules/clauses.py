"""The vocabulary of rewards and conditions (section 8) as typed values.

A playgroup writes its own Story Arcs in the same words. Whatever is not in this file is an error when a
catalogue is loaded (`clause_reading.py`), never a silent skip; `rewards.py` resolves the clauses,
`post_battle/agendas.py` the conditions of progress.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

ALL = "all"
SOURCES = ("register", "fielded", "defeated", "undefeated", "non_paragon")
PROGRESSIONS = "progressions"
WHEN_WORDS = (
    "won", "lost", "unit_has_setbacks", "unit_had_no_setbacks", "paragon_not_defeated", "no_marked_unit_defeated",
)  # fmt: skip


class UnknownClause(ValueError):
    """Data that the vocabulary does not know; the text says where and what."""


# --- What a reward can do -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GainSupplyPoints:
    """The Register gains `amount` SP."""

    amount: int


@dataclass(frozen=True, slots=True)
class GainCombatPotential:
    """The Register gains `amount` points of Combat Potential."""

    amount: int


@dataclass(frozen=True, slots=True)
class GainExperience:
    """The unit in hand gains `amount` XP."""

    amount: int


@dataclass(frozen=True, slots=True)
class RemoveSetbacks:
    """The unit in hand loses `count` Setbacks; None means all."""

    count: int | None


@dataclass(frozen=True, slots=True)
class GainSetback:
    """The unit in hand rolls one Setback."""


@dataclass(frozen=True, slots=True)
class GainKeyword:
    """The unit in hand gains a keyword; it may hold several of the same."""

    keyword: str


@dataclass(frozen=True, slots=True)
class LoseKeyword:
    """The unit in hand loses every instance of a keyword."""

    keyword: str


@dataclass(frozen=True, slots=True)
class GainTrait:
    """The Paragon gains a Defining Trait."""

    trait: str


@dataclass(frozen=True, slots=True)
class AwardCommendation:
    """The unit in hand is owed one more Commendation in step 6, without a Command Card."""


@dataclass(frozen=True, slots=True)
class AddUnit:
    """A unit of one of these names joins, even above CP; it takes Faction and affiliation of the Paragon."""

    one_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PerProgression:
    """Resolve `then` once for each progression of this battle."""

    then: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class ChooseUnits:
    """The player chooses `count` different units out of `source`, and resolves `each` for every one."""

    count: int
    each: tuple[Clause, ...]
    source: str = "register"
    distinct: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """The player chooses one of several rewards; an empty one is "nothing"."""

    options: tuple[tuple[Clause, ...], ...]


@dataclass(frozen=True, slots=True)
class May:
    """The player may resolve `then`."""

    then: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class When:
    """Resolve `then` if the condition holds: one of WHEN_WORDS, or the unit in hand has `keyword`."""

    word: str
    then: tuple[Clause, ...]
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class RollDice:
    """Roll `count` dice (a number, "progressions", or the name of a reported number); resolve each face."""

    die: str
    count: int | str
    per_face: tuple[tuple[str, tuple[Clause, ...]], ...]


@dataclass(frozen=True, slots=True)
class DrawOrderTokens:
    """Draw `count` of the army's order tokens; for each a different unit of that rank resolves `each`."""

    count: int | str
    each: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class MarkedUnits:
    """Every marked unit (or only the undefeated ones) resolves `then`."""

    then: tuple[Clause, ...]
    undefeated_only: bool = False


@dataclass(frozen=True, slots=True)
class Paragon:
    """The Paragon resolves `then`."""

    then: tuple[Clause, ...]


Clause = (
    GainSupplyPoints | GainCombatPotential | GainExperience | RemoveSetbacks | GainSetback | GainKeyword
    | LoseKeyword | GainTrait | AwardCommendation | AddUnit | PerProgression | ChooseUnits | ChooseOne | May
    | When | RollDice | DrawOrderTokens | MarkedUnits | Paragon
)  # fmt: skip


# --- What progresses an Agenda -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TokensAtLeast:
    """`count` or more Agenda tokens."""

    count: int


@dataclass(frozen=True, slots=True)
class SecondaryVpAtLeast:
    """`count` or more VP from secondary objectives."""

    count: int


@dataclass(frozen=True, slots=True)
class SecondaryVpMoreThanOpponent:
    """More VP from secondary objectives than the opponent."""


@dataclass(frozen=True, slots=True)
class MarkedUndefeatedAtLeast:
    """`count` or more marked units were not defeated."""

    count: int


@dataclass(frozen=True, slots=True)
class NoMarkedUnitDefeated:
    """No marked unit was defeated."""


@dataclass(frozen=True, slots=True)
class Won:
    """This side won."""


@dataclass(frozen=True, slots=True)
class Lost:
    """This side lost (a draw is not a loss)."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The player says that `text` is so."""

    text: str


@dataclass(frozen=True, slots=True)
class All:
    """All parts hold; the first that fails ends the test, so later ones are not asked."""

    parts: tuple[Condition, ...]


Condition = (
    TokensAtLeast | SecondaryVpAtLeast | SecondaryVpMoreThanOpponent | MarkedUndefeatedAtLeast
    | NoMarkedUnitDefeated | Won | Lost | Confirmed | All
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EndOfGame:
    """What each player gains at the end of a Turning Point Mission if `when` holds for that player."""

    when: Condition
    reward: tuple[Clause, ...]


def walk(clauses: tuple[Clause, ...]) -> Iterator[Clause]:
    """Every clause of a reward, nested ones included."""
    for clause in clauses:
        yield clause
        for field in fields(clause):
            yield from _walk_value(getattr(clause, field.name))


def _walk_value(value: Any) -> Iterator[Clause]:
    if isinstance(value, tuple):
        for part in value:
            if isinstance(part, tuple):
                yield from _walk_value(part)
            elif not isinstance(part, str):
                yield from walk((part,))

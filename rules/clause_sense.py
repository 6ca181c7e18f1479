"""Clauses that can be read and still make no sense where they stand.

Each check gives sentences with the path of the clause it speaks of, as `outline` has it: "1.each.0" is the first
clause of `each` in the second clause of the reward.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from . import clauses as c
from .language import gettext

#: A path and a sentence.
Fault = tuple[str, str]

_ON_A_UNIT = (
    c.GainExperience,
    c.RemoveSetbacks,
    c.GainSetback,
    c.GainKeyword,
    c.LoseKeyword,
    c.AwardCommendation,
)
_ABOUT_A_UNIT = ("unit_has_setbacks", "unit_had_no_setbacks", "has_keyword")


@dataclass(frozen=True, slots=True)
class Place:
    """What there is where a reward stands: progressions to count, marked units, a unit in hand."""

    progressions: bool = False
    marks: bool = False
    hand: bool = False


def misplaced(reward: tuple[c.Clause, ...], place: Place, path: str = "") -> Iterator[Fault]:
    """What cannot be resolved, or never does anything, in a reward that stands at `place` (section 8)."""
    for number, clause in enumerate(reward):
        at = f"{path}{number}"
        yield from ((at, text) for text in _faults(clause, place))
        inside = replace(place, hand=place.hand or isinstance(clause, _TAKES_IN_HAND))
        for key, nested in nested_in(clause):
            yield from misplaced(nested, inside, f"{at}.{key}.")


def misplaced_in_shield(instead: tuple[c.Clause, ...]) -> Iterator[Fault]:
    """What a unit cannot gain instead of being a casualty (R28, R35)."""
    for number, clause in enumerate(instead):
        if not isinstance(clause, c.GainExperience | c.GainSetback):
            yield str(number), gettext("A shielded unit gains Experience or a Setback, and nothing else.")


def nested_in(clause: c.Clause) -> tuple[tuple[str, tuple[c.Clause, ...]], ...]:
    """The rewards inside a clause, each with its key in the words of the files."""
    match clause:
        case c.ChooseUnits(each=each) | c.DrawOrderTokens(each=each):
            return (("each", each),)
        case c.ChooseOne(options):
            return tuple((f"options.{number}", option) for number, option in enumerate(options))
        case c.RollDice(per_face=per_face):
            return tuple((f"per_face.{face}", then) for face, then in per_face)
        case c.PerProgression(then) | c.May(then) | c.Paragon(then):
            return (("then", then),)
        case c.When(then=then) | c.MarkedUnits(then=then):
            return (("then", then),)
    return ()


_TAKES_IN_HAND = (c.ChooseUnits, c.DrawOrderTokens, c.MarkedUnits, c.Paragon)


def _faults(clause: c.Clause, place: Place) -> Iterator[str]:
    nested = nested_in(clause)
    if not place.hand and (
        isinstance(clause, _ON_A_UNIT) or (isinstance(clause, c.When) and clause.word in _ABOUT_A_UNIT)
    ):
        yield gettext("This concerns a unit, and no unit has been chosen here.")
    if nested and not any(then for _, then in nested):
        yield gettext("Nothing is inside.")
    if isinstance(clause, c.RollDice) and not clause.per_face:
        yield gettext("No face of the die does anything.")
    if not place.progressions and _counts_progressions(clause):
        yield gettext("This counts progressions, which only an Agenda has.")
    if not place.marks and isinstance(clause, c.MarkedUnits):
        yield gettext("This concerns marked units, and none is marked.")


def _counts_progressions(clause: c.Clause) -> bool:
    match clause:
        case c.PerProgression() | c.DrawOrderTokens(count=c.PROGRESSIONS) | c.RollDice(count=c.PROGRESSIONS):
            return True
    return False

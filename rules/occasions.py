"""What a reward is given for, and what its clauses ask of that: which units, how many, whether (section 8)."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import clauses as c
from .report import Report
from .script import Scene


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a reward is given for.

    `rule` and `name` say so in the ledger; `progressions` is how often the Agenda progressed in this battle;
    `withheld` when Tunnel Vision takes SP and XP of it (R27); `chosen` the units chosen so far in it.
    """

    report: Report
    rule: str
    name: str
    progressions: int = 0
    withheld: bool = False
    chosen: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class InHand:
    """The unit that clauses speak of, and whether it had Setbacks when it was chosen."""

    key: str
    had_setbacks: bool


def take_in_hand(scene: Scene, key: str) -> InHand:
    """A unit that was chosen, as it is now."""
    return InHand(key, bool(scene.force.dossiers[key].setbacks))


def held(hand: InHand | None) -> str:
    """The key of the unit that a clause speaks of. Raises UnknownClause where there is none."""
    if hand is None:
        raise c.UnknownClause("a clause that needs a unit stands where no unit was chosen")
    return hand.key


def among(scene: Scene, report: Report, source: str) -> list[str]:
    """The units a reward may choose from; casualties of this sequence are gone already (section 8)."""
    keys = list(scene.force.dossiers)
    match source:
        case "fielded":
            return [key for key in keys if key in report.fielded]
        case "defeated":
            return [key for key in keys if key in report.defeated]
        case "undefeated":
            return [key for key in keys if key in report.fielded and key not in report.defeated]
        case "non_paragon":
            return [key for key in keys if key != scene.force.paragon]
    return keys


def holds(scene: Scene, occasion: Occasion, clause: c.When, hand: InHand | None) -> bool:
    """Whether a condition is so, of the battle or of the unit in hand."""
    report = occasion.report
    match clause.word:
        case "won":
            return report.won
        case "lost":
            return report.lost
        case "unit_has_setbacks":
            return hand is not None and hand.had_setbacks
        case "unit_had_no_setbacks":
            return hand is not None and not hand.had_setbacks
        case "paragon_not_defeated":
            return scene.force.paragon not in report.defeated
        case "no_marked_unit_defeated":
            return not set(report.marked) & set(report.defeated)
    return clause.keyword in scene.force.dossiers[held(hand)].keywords


def number(occasion: Occasion, count: int | str) -> int:
    """How many: a number, one for each progression, or what the report says (0 where it says nothing)."""
    if isinstance(count, int):
        return count
    return occasion.progressions if count == c.PROGRESSIONS else occasion.report.asks.get(count, 0)

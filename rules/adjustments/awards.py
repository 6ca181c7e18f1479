"""Awards that organizers make outside the rules, with a written reason (section 8: the manual award)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from rules.adjustments.imported_register import LARGEST, UNIT_IS_GONE, UNKNOWN_SETBACK
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.values import KeywordValue
from rules.core.violations import OUT_OF_RANGE, Violation, raise_if_any, refuse
from rules.register.effects import CommendationOwed, Effect, SetbackRemoved, SupplyPointsGained
from rules.register.state import RegisterState, replay
from rules.register.veterans import HIGHEST, THRESHOLDS, gain_experience

WHY = gettext_noop("awarded by the organizers")
#: More than this at once is a typing mistake.
MOST = THRESHOLDS[HIGHEST]


class Gift(KeywordValue):
    """An award of organizers: SP; to each of `units` (keys; None: all) XP, a Commendation, a `setback` (slug) less."""

    supply_points: int = 0
    experience: int = 0
    setback: str = ""
    commendation: bool = False
    units: tuple[str, ...] | None = None

    @property
    def for_units(self) -> bool:
        """Whether any of it goes to units."""
        return bool(self.experience or self.setback or self.commendation)

    def without(self, units: Collection[str]) -> "Gift":
        """Return the gift for its other units only."""
        return replace(self, units=tuple(key for key in self.units or () if key not in units))

    def as_data(self) -> dict[str, Any]:
        """Return the gift as JSON values, as the ledger entry stores it."""
        return {**asdict(self), "units": None if self.units is None else list(self.units)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Gift":
        """Return the gift that `as_data` wrote."""
        return cls(**{**data, "units": None if data["units"] is None else tuple(data["units"])})


def award(book: Rulebook, state: RegisterState, gift: Gift) -> list[Effect]:
    """Return the effects of a gift: XP with its consequences (R13, R15), Setbacks removed, Commendations due. Refuses
    numbers below 0 or above MOST, a Setback or unit that is not there, and a gift that gives nothing.
    """
    raise_if_any(_violations(book, state, gift))
    effects: list[Effect] = []
    if gift.supply_points:
        effects.append(SupplyPointsGained(amount=gift.supply_points, rule="", why=WHY))
    for key in state.dossiers if gift.units is None else gift.units:
        effects += _to_unit(book, replay(effects, state), key, gift)
    if not any(getattr(effect, "amount", 1) for effect in effects):
        raise refuse("", gettext("This award gives this Register nothing."))
    return effects


def _to_unit(book: Rulebook, state: RegisterState, key: str, gift: Gift) -> Iterator[Effect]:
    if gift.experience:
        yield from gain_experience(book, state, key, gift.experience, rule="R13", why=WHY)
    if gift.setback in state.dossiers[key].setbacks:
        yield SetbackRemoved(unit=key, setback=gift.setback, rule="", why=WHY)
    if gift.commendation:
        yield CommendationOwed(unit=key, rule="R15", why=WHY)


def _violations(book: Rulebook, state: RegisterState, gift: Gift) -> Iterator[Violation]:
    for name in ("supply_points", "experience"):
        if not 0 <= getattr(gift, name) <= MOST:
            yield OUT_OF_RANGE(name, most=MOST)
    if state.supply_points + gift.supply_points > LARGEST:
        yield Violation("R1", gettext("A Register can have at most {most} SP.", most=LARGEST), "supply_points")
    if gift.setback and gift.setback not in book.setbacks:
        yield UNKNOWN_SETBACK("setback")
    for key in gift.units or ():
        if key not in state.dossiers:
            yield UNIT_IS_GONE(key)

"""What battles have made of one unit: a stop for each battle, or time between battles, that changed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from registers.models import Entry
from registers.services.ledger import effects_of
from rules import effects as e
from rules.corrections import corrected_values


@dataclass(slots=True)
class Stop:
    """A battle (its id; empty between battles), what it brought, and what the unit was afterwards.

    `experience` are XP; `held` is how many Setbacks the unit carries. `setbacks`, `shed` and `commendations` are the
    slugs of those that came, went and were awarded.
    """

    battle: str
    at: datetime
    experience: int = 0
    veteran_rank: int = 0
    held: int = 0
    gained: int = 0
    setbacks: list[str] = field(default_factory=list)
    shed: list[str] = field(default_factory=list)
    commendations: list[str] = field(default_factory=list)
    joined: bool = False
    fell: bool = False
    ranks: int = 0

    @property
    def changed(self) -> bool:
        """Whether it left any mark."""
        return bool(
            self.gained or self.ranks or self.setbacks or self.shed or self.commendations or self.fell
        )


def story(entries: Iterable[Entry], unit: str) -> list[Stop]:
    """The stops of a unit (its key), from the entries of its Register that count, oldest first."""
    stops: list[Stop] = []
    for battle, acts in groupby(entries, key=lambda entry: entry.battle):
        said = list(acts)
        stop = _next(battle, said[-1].created_at, stops)
        for effect in (effect for entry in said for effect in effects_of(entry)):
            if getattr(effect, "unit", "") == unit:
                _TELL.get(type(effect), _nothing)(stop, effect)
                if isinstance(effect, e.Corrected) and effect.field == "place":
                    _stands_up(stops)
        if stop.changed:
            stops.append(stop)
    return stops


def _next(battle: str, at: datetime, before: list[Stop]) -> Stop:
    if not before:
        return Stop(battle, at)
    last = before[-1]
    return Stop(battle, at, last.experience, last.veteran_rank, last.held)


def _nothing(stop: Stop, effect: Any) -> None:
    pass


def _joined(stop: Stop, effect: e.UnitAdded) -> None:
    stop.joined = True


def _experience(stop: Stop, effect: e.ExperienceGained) -> None:
    stop.gained += effect.amount
    stop.experience += effect.amount


def _rank(stop: Stop, effect: e.VeteranRankReached) -> None:
    stop.ranks += 1
    stop.veteran_rank = effect.veteran_rank


def _setback(stop: Stop, effect: e.SetbackGained) -> None:
    stop.setbacks.append(effect.setback)
    stop.held += 1


def _shed(stop: Stop, effect: e.SetbackRemoved) -> None:
    stop.shed.append(effect.setback)
    stop.held -= 1


def _awarded(stop: Stop, effect: e.CommendationAwarded) -> None:
    stop.commendations.append(effect.commendation)


def _fell(stop: Stop, effect: e.UnitFell) -> None:
    stop.fell = True


def _corrected(stop: Stop, effect: e.Corrected) -> None:
    for name, old, new in corrected_values(effect):
        if name == "experience":
            stop.gained += (new or 0) - (old or 0)
            stop.experience = new or 0
        elif name == "veteran_rank":
            stop.ranks += (new or 0) - (old or 0)
            stop.veteran_rank = new or 0
        elif name in ("setbacks", "commendations"):
            came, went = (Counter(new or ()) - Counter(old or ()), Counter(old or ()) - Counter(new or ()))
            _came(stop, name, list(came.elements()), list(went.elements()))
        elif name == "place":
            stop.fell = new == "fallen"


def _stands_up(stops: Iterable[Stop]) -> None:
    """Where a unit is was put right: it did not fall where it was said to have fallen."""
    for stop in stops:
        stop.fell = False


def _came(stop: Stop, name: str, came: list[str], went: list[str]) -> None:
    if name == "commendations":
        stop.commendations += came
        return
    stop.setbacks += came
    stop.shed += went
    stop.held += len(came) - len(went)


_TELL: Mapping[type[e.Effect], Callable[[Stop, Any], None]] = {
    e.UnitAdded: _joined,
    e.ExperienceGained: _experience,
    e.VeteranRankReached: _rank,
    e.SetbackGained: _setback,
    e.SetbackRemoved: _shed,
    e.CommendationAwarded: _awarded,
    e.UnitFell: _fell,
    e.Corrected: _corrected,
}

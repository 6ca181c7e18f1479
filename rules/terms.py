"""The terms of a campaign: what its Registers start with and may choose, and its house rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from .house import BY_NAME, OURS, HouseRules

STARTING_COMBAT_POTENTIAL = 600
STARTING_SUPPLY_POINTS = 5

#: From least to most. A Register of fewer points has no room for a commander and two corps units.
COMBAT_POTENTIAL = (200, 5000)
SUPPLY_POINTS = (0, 50)
LENGTH = (1, 20)

#: The length that the rulebook suggests: a trilogy.
TRILOGY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a campaign plays by; without words, the rulebook as this project reads it.

    A Register starts with points of `combat_potential` and SP (R1). Of `factions`, `story_arcs` and
    `battle_forces` (slugs) those may be chosen that are named; where none is named, all of them. `unreleased` lets
    Registers hold cards before their release (R5). After `length` Story Arcs a saga is complete (R49); None is
    open-ended.
    """

    combat_potential: int = STARTING_COMBAT_POTENTIAL
    supply_points: int = STARTING_SUPPLY_POINTS
    factions: tuple[str, ...] = ()
    story_arcs: tuple[str, ...] = ()
    battle_forces: tuple[str, ...] = ()
    unreleased: bool = False
    length: int | None = None
    house: HouseRules = OURS

    def as_data(self) -> dict[str, Any]:
        """What differs from the rulebook, as plain JSON values by name, the switches among them."""
        return {name: _plain(value) for name, value in _flat(self) if value != _DEFAULTS[name]}


#: What is played where no campaign says otherwise.
USUAL = Terms()


def from_data(data: Mapping[str, Any]) -> Terms:
    """The terms that `as_data` wrote. Raises ValueError for what no terms can be."""
    if data == {}:
        return USUAL  # most campaigns play by it, and a page reads forty of them
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    if unknown := set(given) - set(_DEFAULTS):
        raise ValueError(f"unknown terms: {', '.join(sorted(unknown))}")
    house = {name: given.pop(name) for name in list(given) if name in BY_NAME}
    for name, value in house.items():
        if value not in BY_NAME[name].values:
            raise ValueError(f"{name} has no reading {value!r}")
    return Terms(**given, house=HouseRules(**house))


def allows(named: Collection[str], slug: str) -> bool:
    """Whether a limit lets `slug` be chosen: where nothing is named, all of it may be."""
    return not named or slug in named


def differences(before: Terms, after: Terms) -> list[tuple[str, Any, Any]]:
    """Name, former and new value (plain JSON) of each limit and each switch that differs."""
    return [
        (name, _plain(was), _plain(now))
        for (name, was), (_, now) in zip(_flat(before), _flat(after), strict=True)
        if was != now
    ]


def _flat(terms: Terms) -> Iterator[tuple[str, Any]]:
    """Every limit and every switch by name."""
    for field in fields(Terms):
        if field.name != "house":
            yield field.name, getattr(terms, field.name)
    for field in fields(HouseRules):
        yield field.name, getattr(terms.house, field.name)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


_DEFAULTS: Mapping[str, Any] = dict(_flat(USUAL))

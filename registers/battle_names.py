"""What battles are called: this room knows only their ids, and another names them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from rules.core.translation import gettext


@dataclass(frozen=True, slots=True)
class BattleName:
    """How a battle is called, its page, and its number where there is room for no more."""

    label: str
    url: str = ""
    number: str = ""


Namer = Callable[[Collection[str]], Mapping[str, BattleName]]

_namers: list[Namer] = []


def name_battles(namer: Namer) -> None:
    """Register `namer`, which gives battle ids their names; for the `AppConfig.ready` of another app."""
    _namers.append(namer)


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """Battle id to its name; one that nobody knows is just a battle."""
    wanted = {battle for battle in ids if battle}
    names = {battle: BattleName(gettext("a battle")) for battle in wanted}
    for namer in _namers:
        names |= namer(wanted) if wanted else {}
    return names

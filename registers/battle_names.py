"""Names of battles. This app knows only their ids; another app registers a function that names them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from rules.core.translation import gettext


@dataclass(frozen=True, slots=True)
class BattleName:
    """The name of a battle, its page, and its number for where the name does not fit."""

    label: str
    url: str = ""
    number: str = ""


Namer = Callable[[Collection[str]], Mapping[str, BattleName]]

_namers: list[Namer] = []


def name_battles(namer: Namer) -> None:
    """Register `namer`, which maps battle ids to names. Another app calls this in `AppConfig.ready`."""
    _namers.append(namer)


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """Return the names of battles by id. A battle without a known name is called just a battle."""
    wanted = {battle for battle in ids if battle}
    names = {battle: BattleName(gettext("a battle")) for battle in wanted}
    for namer in _namers:
        names |= namer(wanted) if wanted else {}
    return names

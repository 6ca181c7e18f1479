"""Maps of Turning Point Missions. Higher apps know which missions have one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaign.battles.models import Battle
from catalogue.snapshot import rulebook
from uploads.models import Picture


@dataclass(frozen=True, slots=True)
class MissionMap:
    """A map as a page shows it: the address of the picture, and that of its full size."""

    picture: Picture
    address: str
    full: str


_sources: list[Callable[[Battle], MissionMap | None]] = []


def add_map_source(source: Callable[[Battle], MissionMap | None]) -> None:
    """Let `source` find the map of a battle's mission. Higher apps register theirs in `AppConfig.ready`."""
    _sources.append(source)


def map_of(battle: Battle) -> MissionMap | None:
    """Return the map of a battle's Turning Point Mission. No query unless its Story Arc is a custom one."""
    arc = rulebook().story_arcs.get(battle.turning_point_id or "")
    if arc is None or not arc.own:
        return None
    return next((found for source in _sources if (found := source(battle))), None)

"""Changing one place of a Story Arc that is being written; `path` is the place, as `arc_problems` names it.

Each function gives a changed copy and leaves the arc as it was. A path that leads nowhere raises LookupError.
"""

from __future__ import annotations

from copy import deepcopy
from re import compile as pattern
from typing import Any

from .dice import DICE
from .own_arcs import Arc

_REWARD = pattern(
    r"(agendas\.[0-2]\.(reward|casualty_shield\.instead)|turning_point\.(victory|defeat|end_of_game\.\d+\.reward))"
    r"(\.\d+\.(then|each|options\.\d+|per_face\.[a-z]+))*"
)
MOST_DIGITS = 5
_CONDITIONS = pattern(r"agendas\.[0-2]\.progress|turning_point\.end_of_game")


def reward_at(arc: Arc, path: str) -> list[Any]:
    """The clauses of a reward, or of one inside a clause ("agendas.0.reward.1.each"); it may have none yet."""
    found = part_at(arc, path) if _REWARD.fullmatch(path) else None
    if not isinstance(found, list):
        raise LookupError(path)
    return found


def conditions_at(arc: Arc, path: str) -> list[Any]:
    """The conditions of progress of an Agenda, or the `end_of_game` entries of the Turning Point Mission."""
    if not _CONDITIONS.fullmatch(path):
        raise LookupError(path)
    found: list[Any] = part_at(arc, path)
    return found


def part_at(arc: Arc, path: str) -> Any:
    """What stands at a path. A face of a die that does nothing yet is an empty reward."""
    part: Any = arc
    steps = path.split(".") if path else []
    for place, step in enumerate(steps):
        if isinstance(part, list):
            part = part[_number(step)]
        elif isinstance(part, dict) and step in part:
            part = part[step]
        elif place and steps[place - 1] == "per_face" and any(step in faces for faces in DICE.values()):
            part = []
        else:
            raise LookupError(path)
    return part


def with_part(arc: Arc, path: str, value: Any) -> Arc:
    """The arc with `value` at a path."""
    copy = deepcopy(arc)
    above, _, last = path.rpartition(".")
    part = part_at(copy, above)
    if isinstance(part, list):
        part[_number(last)] = value
    else:
        part[last] = value
    return copy


def appended(arc: Arc, path: str, value: Any) -> Arc:
    """The arc with `value` at the end of the list at a path."""
    return with_part(arc, path, [*part_at(arc, path), value])


def removed(arc: Arc, path: str) -> Arc:
    """The arc without the item of a list at a path. A face of a die that does nothing more is no longer named."""
    above, _, last = path.rpartition(".")
    rest = list(part_at(arc, above))
    del rest[_number(last)]
    copy = with_part(arc, above, rest)
    holder, _, key = above.rpartition(".")
    if not rest and holder.endswith("per_face"):
        del part_at(copy, holder)[key]
    return copy


def moved(arc: Arc, path: str, by: int) -> Arc:
    """The arc with an item of a list so many places further on, or as far as it goes."""
    above, _, last = path.rpartition(".")
    items = list(part_at(arc, above))
    item = items.pop(_number(last))
    items.insert(max(0, _number(last) + by), item)
    return with_part(arc, above, items)


def _number(step: str) -> int:
    if not step.isdecimal() or len(step) > MOST_DIGITS:
        raise LookupError(step)
    return int(step)

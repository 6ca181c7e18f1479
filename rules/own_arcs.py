"""Story Arcs that are not printed: a playgroup's own, written in the vocabulary of section 8.

An arc that is being written has the form of the file of Story Arcs, but for two things: its cards have no slugs
yet, and texts may be empty. Its rewards can be read at any time. `named` gives it the slugs of a version, and with
them the form of the file. The arc's own Defining Trait is called OWN_TRAIT inside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from .reading import read_arc, with_arc
from .references import AGENDAS_OF_AN_ARC
from .rulebook import Rulebook

OWN_TRAIT = "own-trait"
#: The slug by which the arc on the workbench is known in its own Rulebook.
WORKBENCH = "workbench"

Arc = dict[str, Any]

#: The cards of which an arc has one, and how their slugs end.
_ENDS = (
    ("commendation", "commendation"), ("setback", "setback"), ("defining_trait", "trait"), ("turning_point", "mission"),
)  # fmt: skip


def blank_arc(name: str = "") -> Arc:
    """An arc of which nothing but its name is written."""
    return {
        "name": name,
        "intended_for": None,
        "briefing": "",
        "agendas": [_blank_agenda() for _ in range(AGENDAS_OF_AN_ARC)],
        "turning_point": {
            "name": "", "owner_colour": "blue", "setup": "", "scoring": "", "secondary": "", "advantages": {},
            "asks": {}, "end_of_game": [], "victory": [], "defeat": [],
        },
        "setback": {"name": "", "effect": "", "second_instance": "reroll"},
        "defining_trait": {"name": "", "effect": "", "games": 2},
        "commendation": {"name": "", "effect": "", "requires": {}},
    }  # fmt: skip


def _blank_agenda() -> Arc:
    return {"name": "", "tally": "", "progress": [], "progressions_to_complete": 3, "reward": []}


def named(arc: Mapping[str, Any], slug: str) -> Arc:
    """The arc in the form of the file of Story Arcs: with `slug`, and slugs for all its cards made of it."""
    whole = deepcopy(dict(arc))
    for part, end in _ENDS:
        whole[part] = {**whole[part], "slug": f"{slug}-{end}"}
    whole["agendas"] = [
        {**agenda, "slug": f"{slug}-agenda-{number}"}
        for number, agenda in enumerate(whole["agendas"], start=1)
    ]
    return {**_trait_renamed(whole, OWN_TRAIT, f"{slug}-trait"), "slug": slug}


def as_written(whole: Mapping[str, Any]) -> Arc:
    """An arc of the file of Story Arcs as one that is being written, to start another from."""
    arc = deepcopy(dict(whole))
    trait = arc["defining_trait"]["slug"]
    del arc["slug"]
    for part in (*arc["agendas"], *(arc[part] for part, _ in _ENDS)):
        del part["slug"]
    arc["turning_point"].setdefault("asks", {})
    return dict(_trait_renamed(arc, trait, OWN_TRAIT))


def book_with(book: Rulebook, arc: Mapping[str, Any], slug: str = WORKBENCH) -> Rulebook:
    """The Rulebook in which an arc can be played as far as it is written; what is not is called "…"."""
    whole = _filled(named(arc, slug))
    for agenda in whole["agendas"]:
        agenda["progress"] = agenda["progress"] or [{"confirmed": "…"}]
    return with_arc(book, read_arc(whole))


def _trait_renamed(data: Any, old: str, new: str) -> Any:
    """The data with every clause that gives the Defining Trait `old` giving `new` instead."""
    if isinstance(data, list):
        return [_trait_renamed(value, old, new) for value in data]
    if not isinstance(data, dict):
        return data
    if data.get("do") == "gain_trait" and data.get("trait") == old:
        return {**data, "trait": new}
    return {key: _trait_renamed(value, old, new) for key, value in data.items()}


def _filled(data: Any) -> Any:
    """The data with "…" for every empty text."""
    if isinstance(data, list):
        return [_filled(value) for value in data]
    if isinstance(data, dict):
        return {key: _filled(value) for key, value in data.items()}
    return data if data != "" else "…"

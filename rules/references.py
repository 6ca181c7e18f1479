"""What the cards of a catalogue say of each other, and of the rules: every name must lead somewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from .cards import BANNED_UNIQUE_TYPES, RANKS, keyword_name
from .clauses import AddUnit, GainTrait, RollDice, read_end_of_game, read_reward, walk
from .columns import read_restriction
from .dice import DICE
from .forms import CONSTANTS, TABLES_FILE
from .tables import CatalogueError, Row, Tables
from .veterans import MAXIMUM_VETERAN_RANK, THRESHOLDS

#: Kinds whose slug must be their own within the kind.
_OWN_SLUG = (
    "unit", "upgrade", "counterpart", "command_card", "battle_card", "commendation", "setback", "defining_trait",
    "aid_request", "asset", "paragon_command_card", "story_arc", "agenda", "turning_point",
)  # fmt: skip
#: Kinds with a source id; the two letters are unique over all of them together.
_WITH_SOURCE_ID = ("unit", "upgrade", "counterpart", "command_card", "battle_card")
#: What a card of a battle force may be.
_BATTLE_FORCE_CARDS = {
    "unit": "unit", "counterpart": "counterpart", "upgrade": "upgrade", "allowed-upgrade": "upgrade",
    "disallowed-upgrade": "upgrade",
}  # fmt: skip
_EXCUSED = ("command-card-unit-missing", "restriction-names-missing-unit")

Errors = Iterator[CatalogueError]


def check_references(tables: Tables) -> Errors:
    """Everything that is wrong between the rows, which are right one by one."""
    names = _Names(tables)
    yield from _check_duplicates(tables)
    yield from _check_constants(tables.constants)
    for row in tables.rows["unit"]:
        yield from _check_unit(row, names)
    for row in tables.rows["upgrade"]:
        yield from _check_upgrade(row, names)
    for row in tables.rows["counterpart"]:
        yield from _unknown(row, "parent_unit_slugs", row.values["parent_unit_slugs"], names.slugs["unit"])
    for row in tables.rows["command_card"]:
        yield from _check_command_card(row, names)
    for row in tables.rows["battle_force_card"]:
        yield from _check_battle_force_card(row, names)
    for row in tables.rows["commendation"]:
        wanted = row.values["requires"].get("commendations", ())
        yield from _unknown(row, "requires.commendations", wanted, names.slugs["commendation"])
    yield from _check_rank_requirements(tables.rows["rank_requirement"])
    yield from _check_story_arcs(tables, names)


class _Names:
    """What there is to be named."""

    def __init__(self, tables: Tables) -> None:
        rows = tables.rows
        self.slugs = {kind: {row.values["slug"] for row in rows[kind]} for kind in (*_OWN_SLUG, "battle_force")}
        self.battle_forces = {row.values["name"] for row in rows["battle_force"]}
        self.counterpart_ids = {row.values["source_id"] for row in rows["counterpart"]}
        self.unit_names = {row.values["name"] for kind in ("unit", "counterpart") for row in rows[kind]}
        units = [row.values for row in rows["unit"]]
        changed = {row.values["changes_affiliation_to"] for row in rows["upgrade"]}
        self.printed: Mapping[str, set[str]] = {
            "unit": self.unit_names,
            "unit_title": {unit["title"] for unit in units},
            "unit_type": {unit["unit_type"] for unit in units},
            "affiliation": {unit["affiliation"] for unit in units} | changed,
            "keyword": {keyword_name(keyword) for unit in units for keyword in unit["keywords"]},
        }
        #: Names of cards that were never printed or are not out yet: (source id of who names them, name).
        self.excused = {
            (row.values["source_id"], row.values["detail"].removeprefix("unit:"))
            for row in rows["suspicious"]
            if row.values["kind"] in _EXCUSED
        }


def _unknown(row: Row, field: str, wanted: Any, known: set[str]) -> Errors:
    for word in wanted:
        if word not in known:
            yield row.error(f"{field}: there is no {word!r}")


def _check_duplicates(tables: Tables) -> Errors:
    for kind in _OWN_SLUG:
        yield from _twice(tables.rows[kind], lambda values: values["slug"], "slug")
    yield from _twice([row for kind in _WITH_SOURCE_ID for row in tables.rows[kind]], lambda v: v["source_id"], "source_id")
    yield from _twice(tables.rows["battle_force"], lambda v: (v["slug"], v["format"]), "slug and format")
    yield from _twice(tables.rows["keyword"], lambda v: v["name"], "name")
    yield from _twice(tables.rows["rank_requirement"], lambda v: (v["format"], v["rank"]), "format and rank")
    yield from _twice(
        tables.rows["battle_force_card"],
        lambda v: (v["battle_force"], v["kind"], v["rank"], v["card_slug"]),
        "battle force, kind, rank and card",
    )
    for kind in ("setback", "defining_trait"):
        faces = [row for row in (*tables.rows[kind], *tables.rows["arc_row"]) if "face" in row.values]
        own = [row for row in faces if row.values["slug"] not in _other_arc_row(kind)]
        yield from _twice(own, lambda v: v["face"], "face")

"""References between the cards of a catalogue, and to the rules: every name must exist."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any

from rules.catalogue.csv_fields import read_restriction
from rules.catalogue.file_schemas import ARC_ROWS, TABLES_FILE
from rules.catalogue.tables import CatalogueError, TableRow, Tables
from rules.core import reward_effects as c
from rules.core.campaign_rules import STARTING_COMBAT_POTENTIAL, STARTING_SUPPLY_POINTS
from rules.core.card_types import BANNED_UNIQUE_TYPES, RANKS, UPGRADE_TYPES, keyword_name
from rules.core.dice import BLACK_ATTACK, DICE
from rules.register.building import MINIMUM_COMMANDERS, MINIMUM_CORPS
from rules.register.veterans import MAXIMUM_VETERAN_RANK, THRESHOLDS

#: Kinds in which each card must have its own slug.
_OWN_SLUG = (
    "unit", "upgrade", "counterpart", "command_card", "battle_card", "commendation", "setback", "defining_trait",
    "aid_request", "asset", "paragon_command_card", "story_arc", "agenda", "turning_point",
)  # fmt: skip
#: Kinds with a source id; the two letters are unique over all these kinds together.
_WITH_SOURCE_ID = ("unit", "upgrade", "counterpart", "command_card", "battle_card")
#: The kinds of card that a battle force may list.
_BATTLE_FORCE_CARDS = {
    "unit": "unit", "counterpart": "counterpart", "upgrade": "upgrade", "allowed-upgrade": "upgrade",
    "disallowed-upgrade": "upgrade",
}  # fmt: skip
_EXCUSED = ("command-card-unit-missing", "restriction-names-missing-unit")

AGENDAS_OF_AN_ARC = 3

#: Tables in the catalogue that the rules also have as constants.
KNOWN: Mapping[str, Any] = {
    "starting_register": {
        "combat_potential": STARTING_COMBAT_POTENTIAL, "supply_points": STARTING_SUPPLY_POINTS, "reputation": 0,
        "minimum_commanders": MINIMUM_COMMANDERS, "minimum_corps": MINIMUM_CORPS,
    },
    "experience_thresholds": {str(rank): experience for rank, experience in enumerate(THRESHOLDS)},
    "maximum_veteran_rank": MAXIMUM_VETERAN_RANK,
    "dice": {die: {"sides": sum(faces.values()), **faces} for die, faces in DICE.items()},
}  # fmt: skip

Errors = Iterator[CatalogueError]


def check_references(tables: Tables) -> Errors:
    """Return everything that is wrong between the rows, which are already checked one by one."""
    names = _Names(tables)
    yield from _check_duplicates(tables)
    yield from _check_constants(tables.constants)
    yield from _check_faces(tables)
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
    def __init__(self, tables: Tables) -> None:
        def values(field: str, *kinds: str) -> set[Any]:
            return {
                row.values[field]
                for kind in kinds
                for row in (*tables.rows[kind], *tables.faulty[kind])
                if field in row.values
            }

        self.slugs = {kind: values("slug", kind) for kind in (*_OWN_SLUG, "battle_force")}
        self.battle_forces = values("name", "battle_force")
        self.counterpart_ids = values("source_id", "counterpart")
        self.unit_names = values("name", "unit", "counterpart")
        self.units_proper = values("name", "unit")
        self.printed: Mapping[str, set[str]] = {
            "unit": self.unit_names,
            "unit_title": values("title", "unit"),
            "unit_type": values("unit_type", "unit"),
            "affiliation": values("affiliation", "unit") | values("changes_affiliation_to", "upgrade"),
            "keyword": {keyword_name(keyword) for keywords in values("keywords", "unit") for keyword in keywords},
        }
        #: Names of cards that were never printed or are not out yet: (source id of the card with the name, name).
        self.excused = {
            (row.values["source_id"], row.values["detail"].removeprefix("unit:"))
            for row in tables.rows["suspicious"]
            if row.values["kind"] in _EXCUSED
        }


def _unknown(row: TableRow, field: str, wanted: Any, known: set[str]) -> Errors:
    for word in wanted:
        if word not in known:
            yield row.error(f"{field}: there is no {word!r}")


def _check_duplicates(tables: Tables) -> Errors:
    for kind in _OWN_SLUG:
        yield from _twice(tables.rows[kind], lambda values: values["slug"], "slug")
    yield from _twice(
        [row for kind in _WITH_SOURCE_ID for row in tables.rows[kind]], lambda v: v["source_id"], "source_id"
    )
    yield from _twice(tables.rows["battle_force"], lambda v: (v["slug"], v["format"]), "slug and format")
    yield from _twice(tables.rows["keyword"], lambda v: v["name"], "name")
    yield from _twice(tables.rows["rank_requirement"], lambda v: (v["format"], v["rank"]), "format and rank")
    yield from _twice(
        tables.rows["battle_force_card"],
        lambda v: (v["battle_force"], v["kind"], v["rank"], v["card_slug"]),
        "battle force, kind, rank and card",
    )


def _twice(rows: Iterable[TableRow], key: Callable[[Mapping[str, Any]], Any], what: str) -> Errors:
    seen: dict[Any, TableRow] = {}
    for row in rows:
        value = key(row.values)
        first = seen.setdefault(value, row)
        if first is not row:
            spoken = value if isinstance(value, str) else " ".join(part for part in value if part)
            yield row.error(f"{what} {spoken!r} is already used in {first.file}, {first.place}")


def _check_constants(constants: Mapping[str, Any]) -> Errors:
    for name, expected in KNOWN.items():
        if name in constants and constants[name] != expected:
            yield CatalogueError(TABLES_FILE, name, f"differs from the rules, which say {expected}")


def _check_faces(tables: Tables) -> Errors:
    for kind, of_arc in ARC_ROWS.items():
        rows = [row for row in tables.rows[kind] if "face" in row.values] + list(tables.rows[of_arc])
        yield from _twice(rows, lambda values: values["face"], "face")
        if missing := set(DICE[BLACK_ATTACK]) - {row.values["face"] for row in rows}:
            yield CatalogueError(TABLES_FILE, f"{kind}s", f"no entry for the faces {', '.join(sorted(missing))}")
        for row in tables.rows[of_arc]:
            effect = (row.values["face"], row.values["experience"], row.values["from_story_arc"])
            if effect != ("critical", 1, True):
                yield row.error("the Story Arc's own is on the critical and gives 1 XP (R36, R37)")


def _check_rank_requirements(rows: tuple[TableRow, ...]) -> Errors:
    formats: dict[str, list[TableRow]] = {}
    for row in rows:
        formats.setdefault(row.values["format"], []).append(row)
        if row.values["min"] > row.values["max"]:
            yield row.error("min is above max")
    for name, entries in formats.items():
        if missing := set(RANKS) - {row.values["rank"] for row in entries}:
            yield entries[0].error(f"format {name!r} lacks the ranks {', '.join(sorted(missing))}")
        if len({(row.values["source_name"], row.values["max_points"]) for row in entries}) > 1:
            yield entries[0].error(f"format {name!r} has several names or sizes")


def _check_unit(row: TableRow, names: _Names) -> Errors:
    unit = row.values
    if unit["unit_type"].split()[-1] != unit["unit_class"]:
        yield row.error(f"unit_type: {unit['unit_type']!r} is not a {unit['unit_class']}")
    if unit["paragon_eligible"] != (unit["rank"] == "commander" and not unit["unique"]):
        yield row.error("paragon_eligible: true for non-unique commanders only, and for all of them (R5, R6)")
    if unit["counterpart_id"] and unit["counterpart_id"] not in names.counterpart_ids:
        yield row.error(f"counterpart_id: there is no counterpart {unit['counterpart_id']!r}")


def _check_upgrade(row: TableRow, names: _Names) -> Errors:
    upgrade = row.values
    if upgrade["tod_banned_unique_type"] != (upgrade["unique"] and upgrade["type"] in BANNED_UNIQUE_TYPES):
        yield row.error("tod_banned_unique_type: true for unique upgrades of the types of R5 only, and for all of them")
    if upgrade["unique"] != (upgrade["army_limit"] == 1):
        yield row.error("army_limit: 1 for unique upgrades, and for no other")
    yield from _check_restriction(row, "restrictions", names)


def _check_restriction(row: TableRow, field: str, names: _Names) -> Errors:
    terms = {term for group in read_restriction(row.values[field]) for term in group}
    for term in sorted(terms, key=lambda term: (term.key, term.value)):
        known = names.printed.get(term.key)
        if known is not None and term.value not in known and (row.values["source_id"], term.value) not in names.excused:
            yield row.error(f"{field}: there is no {term.key} {term.value!r}")


def _check_command_card(row: TableRow, names: _Names) -> Errors:
    card = row.values
    excused = {name for source_id, name in names.excused if source_id == card["source_id"]}
    yield from _unknown(row, "required_units", card["required_units"], names.unit_names | excused)
    if bool(card["required_units"]) != bool(card["required_mode"]):
        yield row.error("required_mode: any or all if there are required_units, else nothing")
    if card["battle_force"] and card["battle_force"] not in names.battle_forces:
        yield row.error(f"battle_force: there is no {card['battle_force']!r}")
    yield from _check_restriction(row, "extra_requirements", names)


def _check_battle_force_card(row: TableRow, names: _Names) -> Errors:
    card = row.values
    yield from _unknown(row, "battle_force", [card["battle_force"]], names.slugs["battle_force"])
    yield from _unknown(row, "card_slug", [card["card_slug"]], names.slugs[_BATTLE_FORCE_CARDS[card["kind"]]])


def _check_story_arcs(tables: Tables, names: _Names) -> Errors:
    for row in tables.rows["story_arc"]:
        if len(row.values["agendas"]) != AGENDAS_OF_AN_ARC:
            yield row.error(f"agendas: a Story Arc has {AGENDAS_OF_AN_ARC}, not {len(row.values['agendas'])}")
    for row in tables.rows["agenda"]:
        shield = row.values["casualty_shield"]
        context = c.RewardContext(progressions=True, marks=bool(row.values["marks"]))
        yield from _check_reward(row, "reward", row.values["reward"], names, context)
        instead = c.read_reward(shield["instead"] if shield else [], "casualty_shield")
        for path, text in c.misplaced_in_shield(instead):
            yield row.error(f"casualty_shield[{path}]: {text}")
    for row in tables.rows["turning_point"]:
        asked = frozenset(row.values["asks"])
        for field in ("victory", "defeat"):
            yield from _check_reward(row, field, row.values[field], names, c.RewardContext(opponent=True), asked)
        for number, entry in enumerate(row.values["end_of_game"]):
            yield from _check_reward(row, f"end_of_game[{number}]", entry["reward"], names, c.RewardContext(), asked)


def _check_reward(
    row: TableRow, field: str, data: Any, names: _Names, context: c.RewardContext, asked: frozenset[str] = frozenset()
) -> Errors:
    clauses = c.read_reward(data, field)
    traits, assets = names.slugs["defining_trait"], names.slugs["asset"]
    for name in unknown_names(clauses, traits=traits, assets=assets, units=names.units_proper, asked=asked):
        yield row.error(f"{field}: there is no {name!r}")
    for path, text in c.misplaced(clauses, context):
        yield row.error(f"{field}[{path}]: {text}")


def unknown_names(
    clauses: tuple[c.Clause, ...], *, traits: Set[str], assets: Set[str], units: Set[str], asked: Set[str]
) -> Iterator[str]:
    """Yield unknown names in a reward: of Traits and assets (slugs), upgrade types, units, and reported numbers."""
    for clause in c.walk(clauses):
        match clause:
            case c.GainTrait(trait) if trait not in traits:
                yield trait
            case c.GainAsset(asset) if asset not in assets:
                yield asset
            case c.GainUpgrade(types):
                yield from (kind for kind in types if kind not in UPGRADE_TYPES)
            case c.AddUnit(wanted):
                yield from (name for name in wanted if name not in units)
            case c.RollDice(count=str(number)) | c.DrawOrderTokens(count=str(number)):
                yield from {number} - {c.PROGRESSIONS} - asked

"""From the files of a catalogue to a Rulebook: rows are read, their references checked, and cards made of them.

`read_catalogue` returns cards as the database keeps them too; `make_rulebook` makes a Rulebook of such cards.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from . import cards
from .building import MINIMUM_COMMANDERS, MINIMUM_CORPS
from .cards import BANNED_UNIQUE_TYPES, RANKS, keyword_name
from .clauses import (
    PROGRESSIONS,
    AddUnit,
    Clause,
    DrawOrderTokens,
    GainTrait,
    Place,
    RollDice,
    misplaced,
    misplaced_in_shield,
    read_condition,
    read_end_of_game,
    read_reward,
    walk,
)
from .dice import BLACK_ATTACK, DICE
from .forms import (
    ARC_PARTS,
    ARC_ROW,
    ARC_ROWS,
    CONSTANTS,
    CSV_FILES,
    KINDS,
    SECTIONS,
    STORY_ARC_FILE,
    STORY_ARC_FORM,
    STORY_ARCS_FORM,
    TABLES_FILE,
    TABLES_FORM,
    Columns,
    read_restriction,
)
from .rulebook import BattleForce, Listing, RankLimits, Rulebook
from .terms import STARTING_COMBAT_POTENTIAL, STARTING_SUPPLY_POINTS
from .veterans import MAXIMUM_VETERAN_RANK, THRESHOLDS


@dataclass(frozen=True, slots=True)
class CatalogueError:
    """Something wrong in a file: where (a row or a named entry) and a sentence."""

    file: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}, {self.place}: {self.text}" if self.place else f"{self.file}: {self.text}"


class CatalogueErrors(Exception):
    """A catalogue that cannot be used; `errors` holds everything that is wrong with it."""

    def __init__(self, errors: Iterable[CatalogueError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


@dataclass(frozen=True, slots=True)
class Row:
    """The values of one card, and where they stand."""

    file: str
    place: str
    values: Mapping[str, Any]

    def error(self, text: str) -> CatalogueError:
        """An error at this place."""
        return CatalogueError(self.file, self.place, text)


@dataclass(frozen=True)
class Tables:
    """All rows of a catalogue by kind of card, and the tables that must say what the rules know already."""

    edition: str
    rows: Mapping[str, tuple[Row, ...]]
    constants: Mapping[str, Any]
    #: Rows with something wrong, as far as they could be read: their names may be spoken of all the same.
    faulty: Mapping[str, tuple[Row, ...]]
    #: Whether a whole file could not be read.
    unreadable: bool


def read_tables(folder: Path) -> tuple[Tables, list[CatalogueError]]:
    """Every row of the files in `folder` that could be read, and everything that is wrong with the others."""
    reader = _Reader(folder)
    for kind, (file, columns) in CSV_FILES.items():
        reader.read_csv(kind, file, columns)
    edition, constants = reader.read_tables_file()
    reader.read_story_arcs()
    rows, faulty = (
        {kind: tuple(rows) for kind, rows in found.items()} for found in (reader.rows, reader.faulty)
    )
    return Tables(edition, rows, constants, faulty, reader.unreadable), reader.errors


class _Reader:
    """Collects rows and errors, so that one bad row does not hide the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.errors: list[CatalogueError] = []
        self.rows: dict[str, list[Row]] = {kind: [] for kind in KINDS}
        self.faulty: dict[str, list[Row]] = {kind: [] for kind in KINDS}
        self.unreadable = False

    def fail(self, file: str, place: str, text: str) -> None:
        self.errors.append(CatalogueError(file, place, text))

    def fail_file(self, file: str, place: str, text: str) -> None:
        self.fail(file, place, text)
        self.unreadable = True

    def text_of(self, file: str) -> str | None:
        try:
            return (self.folder / file).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            self.fail_file(file, "", "the file is missing")
        except (OSError, UnicodeDecodeError) as fault:
            self.fail_file(file, "", f"cannot be read: {fault}")
        return None

    def read_csv(self, kind: str, file: str, columns: Columns) -> None:
        text = self.text_of(file)
        if text is None:
            return
        lines = csv.reader(io.StringIO(text, newline=""))
        header = next(lines, [])
        if sorted(header) != sorted(columns.required):
            _, faults = columns.read(dict.fromkeys(header, ""))
            wrong = [fault for fault in faults if fault.startswith(("missing", "unknown '"))]
            self.fail_file(file, "row 1", "the columns differ: " + ("; ".join(wrong) or "one is there twice"))
            return
        for cells in lines:
            place = f"row {lines.line_num}"
            if len(cells) != len(header):
                self.fail(file, place, f"has {len(cells)} values for {len(header)} columns")
            else:
                self.add(kind, file, place, columns, dict(zip(header, cells, strict=True)))

    def add(self, kind: str, file: str, place: str, columns: Columns, data: Any, **more: Any) -> None:
        row, faults = columns.read(data)
        self.errors.extend(CatalogueError(file, place, fault) for fault in faults)
        (self.faulty if faults else self.rows)[kind].append(Row(file, place, row | more))

    def read_json(self, file: str, columns: Columns) -> dict[str, Any]:
        text = self.text_of(file)
        if text is None:
            return {}
        try:
            data = json.loads(text)
        except json.JSONDecodeError as fault:
            self.fail_file(file, f"line {fault.lineno}", f"is not JSON: {fault.msg}")
            return {}
        row, faults = columns.read(data)
        for wrong in faults:
            self.fail_file(file, "", wrong)
        return row

    def read_tables_file(self) -> tuple[str, dict[str, Any]]:
        data = self.read_json(TABLES_FILE, TABLES_FORM)
        for section, (kind, columns) in SECTIONS.items():
            for index, entry in enumerate(data.get(section, ())):
                place = _place(section, index, entry)
                if kind in ARC_ROWS and isinstance(entry, dict) and "from_story_arc" in entry:
                    self.add(ARC_ROWS[kind], TABLES_FILE, place, ARC_ROW, entry)
                else:
                    self.add(
                        kind,
                        TABLES_FILE,
                        place,
                        columns,
                        entry,
                        **({"story_arc": ""} if kind in ARC_PARTS else {}),
                    )
        return data.get("edition", ""), {name: data[name] for name in CONSTANTS if name in data}

    def read_story_arcs(self) -> None:
        data = self.read_json(STORY_ARC_FILE, STORY_ARCS_FORM)
        for index, arc in enumerate(data.get("arcs", ())):
            place = _place("arcs", index, arc)
            self.add("story_arc", STORY_ARC_FILE, place, STORY_ARC_FORM, arc)
            if isinstance(arc, dict):
                self.read_arc_parts(arc, place)

    def read_arc_parts(self, arc: dict[str, Any], place: str) -> None:
        for part, (kind, columns) in ARC_PARTS.items():
            if part not in arc:
                continue
            entries = arc[part] if part == "agendas" and isinstance(arc[part], list) else [arc[part]]
            for index, entry in enumerate(entries):
                where = f"{place}.{_place(part, index, entry)}" if part == "agendas" else f"{place}.{part}"
                self.add(kind, STORY_ARC_FILE, where, columns, entry, story_arc=arc.get("slug", ""))


def _place(section: str, index: int, entry: Any) -> str:
    name = entry.get("slug") or entry.get("name") if isinstance(entry, dict) else None
    return f"{section}[{index}] {name}" if name else f"{section}[{index}]"


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

AGENDAS_OF_AN_ARC = 3

#: Tables that a catalogue repeats and the rules have as constants.
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
    """Everything that is wrong between the rows, which are right one by one."""
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
        def said(field: str, *kinds: str) -> set[Any]:
            return {
                row.values[field]
                for kind in kinds
                for row in (*tables.rows[kind], *tables.faulty[kind])
                if field in row.values
            }

        self.slugs = {kind: said("slug", kind) for kind in (*_OWN_SLUG, "battle_force")}
        self.battle_forces = said("name", "battle_force")
        self.counterpart_ids = said("source_id", "counterpart")
        self.unit_names = said("name", "unit", "counterpart")
        self.units_proper = said("name", "unit")
        self.printed: Mapping[str, set[str]] = {
            "unit": self.unit_names,
            "unit_title": said("title", "unit"),
            "unit_type": said("unit_type", "unit"),
            "affiliation": said("affiliation", "unit") | said("changes_affiliation_to", "upgrade"),
            "keyword": {
                keyword_name(keyword) for keywords in said("keywords", "unit") for keyword in keywords
            },
        }
        #: Names of cards that were never printed or are not out yet: (source id of who names them, name).
        self.excused = {
            (row.values["source_id"], row.values["detail"].removeprefix("unit:"))
            for row in tables.rows["suspicious"]
            if row.values["kind"] in _EXCUSED
        }


def _unknown(row: Row, field: str, wanted: Any, known: set[str]) -> Errors:
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


def _twice(rows: Iterable[Row], key: Callable[[Mapping[str, Any]], Any], what: str) -> Errors:
    seen: dict[Any, Row] = {}
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
        missing = set(DICE[BLACK_ATTACK]) - {row.values["face"] for row in rows}
        if missing:
            yield CatalogueError(
                TABLES_FILE, f"{kind}s", f"no entry for the faces {', '.join(sorted(missing))}"
            )
        for row in tables.rows[of_arc]:
            said = (row.values["face"], row.values["experience"], row.values["from_story_arc"])
            if said != ("critical", 1, True):
                yield row.error("the Story Arc's own is on the critical and gives 1 XP (R36, R37)")


def _check_rank_requirements(rows: tuple[Row, ...]) -> Errors:
    formats: dict[str, list[Row]] = {}
    for row in rows:
        formats.setdefault(row.values["format"], []).append(row)
        if row.values["min"] > row.values["max"]:
            yield row.error("min is above max")
    for name, entries in formats.items():
        missing = set(RANKS) - {row.values["rank"] for row in entries}
        if missing:
            yield entries[0].error(f"format {name!r} lacks the ranks {', '.join(sorted(missing))}")
        if len({(row.values["source_name"], row.values["max_points"]) for row in entries}) > 1:
            yield entries[0].error(f"format {name!r} has several names or sizes")


def _check_unit(row: Row, names: _Names) -> Errors:
    unit = row.values
    if unit["unit_type"].split()[-1] != unit["unit_class"]:
        yield row.error(f"unit_type: {unit['unit_type']!r} is not a {unit['unit_class']}")
    if unit["paragon_eligible"] != (unit["rank"] == "commander" and not unit["unique"]):
        yield row.error("paragon_eligible: true for non-unique commanders only, and for all of them (R5, R6)")
    if unit["counterpart_id"] and unit["counterpart_id"] not in names.counterpart_ids:
        yield row.error(f"counterpart_id: there is no counterpart {unit['counterpart_id']!r}")


def _check_upgrade(row: Row, names: _Names) -> Errors:
    upgrade = row.values
    if upgrade["tod_banned_unique_type"] != (upgrade["unique"] and upgrade["type"] in BANNED_UNIQUE_TYPES):
        yield row.error(
            "tod_banned_unique_type: true for unique upgrades of the types of R5 only, and for all of them"
        )
    if upgrade["unique"] != (upgrade["army_limit"] == 1):
        yield row.error("army_limit: 1 for unique upgrades, and for no other")
    yield from _check_restriction(row, "restrictions", names)


def _check_restriction(row: Row, field: str, names: _Names) -> Errors:
    terms = {term for group in read_restriction(row.values[field]) for term in group}
    for term in sorted(terms, key=lambda term: (term.key, term.value)):
        known = names.printed.get(term.key)
        if (
            known is not None
            and term.value not in known
            and (row.values["source_id"], term.value) not in names.excused
        ):
            yield row.error(f"{field}: there is no {term.key} {term.value!r}")


def _check_command_card(row: Row, names: _Names) -> Errors:
    card = row.values
    excused = {name for source_id, name in names.excused if source_id == card["source_id"]}
    yield from _unknown(row, "required_units", card["required_units"], names.unit_names | excused)
    if bool(card["required_units"]) != bool(card["required_mode"]):
        yield row.error("required_mode: any or all if there are required_units, else nothing")
    if card["battle_force"] and card["battle_force"] not in names.battle_forces:
        yield row.error(f"battle_force: there is no {card['battle_force']!r}")
    yield from _check_restriction(row, "extra_requirements", names)


def _check_battle_force_card(row: Row, names: _Names) -> Errors:
    card = row.values
    yield from _unknown(row, "battle_force", [card["battle_force"]], names.slugs["battle_force"])
    yield from _unknown(row, "card_slug", [card["card_slug"]], names.slugs[_BATTLE_FORCE_CARDS[card["kind"]]])


def _check_story_arcs(tables: Tables, names: _Names) -> Errors:
    for row in tables.rows["story_arc"]:
        if len(row.values["agendas"]) != AGENDAS_OF_AN_ARC:
            yield row.error(f"agendas: a Story Arc has {AGENDAS_OF_AN_ARC}, not {len(row.values['agendas'])}")
    for row in tables.rows["agenda"]:
        shield = row.values["casualty_shield"]
        place = Place(progressions=True, marks=bool(row.values["marks"]))
        yield from _check_reward(row, "reward", row.values["reward"], names, place)
        instead = read_reward(shield["instead"] if shield else [], "casualty_shield")
        for path, text in misplaced_in_shield(instead):
            yield row.error(f"casualty_shield[{path}]: {text}")
    for row in tables.rows["turning_point"]:
        asked = frozenset(row.values["asks"])
        for field in ("victory", "defeat"):
            yield from _check_reward(row, field, row.values[field], names, Place(), asked)
        for number, entry in enumerate(row.values["end_of_game"]):
            yield from _check_reward(row, f"end_of_game[{number}]", entry["reward"], names, Place(), asked)


def _check_reward(
    row: Row, field: str, data: Any, names: _Names, place: Place, asked: frozenset[str] = frozenset()
) -> Errors:
    clauses = read_reward(data, field)
    traits, units = names.slugs["defining_trait"], names.units_proper
    for name in unknown_names(clauses, traits=traits, units=units, asked=asked):
        yield row.error(f"{field}: there is no {name!r}")
    for path, text in misplaced(clauses, place):
        yield row.error(f"{field}[{path}]: {text}")


def unknown_names(
    clauses: tuple[Clause, ...], *, traits: Set[str], units: Set[str], asked: Set[str]
) -> Iterator[str]:
    """What a reward names and nobody knows: slugs of Defining Traits, names of units, and reported numbers."""
    for clause in walk(clauses):
        match clause:
            case GainTrait(trait) if trait not in traits:
                yield trait
            case AddUnit(wanted):
                yield from (name for name in wanted if name not in units)
            case RollDice(count=str(number)) | DrawOrderTokens(count=str(number)):
                yield from {number} - {PROGRESSIONS} - asked


Card = Mapping[str, Any]
Printed = TypeVar("Printed")


@dataclass(frozen=True)
class Catalogue:
    """All cards of one edition by kind, as plain values in printed order."""

    edition: str
    cards: Mapping[str, tuple[Card, ...]]


def read_rulebook(folder: Path) -> Rulebook:
    """The Rulebook in the files of `folder`. Raises CatalogueErrors with everything that is wrong with them."""
    catalogue = read_catalogue(folder)
    return make_rulebook(catalogue.edition, catalogue.cards)


def read_catalogue(folder: Path) -> Catalogue:
    """The cards in the files of `folder`. Raises CatalogueErrors with everything that is wrong with them."""
    tables, errors = read_tables(folder)
    if not tables.unreadable:  # else everything that speaks of a card in a missing file would seem wrong too
        errors += check_references(tables)
    if errors:
        raise CatalogueErrors(errors)
    kept = {kind: [row.values for row in rows] for kind, rows in tables.rows.items()}
    return Catalogue(tables.edition, {
        "unit": _without(kept["unit"], "paragon_eligible"),
        "upgrade": _without(kept["upgrade"], "tod_banned_unique_type"),
        "counterpart": tuple(kept["counterpart"]),
        "command_card": tuple(kept["command_card"]),
        "battle_force": _battle_forces(kept["battle_force"]),
        "battle_force_card": tuple(_battle_force_card(row) for row in kept["battle_force_card"]),
        "rank_requirement": _rank_requirements(kept["rank_requirement"]),
        "battle_card": tuple(kept["battle_card"]),
        "keyword": tuple({"slug": _slug_of(row["name"]), **row} for row in kept["keyword"]),
        "story_arc": tuple(_story_arc(row) for row in kept["story_arc"]),
        "commendation": tuple(_commendation_card(row) for row in kept["commendation"]),
        "setback": tuple(_setback(row) for row in kept["setback"]),
        "defining_trait": tuple(_defining_trait(row) for row in kept["defining_trait"]),
        "aid_request": tuple(_aid_request(row) for row in kept["aid_request"]),
        "asset": tuple(kept["asset"]),
        "paragon_command_card": tuple(kept["paragon_command_card"]),
        "agenda": tuple(kept["agenda"]),
        "turning_point": tuple(kept["turning_point"]),
    })  # fmt: skip


def read_arc(data: Card) -> dict[str, tuple[Card, ...]]:
    """The cards of one Story Arc by kind, given as in the file of Story Arcs. Raises ValueError."""
    cards: dict[str, tuple[Card, ...]] = {"story_arc": (_story_arc(STORY_ARC_FORM(data)),)}
    for part, (kind, columns) in ARC_PARTS.items():
        entries = data[part] if part == "agendas" else [data[part]]
        make = _CARD_OF_ARC.get(kind, dict)
        cards[kind] = tuple(make({**columns(entry), "story_arc": data["slug"]}) for entry in entries)
    return cards


def with_arc(book: Rulebook, cards_by_kind: Mapping[str, Iterable[Card]]) -> Rulebook:
    """The Rulebook with the cards of a Story Arc (`read_arc`) besides its own; it may be begun."""
    [arc] = _story_arcs(cards_by_kind)
    [commendation] = map(_commendation, cards_by_kind["commendation"])
    [setback] = (_rolled(cards.Setback, card) for card in cards_by_kind["setback"])
    [trait] = (_rolled(cards.DefiningTrait, card) for card in cards_by_kind["defining_trait"])
    return replace(
        book,
        story_arcs={**book.story_arcs, arc.slug: arc},
        commendations={**book.commendations, commendation.slug: commendation},
        setbacks={**book.setbacks, setback.slug: setback},
        defining_traits={**book.defining_traits, trait.slug: trait},
        arcs_taken_in=book.arcs_taken_in | {arc.slug},
    )


def make_rulebook(edition: str, cards_by_kind: Mapping[str, Iterable[Card]]) -> Rulebook:
    """The Rulebook of these cards, which are known to be right.

    Values of a card that the rules do not need are left aside. A Story Arc is made of the cards that name it.
    """
    return Rulebook(
        edition=edition,
        units=_by_slug(map(_unit, cards_by_kind["unit"])),
        upgrades=_by_slug(map(_upgrade, cards_by_kind["upgrade"])),
        commendations=_by_slug(map(_commendation, cards_by_kind["commendation"])),
        setbacks=_by_slug(_rolled(cards.Setback, card) for card in cards_by_kind["setback"]),
        defining_traits=_by_slug(
            _rolled(cards.DefiningTrait, card) for card in cards_by_kind["defining_trait"]
        ),
        aid_requests=_by_slug(_printed(cards.AidRequest, card) for card in cards_by_kind["aid_request"]),
        assets=_by_slug(_printed(cards.StrategicAsset, card) for card in cards_by_kind["asset"]),
        command_cards=_by_slug(
            _printed(cards.ParagonCommandCard, card) for card in cards_by_kind["paragon_command_card"]
        ),
        keywords=MappingProxyType(
            {card["name"]: _printed(cards.Keyword, card) for card in cards_by_kind["keyword"]}
        ),
        story_arcs=_by_slug(_story_arcs(cards_by_kind)),
        rank_limits=tuple(
            _rank_limits(card) for card in cards_by_kind["rank_requirement"] if not _is_retired(card)
        ),
        commands=_by_slug(map(_command, cards_by_kind["command_card"])),
        counterparts=_by_slug(map(_counterpart, cards_by_kind["counterpart"])),
        battle_forces=_by_slug(_forces(cards_by_kind)),
        battle_cards=_by_slug(_printed(cards.BattleCard, card) for card in cards_by_kind["battle_card"]),
    )


def _without(rows: Iterable[Card], *columns: str) -> tuple[Card, ...]:
    return tuple({name: value for name, value in row.items() if name not in columns} for row in rows)


def _slug_of(name: str) -> str:
    return name.lower().replace(" ", "-")


def _battle_forces(rows: Iterable[Card]) -> tuple[Card, ...]:
    """One card a battle force; its `formats` hold the limits by format."""
    forces: dict[str, dict[str, Any]] = {}
    for row in rows:
        force = forces.setdefault(
            row["slug"],
            {name: row[name] for name in ("slug", "name", "faction", "link_id")} | {"formats": {}},
        )
        force["formats"][row["format"]] = {
            "combined_commander_operative_max": row["combined_commander_operative_max"],
            "limits": {rank: [row[f"{rank}_min"], row[f"{rank}_max"]] for rank in RANKS},
        }
    return tuple(forces.values())


def _battle_force_card(row: Card) -> Card:
    parts = (row["battle_force"], row["kind"], row["rank"], row["card_slug"])
    return {"slug": "--".join(part for part in parts if part), **row}


def _rank_requirements(rows: Iterable[Card]) -> tuple[Card, ...]:
    """One card a format; its `limits` hold the minimum and maximum of each rank."""
    formats: dict[str, dict[str, Any]] = {}
    for row in rows:
        card = formats.setdefault(
            row["format"],
            {
                "slug": row["format"],
                "name": row["source_name"],
                "max_points": row["max_points"],
                "limits": {},
            },
        )
        card["limits"][row["rank"]] = [row["min"], row["max"]]
    return tuple(formats.values())


def _story_arc(row: Card) -> Card:
    [plain] = _without([row], *ARC_PARTS)
    return plain


def _commendation_card(row: Card) -> Card:
    return {"high": False, **row}


def _setback(row: Card) -> Card:
    """General Setbacks say whether they stack, those of a Story Arc what a second instance does (R36)."""
    second = row.get("second_instance") or ("stacks" if row["stacks"] else "reroll")
    return {
        **{name: row[name] for name in ("slug", "name", "effect", "story_arc")},
        "second": second,
        "face": row.get("face", ""),
        "army_points_each": row.get("army_points_each", 0),
        "add_die_or_reroll_blanks": bool(row.get("casualty_check")),
    }


def _defining_trait(row: Card) -> Card:
    start = row["aid_requests_start"]
    [plain] = _without([row], "aid_requests_start")
    return {
        "face": "",
        **plain,
        "aid_die": start["roll"]["die"] if start else "",
        "aid_dice": start["roll"]["count"] if start else 0,
        "aid_faces_lost": tuple(start["lose_supply_points_per_face"]) if start else (),
    }


#: Kind of card in a Story Arc to what makes the card of its row; the others are as they are.
_CARD_OF_ARC: Mapping[str, Callable[[Card], Card]] = {
    "commendation": _commendation_card,
    "setback": _setback,
    "defining_trait": _defining_trait,
}


def _aid_request(row: Card) -> Card:
    [plain] = _without([row], "cost")
    fixed = row["cost"].removesuffix(" per unit")
    return {**plain, "cost": int(fixed) if fixed.isdecimal() else None, "cost_text": row["cost"]}


def _by_slug(printed: Iterable[Any]) -> Mapping[str, Any]:
    return MappingProxyType({card.slug: card for card in printed})


def _printed(kind: type[Printed], card: Card, **other: Any) -> Printed:
    """A card as the rules know it: its values by the names of the dataclass, lists as tuples."""
    values = {
        field.name: card[field.name]
        for field in fields(kind)  # type: ignore[arg-type]
        if field.name in card and field.name not in other
    }
    return kind(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()},
        **other,
    )


def _unit(card: Card) -> cards.Unit:
    return _printed(cards.Unit, card)


def _upgrade(card: Card) -> cards.Upgrade:
    return _printed(cards.Upgrade, card, restrictions=read_restriction(card["restrictions"]))


def _rolled(kind: type[Printed], card: Card) -> Printed:
    """A Setback or Trait; a retired one is kept for those who have it, and no die shows it any more."""
    return _printed(kind, card, face="" if _is_retired(card) else card["face"])


def _is_retired(card: Card) -> bool:
    return bool(card.get("retired", False))


def _command(card: Card) -> cards.CommandCard:
    return _printed(cards.CommandCard, card, extra_requirements=read_restriction(card["extra_requirements"]))


def _commendation(card: Card) -> cards.Commendation:
    return _printed(cards.Commendation, card, requires=_printed(cards.Requirement, card["requires"]))


def _rank_limits(card: Card) -> RankLimits:
    limits = {rank: (low, high) for rank, (low, high) in card["limits"].items()}
    return RankLimits(card["slug"], card["name"], card["max_points"], MappingProxyType(limits))


def _counterpart(card: Card) -> cards.Counterpart:
    printed = _printed(cards.Unit, card, rank="", unit_class="trooper", unique_by_title=False)
    return cards.Counterpart(card["slug"], printed, tuple(card["parent_unit_slugs"]))


def _forces(cards_by_kind: Mapping[str, Iterable[Card]]) -> Iterable[BattleForce]:
    named: dict[str, dict[str, list[Card]]] = {}
    for card in cards_by_kind["battle_force_card"]:
        if not _is_retired(card):
            named.setdefault(card["battle_force"], {}).setdefault(card["kind"], []).append(card)
    return [_force(card, named.get(card["slug"], {})) for card in cards_by_kind["battle_force"]]


def _force(card: Card, named: Mapping[str, Iterable[Card]]) -> BattleForce:
    slugs = {kind: frozenset(other["card_slug"] for other in found) for kind, found in named.items()}
    return _printed(
        BattleForce,
        card,
        ranks=MappingProxyType(
            {game: _force_limits(card, game, data) for game, data in card["formats"].items()}
        ),
        units=MappingProxyType(
            {
                unit["card_slug"]: Listing(unit["rank"], unit["limit_min"] or 0, unit["limit_max"])
                for unit in named.get("unit", ())
            }
        ),
        counterparts=slugs.get("counterpart", frozenset()),
        unique_upgrades=slugs.get("allowed-upgrade", frozenset()),
        barred=slugs.get("disallowed-upgrade", frozenset()),
    )


def _force_limits(force: Card, game: str, data: Card) -> RankLimits:
    limits = {rank: (low, high) for rank, (low, high) in data["limits"].items()}
    return RankLimits(
        game, force["name"], 0, MappingProxyType(limits), data["combined_commander_operative_max"]
    )


def _agenda(card: Card) -> cards.Agenda:
    marks, shield = card["marks"], card["casualty_shield"]
    return _printed(
        cards.Agenda,
        card,
        progress=tuple(read_condition(condition, card["slug"]) for condition in card["progress"]),
        reward=read_reward(card["reward"], card["slug"]),
        marks=_marks(marks) if marks else None,
        casualty_shield=read_reward(shield["instead"], card["slug"]) if shield else (),
    )


def _marks(data: Card) -> cards.Marks:
    count = None if data["count"] == "any" else data["count"]
    return cards.Marks(count, data["who"], data.get("from", "fielded"))


def _turning_point(card: Card) -> cards.TurningPoint:
    return _printed(
        cards.TurningPoint,
        card,
        advantages=MappingProxyType(card["advantages"]),
        asks=MappingProxyType(card["asks"]),
        end_of_game=tuple(read_end_of_game(entry, card["slug"]) for entry in card["end_of_game"]),
        victory=read_reward(card["victory"], card["slug"]),
        defeat=read_reward(card["defeat"], card["slug"]),
    )


#: The kinds of cards of which each Story Arc has one or more.
_PARTS = tuple(kind for kind, _ in ARC_PARTS.values())


def _story_arcs(cards_by_kind: Mapping[str, Iterable[Card]]) -> Iterable[cards.StoryArc]:
    """The Story Arcs that have all their parts; one that is still being written in the admin may lack some."""
    parts: dict[str, dict[str, list[Card]]] = {}
    for kind in _PARTS:
        for card in cards_by_kind[kind]:
            parts.setdefault(card["story_arc"], {}).setdefault(kind, []).append(card)
    for card in cards_by_kind["story_arc"]:
        every = parts.get(card["slug"], {})
        own = {kind: _in_use(found) for kind, found in every.items()}
        if len(own) < len(_PARTS):
            continue
        yield _printed(
            cards.StoryArc,
            card,
            turning_point=_turning_point(own["turning_point"][0]),
            agendas=tuple(map(_agenda, own["agenda"])),
            agendas_of_before=tuple(_agenda(card) for card in every["agenda"] if card not in own["agenda"]),
            **{kind: own[kind][0]["slug"] for kind in ("commendation", "setback", "defining_trait")},
        )


def _in_use(found: list[Card]) -> list[Card]:
    """The cards of an arc that are not retired; all of them once the whole arc is."""
    return [card for card in found if not _is_retired(card)] or found

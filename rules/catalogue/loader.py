"""Turn the files of a catalogue into cards (plain values as the database stores them) and into a Rulebook."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from rules.catalogue.csv_fields import read_restriction
from rules.catalogue.file_schemas import ARC_PARTS, STORY_ARC_FORM
from rules.catalogue.references import check_references
from rules.catalogue.tables import CatalogueErrors, read_tables
from rules.core import card_types
from rules.core.card_types import RANKS
from rules.core.reward_effects import read_condition, read_end_of_game, read_reward
from rules.core.rulebook import BattleForce, Listing, RankLimits, Rulebook
from rules.core.values import Value

Card = Mapping[str, Any]
Printed = TypeVar("Printed")


class Catalogue(Value):
    """All cards of one edition by kind, as plain values in printed order."""

    edition: str
    cards: Mapping[str, tuple[Card, ...]]


def read_rulebook(folder: Path) -> Rulebook:
    """Return the Rulebook in the files of `folder`. Raises CatalogueErrors with everything that is wrong with them."""
    catalogue = read_catalogue(folder)
    return make_rulebook(catalogue.edition, catalogue.cards)


def read_catalogue(folder: Path) -> Catalogue:
    """Return the cards in the files of `folder`. Raises CatalogueErrors with everything that is wrong with them."""
    tables, errors = read_tables(folder)
    if not tables.unreadable:  # a missing file would make every reference to its cards look wrong
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
        "keyword": tuple({"slug": row["name"].lower().replace(" ", "-"), **row} for row in kept["keyword"]),
        "story_arc": tuple(_story_arc(row) for row in kept["story_arc"]),
        "commendation": tuple({"high": False, **row} for row in kept["commendation"]),
        "setback": tuple(_setback(row) for row in kept["setback"]),
        "defining_trait": tuple(_defining_trait(row) for row in kept["defining_trait"]),
        "aid_request": tuple(_aid_request(row) for row in kept["aid_request"]),
        "asset": tuple(kept["asset"]),
        "paragon_command_card": tuple(kept["paragon_command_card"]),
        "agenda": tuple(kept["agenda"]),
        "turning_point": tuple(kept["turning_point"]),
    })  # fmt: skip


def read_arc(data: Card) -> dict[str, tuple[Card, ...]]:
    """Return the cards of one Story Arc by kind, given as in the file of Story Arcs. Raises ValueError."""
    cards: dict[str, tuple[Card, ...]] = {"story_arc": (_story_arc(STORY_ARC_FORM(data)),)}
    for part, (kind, columns) in ARC_PARTS.items():
        entries = data[part] if part == "agendas" else [data[part]]
        make = _CARD_OF_ARC.get(kind, dict)
        cards[kind] = tuple(make({**columns(entry), "story_arc": data["slug"]}) for entry in entries)
    return cards


def with_arc(book: Rulebook, cards_by_kind: Mapping[str, Iterable[Card]]) -> Rulebook:
    """Return the Rulebook with the cards of a Story Arc (`read_arc`) added; Registers may begin the arc."""
    [arc] = _story_arcs(cards_by_kind)
    [commendation] = map(_commendation, cards_by_kind["commendation"])
    [setback] = (_rolled(card_types.Setback, card) for card in cards_by_kind["setback"])
    [trait] = (_rolled(card_types.DefiningTrait, card) for card in cards_by_kind["defining_trait"])
    return replace(
        book,
        story_arcs={**book.story_arcs, arc.slug: arc},
        commendations={**book.commendations, commendation.slug: commendation},
        setbacks={**book.setbacks, setback.slug: setback},
        defining_traits={**book.defining_traits, trait.slug: trait},
        adopted_arcs=book.adopted_arcs | {arc.slug},
    )


def make_rulebook(edition: str, cards_by_kind: Mapping[str, Iterable[Card]]) -> Rulebook:
    """Return a Rulebook of these cards, which are already checked. A Story Arc consists of the cards that name it."""
    return Rulebook(
        edition=edition,
        units=_by_slug(_printed(card_types.Unit, card) for card in cards_by_kind["unit"]),
        upgrades=_by_slug(
            _printed(card_types.Upgrade, card, restrictions=read_restriction(card["restrictions"]))
            for card in cards_by_kind["upgrade"]
        ),
        commendations=_by_slug(map(_commendation, cards_by_kind["commendation"])),
        setbacks=_by_slug(_rolled(card_types.Setback, card) for card in cards_by_kind["setback"]),
        defining_traits=_by_slug(_rolled(card_types.DefiningTrait, card) for card in cards_by_kind["defining_trait"]),
        aid_requests=_by_slug(_printed(card_types.AidRequest, card) for card in cards_by_kind["aid_request"]),
        assets=_by_slug(_printed(card_types.StrategicAsset, card) for card in cards_by_kind["asset"]),
        command_cards=_by_slug(
            _printed(card_types.ParagonCommandCard, card) for card in cards_by_kind["paragon_command_card"]
        ),
        keywords=MappingProxyType(
            {card["name"]: _printed(card_types.Keyword, card) for card in cards_by_kind["keyword"]}
        ),
        story_arcs=_by_slug(_story_arcs(cards_by_kind)),
        rank_limits=tuple(
            RankLimits(card["slug"], card["name"], card["max_points"], _limits(card))
            for card in cards_by_kind["rank_requirement"]
            if not _is_retired(card)
        ),
        commands=_by_slug(
            _printed(card_types.CommandCard, card, extra_requirements=read_restriction(card["extra_requirements"]))
            for card in cards_by_kind["command_card"]
        ),
        counterparts=_by_slug(map(_counterpart, cards_by_kind["counterpart"])),
        battle_forces=_by_slug(_states(cards_by_kind)),
        battle_cards=_by_slug(_printed(card_types.BattleCard, card) for card in cards_by_kind["battle_card"]),
    )


def _without(rows: Iterable[Card], *columns: str) -> tuple[Card, ...]:
    return tuple({name: value for name, value in row.items() if name not in columns} for row in rows)


def _battle_forces(rows: Iterable[Card]) -> tuple[Card, ...]:
    states: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = {name: row[name] for name in ("slug", "name", "faction", "link_id")}
        states.setdefault(row["slug"], {**own, "formats": {}})["formats"][row["format"]] = {
            "combined_commander_operative_max": row["combined_commander_operative_max"],
            "limits": {rank: [row[f"{rank}_min"], row[f"{rank}_max"]] for rank in RANKS},
        }
    return tuple(states.values())


def _battle_force_card(row: Card) -> Card:
    parts = (row["battle_force"], row["kind"], row["rank"], row["card_slug"])
    return {"slug": "--".join(part for part in parts if part), **row}


def _rank_requirements(rows: Iterable[Card]) -> tuple[Card, ...]:
    formats: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = {"slug": row["format"], "name": row["source_name"], "max_points": row["max_points"]}
        card = formats.setdefault(row["format"], {**own, "limits": {}})
        card["limits"][row["rank"]] = [row["min"], row["max"]]
    return tuple(formats.values())


def _story_arc(row: Card) -> Card:
    [plain] = _without([row], *ARC_PARTS)
    return plain


def _setback(row: Card) -> Card:
    """Return a Setback: general ones say whether they stack, those of an arc what a second instance does (R36)."""
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


#: Each kind of card in a Story Arc with the function that makes the card of its row; others stay as they are.
_CARD_OF_ARC: Mapping[str, Callable[[Card], Card]] = {
    "commendation": lambda row: {"high": False, **row},
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
    """Return a card for the rules: the values that the dataclass has, lists as tuples."""
    values = {
        field.name: card[field.name]
        for field in fields(kind)  # type: ignore[arg-type]
        if field.name in card and field.name not in other
    }
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}, **other)


def _rolled(kind: type[Printed], card: Card) -> Printed:
    """Return a Setback or Trait. A retired one stays with the units that have it, but no die shows it."""
    return _printed(kind, card, face="" if _is_retired(card) else card["face"])


def _is_retired(card: Card) -> bool:
    return bool(card.get("retired", False))


def _commendation(card: Card) -> card_types.Commendation:
    return _printed(card_types.Commendation, card, requires=_printed(card_types.Requirement, card["requires"]))


def _limits(data: Card) -> Mapping[str, tuple[int, int]]:
    return MappingProxyType({rank: (low, high) for rank, (low, high) in data["limits"].items()})


def _counterpart(card: Card) -> card_types.Counterpart:
    printed = _printed(card_types.Unit, card, rank="", unit_class="trooper", unique_by_title=False)
    return card_types.Counterpart(card["slug"], printed, tuple(card["parent_unit_slugs"]))


def _states(cards_by_kind: Mapping[str, Iterable[Card]]) -> Iterable[BattleForce]:
    named: dict[str, dict[str, list[Card]]] = {}
    for card in cards_by_kind["battle_force_card"]:
        if not _is_retired(card):
            named.setdefault(card["battle_force"], {}).setdefault(card["kind"], []).append(card)
    return [_state(card, named.get(card["slug"], {})) for card in cards_by_kind["battle_force"]]


def _state(card: Card, named: Mapping[str, Iterable[Card]]) -> BattleForce:
    slugs = {kind: frozenset(other["card_slug"] for other in found) for kind, found in named.items()}
    ranks = {
        game: RankLimits(game, card["name"], 0, _limits(data), data["combined_commander_operative_max"])
        for game, data in card["formats"].items()
    }
    units = {
        unit["card_slug"]: Listing(unit["rank"], unit["limit_min"] or 0, unit["limit_max"])
        for unit in named.get("unit", ())
    }
    return _printed(
        BattleForce,
        card,
        ranks=MappingProxyType(ranks),
        units=MappingProxyType(units),
        counterparts=slugs.get("counterpart", frozenset()),
        unique_upgrades=slugs.get("allowed-upgrade", frozenset()),
        barred=slugs.get("disallowed-upgrade", frozenset()),
    )


def _agenda(card: Card) -> card_types.Agenda:
    marks, shield = card["marks"], card["casualty_shield"]
    number = marks["count"] if marks and marks["count"] != "any" else None
    return _printed(
        card_types.Agenda,
        card,
        progress=tuple(read_condition(condition, card["slug"]) for condition in card["progress"]),
        reward=read_reward(card["reward"], card["slug"]),
        marks=card_types.Marks(number, marks["who"], marks.get("from", "fielded")) if marks else None,
        casualty_shield=read_reward(shield["instead"], card["slug"]) if shield else (),
    )


def _turning_point(card: Card) -> card_types.TurningPoint:
    return _printed(
        card_types.TurningPoint,
        card,
        advantages=MappingProxyType(card["advantages"]),
        asks=MappingProxyType(card["asks"]),
        end_of_game=tuple(read_end_of_game(entry, card["slug"]) for entry in card["end_of_game"]),
        victory=read_reward(card["victory"], card["slug"]),
        defeat=read_reward(card["defeat"], card["slug"]),
    )


#: The kinds of cards of which each Story Arc has one or more.
_PARTS = tuple(kind for kind, _ in ARC_PARTS.values())


def _story_arcs(cards_by_kind: Mapping[str, Iterable[Card]]) -> Iterable[card_types.StoryArc]:
    """Return the Story Arcs that have all their parts; an unfinished one in the admin may lack some."""
    parts: dict[str, dict[str, list[Card]]] = {}
    for kind in _PARTS:
        for card in cards_by_kind[kind]:
            parts.setdefault(card["story_arc"], {}).setdefault(kind, []).append(card)
    for card in cards_by_kind["story_arc"]:
        every = parts.get(card["slug"], {})
        # All cards of an arc count once the whole arc is retired.
        own = {kind: [card for card in found if not _is_retired(card)] or found for kind, found in every.items()}
        if len(own) < len(_PARTS):
            continue
        yield _printed(
            card_types.StoryArc,
            card,
            turning_point=_turning_point(own["turning_point"][0]),
            agendas=tuple(map(_agenda, own["agenda"])),
            agendas_of_before=tuple(_agenda(card) for card in every["agenda"] if card not in own["agenda"]),
            **{kind: own[kind][0]["slug"] for kind in ("commendation", "setback", "defining_trait")},
        )

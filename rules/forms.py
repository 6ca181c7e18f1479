"""What each file of a catalogue holds: columns of CSV files, keys of JSON files, and readers for their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .cards import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES, Restriction, Term
from .clauses import SOURCES, read_condition, read_end_of_game, read_reward
from .dice import DICE

Reader = Callable[[Any], Any]

ALL_FACTIONS = (*FACTIONS, MERCENARY)

#: The words a restriction may use, with the values known beforehand; the others are names of the catalogue.
RESTRICTION_KEYS: Mapping[str, tuple[str, ...]] = {
    "faction": ALL_FACTIONS,
    "affiliation": (),
    "force_side": ("light", "dark"),
    "rank": RANKS,
    "unit": (),
    "unit_title": (),
    "unit_type": (),
    "keyword": (),
    "has_slot": UPGRADE_TYPES,
    "defense_die": ("red", "white"),
}

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Columns:
    """The columns of a table, or the keys of a JSON object: each with its reader, and a default if optional."""

    required: Mapping[str, Reader]
    optional: Mapping[str, tuple[Reader, Any]] = field(default_factory=dict)

    def read(self, data: Any) -> tuple[dict[str, Any], list[str]]:
        """The values by name, and a sentence for everything that is wrong with them."""
        if not isinstance(data, dict):
            return {}, [f"expected named values, not {data!r}"]
        faults = [f"missing {name!r}" for name in self.required if name not in data]
        faults += [
            f"unknown {name!r}" for name in data if name not in self.required and name not in self.optional
        ]
        row = {name: default for name, (_, default) in self.optional.items()}
        for name, value in data.items():
            reader = self.required.get(name) or self.optional.get(name, (None, None))[0]
            if reader is None:
                continue
            try:
                row[name] = reader(value)
            except ValueError as fault:
                faults.append(f"{name}: {fault}")
        return row, faults

    def __call__(self, data: Any) -> dict[str, Any]:
        row, faults = self.read(data)
        if faults:
            raise ValueError("; ".join(faults))
        return row


def text(value: Any) -> str:
    """Any text, an empty one too."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    return value


def name(value: Any) -> str:
    """A text that says something."""
    if not text(value).strip():
        raise ValueError("a name or text is missing")
    return text(value)


def slug(value: Any) -> str:
    """Small letters, digits and single hyphens."""
    if not _SLUG.fullmatch(text(value)):
        raise ValueError(f"{value!r} is not a slug (small letters, digits, hyphens)")
    return text(value)


def source_id(value: Any) -> str:
    """The two letters of Legion HQ; capitals count."""
    if not re.fullmatch(r"[A-Za-z]{2}", text(value)):
        raise ValueError(f"{value!r} is not a source id (two letters)")
    return text(value)


def one_of(*values: str) -> Reader:
    """One of these words."""

    def read(value: Any) -> str:
        if value not in values:
            raise ValueError(
                f"unknown value {value!r}; known are {', '.join(word or '(nothing)' for word in values)}"
            )
        return text(value)

    return read


def number_cell(value: Any) -> int:
    """A whole number, 0 or more."""
    if not re.fullmatch(r"[0-9]{1,6}", text(value)):
        raise ValueError(f"expected a whole number, not {value!r}")
    return int(value)


def optional_number_cell(value: Any) -> int | None:
    """A whole number, or nothing."""
    return number_cell(value) if value != "" else None


def flag_cell(value: Any) -> bool:
    """`true` or `false`."""
    if value not in ("true", "false"):
        raise ValueError(f"expected true or false, not {value!r}")
    return bool(value == "true")


def words_cell(reader: Reader = name) -> Reader:
    """Values separated by `|`; an empty cell holds none."""

    def read(value: Any) -> tuple[Any, ...]:
        return tuple(reader(part) for part in text(value).split("|")) if value else ()

    return read


def restriction_cell(value: Any) -> str:
    """A restriction that `read_restriction` understands, as it stands."""
    read_restriction(text(value))
    return text(value)


def read_restriction(value: str) -> Restriction:
    """Alternatives separated by `;`, of terms separated by `|`, each `key:value`, negated by a leading `!`.

    Empty: no restriction. Raises ValueError for an unknown key or an impossible value.
    """
    if not value:
        return ()
    return tuple(tuple(_read_term(part) for part in group.split("|")) for group in value.split(";"))


def _read_term(part: str) -> Term:
    key, colon, value = part.removeprefix("!").partition(":")
    if not colon or not value or key not in RESTRICTION_KEYS:
        raise ValueError(f"unknown restriction {part!r}; the keys are {', '.join(RESTRICTION_KEYS)}")
    known = RESTRICTION_KEYS[key]
    if known and value not in known:
        raise ValueError(f"restriction {part!r}: {key} is one of {', '.join(known)}")
    return Term(key, value, negated=part.startswith("!"))


def number(value: Any) -> int:
    """A whole number, 0 or more."""
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a whole number, not {value!r}")
    return value


def optional_number(value: Any) -> int | None:
    """A whole number, or null."""
    return None if value is None else number(value)


def count(value: Any) -> int:
    """A whole number, 1 or more."""
    if number(value) < 1:
        raise ValueError("expected 1 or more")
    return number(value)


def flag(value: Any) -> bool:
    """True or false."""
    if type(value) is not bool:
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def list_of(reader: Reader = name) -> Reader:
    """A list of values, kept in order."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, not {value!r}")
        return tuple(reader(part) for part in value)

    return read


def named(what: str, reader: Reader) -> Reader:
    """An object of values; `what` they are, for the sentence if it is none."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"expected named {what}, not {value!r}")
        return {key: reader(part) for key, part in value.items()}

    return read


texts_by_name = named("texts", name)
numbers_by_name = named("numbers", number)
tables_by_name = named("tables", numbers_by_name)


def reward(value: Any) -> Any:
    """A list of clauses of section 8, as it stands."""
    read_reward(value, "entry")
    return value


def progress(value: Any) -> Any:
    """A list of conditions of section 8, at least one, as it stands."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of conditions, not {value!r}")
    for place, condition in enumerate(value):
        read_condition(condition, f"entry[{place}]")
    return value


def end_of_game(value: Any) -> Any:
    """A list of what each player may gain at the end of a Turning Point Mission, as it stands."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {value!r}")
    for place, entry in enumerate(value):
        read_end_of_game(entry, f"entry[{place}]")
    return value


def veteran_rank(value: Any) -> int:
    """A Veteran Rank from 1 to 5."""
    if number(value) not in range(1, 6):
        raise ValueError(f"expected a Veteran Rank from 1 to 5, not {value!r}")
    return number(value)


def count_or_any(value: Any) -> int | str:
    """A number from 1, or "any"."""
    return "any" if value == "any" else count(value)


def optional_faction(value: Any) -> str:
    """A Faction, or null for none."""
    return "" if value is None else text(one_of(*ALL_FACTIONS)(value))


def anything(value: Any) -> Any:
    """What is read elsewhere, entry by entry."""
    return value


def rank_limits(value: Any) -> dict[str, tuple[int, int]]:
    """An object that gives each rank its minimum and maximum."""
    if not isinstance(value, dict) or set(value) != set(RANKS):
        raise ValueError(f"expected [minimum, maximum] for each of {', '.join(RANKS)}")
    return {rank: _limits(rank, pair) for rank, pair in value.items()}


def _limits(rank: str, pair: Any) -> tuple[int, int]:
    if not isinstance(pair, list) or len(pair) != 2 or number(pair[0]) > number(pair[1]):
        raise ValueError(f"{rank}: expected [minimum, maximum], not {pair!r}")
    return pair[0], pair[1]


STORY_ARC_FILE = "story_arcs.json"
TABLES_FILE = "tours_of_duty.json"


def checked(columns: Columns) -> Reader:
    """A reader that checks a JSON object and leaves it as it stands."""

    def read(value: Any) -> Any:
        columns(value)
        return value

    return read


_face = one_of(*DICE["black_attack"])
SHIELD = Columns({"units": one_of("marked"), "instead": reward})

#: Kind of card to its file and columns.
CSV_FILES: Mapping[str, tuple[str, Columns]] = {
    "unit": ("units.csv", Columns({
        "slug": slug, "name": name, "title": text, "faction": one_of(*ALL_FACTIONS),
        "rank": one_of(*RANKS), "unit_class": one_of("trooper", "vehicle"), "unit_type": name,
        "unique": flag_cell, "unique_by_title": flag_cell, "points": number_cell,
        "upgrade_slots": words_cell(one_of(*UPGRADE_TYPES)), "keywords": words_cell(), "affiliation": text,
        "hireable_by": words_cell(one_of(*ALL_FACTIONS)), "wounds": optional_number_cell, "courage": text,
        "resilience": text, "speed": number_cell, "minis": number_cell,
        "defense_die": one_of("red", "white"), "attack_surge": one_of("", "hit", "critical"),
        "defense_surge": one_of("", "block"), "counterpart_id": text, "paragon_eligible": flag_cell,
        "unreleased": text, "changed_since_2026_04_23": text, "last_change_noted": text,
        "source_id": source_id,
    })),
    "upgrade": ("upgrades.csv", Columns({
        "slug": slug, "name": name, "title": text, "type": one_of(*UPGRADE_TYPES), "points": number_cell,
        "unique": flag_cell, "army_limit": optional_number_cell, "restrictions": restriction_cell,
        "faction": one_of("", *ALL_FACTIONS), "hireable_by": words_cell(one_of(*ALL_FACTIONS)),
        "grants_slots": words_cell(one_of(*UPGRADE_TYPES)), "changes_affiliation_to": text,
        "keywords": words_cell(), "tod_banned_unique_type": flag_cell, "unreleased": text,
        "changed_since_2026_04_23": text, "last_change_noted": text, "source_id": source_id,
    })),
    "counterpart": ("counterparts.csv", Columns({
        "slug": slug, "name": name, "title": text, "faction": one_of(*ALL_FACTIONS), "unit_type": name,
        "unique": flag_cell, "points": number_cell, "wounds": optional_number_cell,
        "upgrade_slots": words_cell(one_of(*UPGRADE_TYPES)), "keywords": words_cell(),
        "parent_unit_slugs": words_cell(slug), "source_id": source_id,
    })),
    "command_card": ("command_cards.csv", Columns({
        "slug": slug, "name": name, "pips": number_cell, "faction": one_of("", *ALL_FACTIONS),
        "required_units": words_cell(), "required_mode": one_of("", "any", "all"),
        "extra_requirements": restriction_cell, "battle_force": text, "unreleased": text,
        "changed_since_2026_04_23": text, "source_id": source_id,
    })),
    "battle_force": ("battle_forces.csv", Columns({
        "slug": slug, "name": name, "faction": one_of(*ALL_FACTIONS), "link_id": slug,
        "format": one_of("recon", "standard"), "combined_commander_operative_max": optional_number_cell,
        **{f"{rank}_{end}": number_cell for rank in RANKS for end in ("min", "max")},
    })),
    "battle_force_card": ("battle_force_cards.csv", Columns({
        "battle_force": slug,
        "kind": one_of("unit", "counterpart", "upgrade", "allowed-upgrade", "disallowed-upgrade"),
        "rank": one_of("", *RANKS), "card_slug": slug, "limit_min": optional_number_cell,
        "limit_max": optional_number_cell, "source_id": source_id,
    })),
    "rank_requirement": ("rank_requirements.csv", Columns({
        "format": slug, "source_name": name, "max_points": number_cell, "rank": one_of(*RANKS),
        "min": number_cell, "max": number_cell,
    })),
    "battle_card": ("battle_cards.csv", Columns({
        "slug": slug, "name": name, "type": one_of("advantage", "objective", "secondary"),
        "format": one_of("recon", "standard"), "faction": one_of("", *ALL_FACTIONS), "source_id": source_id,
    })),
    "suspicious": ("suspicious.csv", Columns({
        "kind": slug, "source_id": text, "name": text, "detail": text,
    })),
}  # fmt: skip

REQUIRES = Columns({}, {
    "veteran_rank": (veteran_rank, 0), "commendations": (list_of(slug), ()),
    "unit_class": (one_of("trooper", "vehicle"), ""), "rank": (list_of(one_of(*RANKS)), ()),
    "unit_type": (list_of(), ()), "unit_keyword": (name, ""), "paragon": (flag, False),
})  # fmt: skip
_COMMENDATION = {"slug": slug, "name": name, "requires": checked(REQUIRES), "effect": name}
_COMMENDATION_EXTRA = {
    "keywords": (list_of(), ()), "upgrade_slots": (list_of(one_of(*UPGRADE_TYPES)), ()),
    "choose_keyword": (list_of(), ()),
}  # fmt: skip
_SETBACK = {"slug": slug, "name": name, "effect": name}
_TRAIT_EXTRA = {
    "blocks_rival": (flag, False), "blocks_agenda_rewards": (flag, False),
    "casualty_check_without_progress": (flag, False),
    "aid_requests_start": (checked(Columns({
        "roll": Columns({"die": one_of(*DICE), "count": count}),
        "lose_supply_points_per_face": list_of(one_of("hit", "critical", "block", "surge", "blank")),
    })), None),
}  # fmt: skip
_TRAIT_ROLLED = Columns(
    {"slug": slug, "name": name, "face": _face, "games": count, "effect": name}, _TRAIT_EXTRA
)
#: The row of a Setback or Trait table that stands for "the Story Arc's own".
ARC_ROW = Columns({
    "slug": slug, "name": name, "face": _face, "experience": number, "from_story_arc": flag, "effect": name,
})  # fmt: skip

#: Section of the tables file to the kind of card in it.
SECTIONS: Mapping[str, tuple[str, Columns]] = {
    "commendations": ("commendation", Columns({**_COMMENDATION, "high": flag}, _COMMENDATION_EXTRA)),
    "setbacks": ("setback", Columns(
        {**_SETBACK, "face": _face, "stacks": flag}, {"army_points_each": (number, 0)}
    )),
    "defining_traits": ("defining_trait", _TRAIT_ROLLED),
    "aid_requests": ("aid_request", Columns(
        {"slug": slug, "name": name, "cost": name, "repeatable": flag, "effect": name}
    )),
    "strategic_assets": ("asset", Columns(
        {"slug": slug, "name": name, "cost": number, "per_sequence": count, "effect": name},
        {"not_in_own_turning_point": (flag, False), "kept_if_unused": (flag, False)},
    )),
    "paragon_command_cards": ("paragon_command_card", Columns(
        {"slug": slug, "name": name, "pips": count, "orders": name}, {"in_game": (texts_by_name, None)}
    )),
    "keywords": ("keyword", Columns({"name": name, "effect": name})),
}  # fmt: skip
#: Sections that the rules know already; they must say the same.
CONSTANTS = ("starting_register", "experience_thresholds", "maximum_veteran_rank", "dice")

MARKS = Columns({"count": count_or_any, "who": name}, {"from": (one_of(*SOURCES), "fielded")})
#: Part of a Story Arc to the kind of card it is.
ARC_PARTS: Mapping[str, tuple[str, Columns]] = {
    "commendation": ("commendation", Columns(_COMMENDATION, _COMMENDATION_EXTRA)),
    "setback": ("setback", Columns(
        {**_SETBACK, "second_instance": one_of("casualty", "reroll", "stacks")},
        {"casualty_check": (one_of("add_one_die_or_reroll_blanks"), ""), "army_points_each": (number, 0)},
    )),
    "defining_trait": ("defining_trait", Columns(
        {"slug": slug, "name": name, "games": count, "effect": name}, _TRAIT_EXTRA
    )),
    "turning_point": ("turning_point", Columns({
        "slug": slug, "name": name, "owner_colour": one_of("blue"), "setup": name, "scoring": name,
        "secondary": name, "advantages": texts_by_name, "end_of_game": end_of_game,
        "victory": reward, "defeat": reward,
    }, {"asks": (texts_by_name, {})})),
    "agendas": ("agenda", Columns(
        {"slug": slug, "name": name, "tally": name, "progress": progress,
         "progressions_to_complete": count, "reward": reward},
        {"marks": (checked(MARKS), None), "casualty_shield": (checked(SHIELD), None),
         "note": (name, "")},
    )),
}  # fmt: skip

#: The whole of the tables file, and of the file of Story Arcs: their entries are read one by one.
TABLES_FORM = Columns({
    "edition": name, "starting_register": numbers_by_name, "experience_thresholds": numbers_by_name,
    "maximum_veteran_rank": numbers_by_name, "dice": tables_by_name,
    **dict.fromkeys(SECTIONS, list_of(anything)),
})  # fmt: skip
STORY_ARCS_FORM = Columns({"edition": name, "arcs": list_of(anything)})
STORY_ARC_FORM = Columns({
    "slug": slug, "name": name, "intended_for": optional_faction, "briefing": name,
    **dict.fromkeys(("commendation", "setback", "defining_trait", "turning_point"), anything),
    "agendas": list_of(anything),
})  # fmt: skip

#: Kind of card to the kind of the row that stands for "the Story Arc's own" in its table.
ARC_ROWS = {"setback": "setback_of_arc", "defining_trait": "trait_of_arc"}
#: Every kind of row.
KINDS = tuple(dict.fromkeys((
    *CSV_FILES, *(kind for kind, _ in SECTIONS.values()), *(kind for kind, _ in ARC_PARTS.values()),
    "story_arc", *ARC_ROWS.values(),
)))  # fmt: skip

#: The rank limits of a battle force, by format, as cards hold them.
_LIMITS = Columns({"combined_commander_operative_max": optional_number, "limits": rank_limits})
FORMATS = Columns({"recon": _LIMITS, "standard": _LIMITS})

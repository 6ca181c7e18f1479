"""The schema of each catalogue file: the columns of the CSV files, the keys of the JSON files."""

from collections.abc import Mapping
from typing import Any

from rules.catalogue import csv_fields as c
from rules.catalogue.csv_fields import CsvColumns
from rules.core.card_types import RANKS, UPGRADE_TYPES
from rules.core.dice import DICE
from rules.core.reward_effects import SOURCES

STORY_ARC_FILE = "story_arcs.json"
TABLES_FILE = "tours_of_duty.json"


def checked(columns: CsvColumns) -> c.Reader:
    """Return a reader that checks a JSON object and leaves it unchanged."""

    def read(value: Any) -> Any:
        columns(value)
        return value

    return read


_face = c.one_of(*DICE["black_attack"])
SHIELD = CsvColumns({"units": c.one_of("marked"), "instead": c.reward})

_NAMES = {"slug": c.slug, "name": c.name, "title": c.text, "short_name": c.text, "tts_name": c.text}

#: Each kind of card with its file and columns.
CSV_FILES: Mapping[str, tuple[str, CsvColumns]] = {
    "unit": ("units.csv", CsvColumns({
        **_NAMES, "faction": c.one_of(*c.ALL_FACTIONS),
        "rank": c.one_of(*RANKS), "unit_class": c.one_of("trooper", "vehicle"), "unit_type": c.name,
        "unique": c.flag_cell, "unique_by_title": c.flag_cell, "points": c.number_cell,
        "upgrade_slots": c.words_cell(c.one_of(*UPGRADE_TYPES)), "keywords": c.words_cell(), "affiliation": c.text,
        "hireable_by": c.words_cell(c.one_of(*c.ALL_FACTIONS)), "wounds": c.optional_number_cell, "courage": c.text,
        "resilience": c.text, "speed": c.number_cell, "minis": c.number_cell,
        "defense_die": c.one_of("red", "white"), "attack_surge": c.one_of("", "hit", "critical"),
        "defense_surge": c.one_of("", "block"), "counterpart_id": c.text, "paragon_eligible": c.flag_cell,
        "release": c.text, "changed_since_2026_04_23": c.text, "last_change_noted": c.text,
        "source_id": c.source_id,
    })),
    "upgrade": ("upgrades.csv", CsvColumns({
        **_NAMES, "type": c.one_of(*UPGRADE_TYPES), "points": c.number_cell,
        "unique": c.flag_cell, "army_limit": c.optional_number_cell, "restrictions": c.restriction_cell,
        "faction": c.one_of("", *c.ALL_FACTIONS), "hireable_by": c.words_cell(c.one_of(*c.ALL_FACTIONS)),
        "grants_slots": c.words_cell(c.one_of(*UPGRADE_TYPES)), "changes_affiliation_to": c.text,
        "keywords": c.words_cell(), "tod_banned_unique_type": c.flag_cell, "release": c.text,
        "changed_since_2026_04_23": c.text, "last_change_noted": c.text, "source_id": c.source_id,
    })),
    "counterpart": ("counterparts.csv", CsvColumns({
        **_NAMES, "faction": c.one_of(*c.ALL_FACTIONS), "unit_type": c.name,
        "unique": c.flag_cell, "points": c.number_cell, "wounds": c.optional_number_cell,
        "upgrade_slots": c.words_cell(c.one_of(*UPGRADE_TYPES)), "keywords": c.words_cell(),
        "parent_unit_slugs": c.words_cell(c.slug), "source_id": c.source_id,
    })),
    "command_card": ("command_cards.csv", CsvColumns({
        "slug": c.slug, "name": c.name, "pips": c.number_cell, "faction": c.one_of("", *c.ALL_FACTIONS),
        "required_units": c.words_cell(), "required_mode": c.one_of("", "any", "all"),
        "extra_requirements": c.restriction_cell, "battle_force": c.text, "release": c.text,
        "changed_since_2026_04_23": c.text, "source_id": c.source_id,
    })),
    "battle_force": ("battle_forces.csv", CsvColumns({
        "slug": c.slug, "name": c.name, "faction": c.one_of(*c.ALL_FACTIONS), "link_id": c.slug,
        "format": c.one_of("recon", "standard"), "combined_commander_operative_max": c.optional_number_cell,
        **{f"{rank}_{end}": c.number_cell for rank in RANKS for end in ("min", "max")},
    })),
    "battle_force_card": ("battle_force_cards.csv", CsvColumns({
        "battle_force": c.slug,
        "kind": c.one_of("unit", "counterpart", "upgrade", "allowed-upgrade", "disallowed-upgrade"),
        "rank": c.one_of("", *RANKS), "card_slug": c.slug, "limit_min": c.optional_number_cell,
        "limit_max": c.optional_number_cell, "source_id": c.source_id,
    })),
    "rank_requirement": ("rank_requirements.csv", CsvColumns({
        "format": c.slug, "source_name": c.name, "max_points": c.number_cell, "rank": c.one_of(*RANKS),
        "min": c.number_cell, "max": c.number_cell,
    })),
    "battle_card": ("battle_cards.csv", CsvColumns({
        "slug": c.slug, "name": c.name, "type": c.one_of("advantage", "objective", "secondary"),
        "format": c.one_of("recon", "standard"), "faction": c.one_of("", *c.ALL_FACTIONS), "source_id": c.source_id,
    })),
    "suspicious": ("suspicious.csv", CsvColumns({
        "kind": c.slug, "source_id": c.text, "name": c.text, "detail": c.text,
    })),
}  # fmt: skip

REQUIRES = CsvColumns({}, {
    "veteran_rank": (c.veteran_rank, 0), "commendations": (c.list_of(c.slug), ()),
    "unit_class": (c.one_of("trooper", "vehicle"), ""), "rank": (c.list_of(c.one_of(*RANKS)), ()),
    "unit_type": (c.list_of(), ()), "unit_keyword": (c.name, ""), "paragon": (c.flag, False),
})  # fmt: skip
_COMMENDATION = {"slug": c.slug, "name": c.name, "requires": checked(REQUIRES), "effect": c.name}
_COMMENDATION_EXTRA = {
    "keywords": (c.list_of(), ()), "upgrade_slots": (c.list_of(c.one_of(*UPGRADE_TYPES)), ()),
    "choose_keyword": (c.list_of(), ()),
}  # fmt: skip
_SETBACK = {"slug": c.slug, "name": c.name, "effect": c.name}
_TRAIT_EXTRA = {
    "blocks_rival": (c.flag, False), "blocks_agenda_rewards": (c.flag, False),
    "casualty_check_without_progress": (c.flag, False),
    "aid_requests_start": (checked(CsvColumns({
        "roll": CsvColumns({"die": c.one_of(*DICE), "count": c.count}),
        "lose_supply_points_per_face": c.list_of(c.one_of("hit", "critical", "block", "surge", "blank")),
    })), None),
}  # fmt: skip
_TRAIT_ROLLED = CsvColumns(
    {"slug": c.slug, "name": c.name, "face": _face, "games": c.count, "effect": c.name}, _TRAIT_EXTRA
)
#: The row of a Setback or Trait table that means "the Story Arc's own".
ARC_ROW = CsvColumns({
    "slug": c.slug, "name": c.name, "face": _face, "experience": c.number, "from_story_arc": c.flag, "effect": c.name,
})  # fmt: skip

#: Each section of the tables file with the kind of card in it.
SECTIONS: Mapping[str, tuple[str, CsvColumns]] = {
    "commendations": ("commendation", CsvColumns({**_COMMENDATION, "high": c.flag}, _COMMENDATION_EXTRA)),
    "setbacks": ("setback", CsvColumns(
        {**_SETBACK, "face": _face, "stacks": c.flag}, {"army_points_each": (c.number, 0)}
    )),
    "defining_traits": ("defining_trait", _TRAIT_ROLLED),
    "aid_requests": ("aid_request", CsvColumns(
        {"slug": c.slug, "name": c.name, "cost": c.name, "repeatable": c.flag, "effect": c.name}
    )),
    "strategic_assets": ("asset", CsvColumns(
        {"slug": c.slug, "name": c.name, "cost": c.number, "per_sequence": c.count, "effect": c.name},
        {"not_in_own_turning_point": (c.flag, False), "kept_if_unused": (c.flag, False)},
    )),
    "paragon_command_cards": ("paragon_command_card", CsvColumns(
        {"slug": c.slug, "name": c.name, "pips": c.count, "orders": c.name}, {"in_game": (c.texts_by_name, None)}
    )),
    "keywords": ("keyword", CsvColumns({"name": c.name, "effect": c.name})),
}  # fmt: skip
#: Sections that repeat constants of the rules; both must agree.
CONSTANTS = ("starting_register", "experience_thresholds", "maximum_veteran_rank", "dice")

MARKS = CsvColumns({"count": c.count_or_any, "who": c.name}, {"from": (c.one_of(*SOURCES), "fielded")})
#: Each part of a Story Arc with its kind of card.
ARC_PARTS: Mapping[str, tuple[str, CsvColumns]] = {
    "commendation": ("commendation", CsvColumns(_COMMENDATION, _COMMENDATION_EXTRA)),
    "setback": ("setback", CsvColumns(
        {**_SETBACK, "second_instance": c.one_of("casualty", "reroll", "stacks")},
        {"casualty_check": (c.one_of("add_one_die_or_reroll_blanks"), ""), "army_points_each": (c.number, 0)},
    )),
    "defining_trait": ("defining_trait", CsvColumns(
        {"slug": c.slug, "name": c.name, "games": c.count, "effect": c.name}, _TRAIT_EXTRA
    )),
    "turning_point": ("turning_point", CsvColumns({
        "slug": c.slug, "name": c.name, "owner_colour": c.one_of("blue"), "setup": c.name, "scoring": c.name,
        "secondary": c.name, "advantages": c.texts_by_name, "end_of_game": c.end_of_game,
        "victory": c.reward, "defeat": c.reward,
    }, {"asks": (c.texts_by_name, {})})),
    "agendas": ("agenda", CsvColumns(
        {"slug": c.slug, "name": c.name, "tally": c.name, "progress": c.progress,
         "progressions_to_complete": c.count, "reward": c.reward},
        {"marks": (checked(MARKS), None), "casualty_shield": (checked(SHIELD), None),
         "note": (c.name, "")},
    )),
}  # fmt: skip

#: The tables file and the file of Story Arcs as a whole: their entries are read one by one.
TABLES_FORM = CsvColumns({
    "edition": c.name, "starting_register": c.numbers_by_name, "experience_thresholds": c.numbers_by_name,
    "maximum_veteran_rank": c.numbers_by_name, "dice": c.tables_by_name,
    **dict.fromkeys(SECTIONS, c.list_of(c.anything)),
})  # fmt: skip
STORY_ARCS_FORM = CsvColumns({"edition": c.name, "arcs": c.list_of(c.anything)})
STORY_ARC_FORM = CsvColumns({
    "slug": c.slug, "name": c.name, "intended_for": c.optional_faction, "briefing": c.name,
    **dict.fromkeys(("commendation", "setback", "defining_trait", "turning_point"), c.anything),
    "agendas": c.list_of(c.anything),
})  # fmt: skip

#: Each kind of card with the kind of the row that means "the Story Arc's own" in its table.
ARC_ROWS = {"setback": "setback_of_arc", "defining_trait": "trait_of_arc"}
#: Every kind of row.
KINDS = tuple(dict.fromkeys((
    *CSV_FILES, *(kind for kind, _ in SECTIONS.values()), *(kind for kind, _ in ARC_PARTS.values()),
    "story_arc", *ARC_ROWS.values(),
)))  # fmt: skip

#: The rank limits of a battle force, by format, as cards hold them.
_LIMITS = CsvColumns({"combined_commander_operative_max": c.optional_number, "limits": c.rank_limits})
FORMATS = CsvColumns({"recon": _LIMITS, "standard": _LIMITS})

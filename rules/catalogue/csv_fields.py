"""Readers of the values in a catalogue's files: each returns the value or raises ValueError with a sentence.

Readers named after a CSV cell take text; the others take what JSON gives.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from rules.core.card_types import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES, Restriction, Term
from rules.core.reward_effects import read_condition, read_end_of_game, read_reward
from rules.core.values import Value

Reader = Callable[[Any], Any]

ALL_FACTIONS = (*FACTIONS, MERCENARY)

#: The keys a restriction may use, with their known values; the values of the others are names of the catalogue.
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


class CsvColumns(Value):
    """The columns of a table, or the keys of a JSON object: each with its reader, and a default if optional."""

    required: Mapping[str, Reader]
    optional: Mapping[str, tuple[Reader, Any]] = field(default_factory=dict)

    def read(self, data: Any) -> tuple[dict[str, Any], list[str]]:
        """Return the values by name, and a sentence for everything that is wrong with them."""
        if not isinstance(data, dict):
            return {}, [f"expected named values, not {data!r}"]
        faults = [f"missing {name!r}" for name in self.required if name not in data]
        faults += [f"unknown {name!r}" for name in data if name not in self.required and name not in self.optional]
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
    """Return any text, an empty one too."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    return value


def name(value: Any) -> str:
    """Return a text that is not empty."""
    if not text(value).strip():
        raise ValueError("a name or text is missing")
    return text(value)


def slug(value: Any) -> str:
    """Return a slug: lower-case letters, digits and single hyphens."""
    if not _SLUG.fullmatch(text(value)):
        raise ValueError(f"{value!r} is not a slug (small letters, digits, hyphens)")
    return text(value)


def source_id(value: Any) -> str:
    """Return a Legion HQ id: two letters, case-sensitive."""
    if not re.fullmatch(r"[A-Za-z]{2}", text(value)):
        raise ValueError(f"{value!r} is not a source id (two letters)")
    return text(value)


def one_of(*values: str) -> Reader:
    """Return a reader that accepts one of these words."""

    def read(value: Any) -> str:
        if value not in values:
            raise ValueError(f"unknown value {value!r}; known are {', '.join(word or '(nothing)' for word in values)}")
        return text(value)

    return read


def number_cell(value: Any) -> int:
    """Return a whole number, 0 or more."""
    if not re.fullmatch(r"[0-9]{1,6}", text(value)):
        raise ValueError(f"expected a whole number, not {value!r}")
    return int(value)


def optional_number_cell(value: Any) -> int | None:
    """Return a whole number, or None for an empty cell."""
    return number_cell(value) if value != "" else None


def flag_cell(value: Any) -> bool:
    """Return the value of `true` or `false`."""
    if value not in ("true", "false"):
        raise ValueError(f"expected true or false, not {value!r}")
    return bool(value == "true")


def words_cell(reader: Reader = name) -> Reader:
    """Return a reader of values separated by `|`; an empty cell has none."""

    def read(value: Any) -> tuple[Any, ...]:
        return tuple(reader(part) for part in text(value).split("|")) if value else ()

    return read


def restriction_cell(value: Any) -> str:
    """Return a restriction unchanged, if `read_restriction` understands it."""
    read_restriction(text(value))
    return text(value)


def read_restriction(value: str) -> Restriction:
    """Return alternatives separated by `;`, of terms separated by `|`, each `key:value`, negated by a leading `!`.
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
    """Return a whole number, 0 or more."""
    if type(value) is not int or value < 0:
        raise ValueError(f"expected a whole number, not {value!r}")
    return value


def optional_number(value: Any) -> int | None:
    """Return a whole number, or None for null."""
    return None if value is None else number(value)


def count(value: Any) -> int:
    """Return a whole number, 1 or more."""
    if number(value) < 1:
        raise ValueError("expected 1 or more")
    return number(value)


def flag(value: Any) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def list_of(reader: Reader = name) -> Reader:
    """Return a reader of a list of values, in order."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, not {value!r}")
        return tuple(reader(part) for part in value)

    return read


def _by_name(what: str, reader: Reader) -> Reader:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError(f"expected named {what}, not {value!r}")
        return {key: reader(part) for key, part in value.items()}

    return read


texts_by_name = _by_name("texts", name)
numbers_by_name = _by_name("numbers", number)
tables_by_name = _by_name("tables", numbers_by_name)


def reward(value: Any) -> Any:
    """Return a list of reward effects of section 8 unchanged."""
    read_reward(value, "entry")
    return value


def progress(value: Any) -> Any:
    """Return a list of conditions of section 8, at least one, unchanged."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of conditions, not {value!r}")
    for place, condition in enumerate(value):
        read_condition(condition, f"entry[{place}]")
    return value


def end_of_game(value: Any) -> Any:
    """Return the list of what each player may gain at the end of a Turning Point Mission unchanged."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {value!r}")
    for place, entry in enumerate(value):
        read_end_of_game(entry, f"entry[{place}]")
    return value


def veteran_rank(value: Any) -> int:
    """Return a Veteran Rank from 1 to 5."""
    if number(value) not in range(1, 6):
        raise ValueError(f"expected a Veteran Rank from 1 to 5, not {value!r}")
    return number(value)


def count_or_any(value: Any) -> int | str:
    """Return a number from 1, or "any"."""
    return "any" if value == "any" else count(value)


def optional_faction(value: Any) -> str:
    """Return a Faction; null is none."""
    return "" if value is None else text(one_of(*ALL_FACTIONS)(value))


def anything(value: Any) -> Any:
    """Return any value: its entries are read elsewhere, one by one."""
    return value


def rank_limits(value: Any) -> dict[str, tuple[int, int]]:
    """Return an object that gives each rank its minimum and maximum."""
    if not isinstance(value, dict) or set(value) != set(RANKS):
        raise ValueError(f"expected [minimum, maximum] for each of {', '.join(RANKS)}")
    return {rank: _limits(rank, pair) for rank, pair in value.items()}


def _limits(rank: str, pair: Any) -> tuple[int, int]:
    if not isinstance(pair, list) or len(pair) != 2 or number(pair[0]) > number(pair[1]):
        raise ValueError(f"{rank}: expected [minimum, maximum], not {pair!r}")
    return pair[0], pair[1]

"""The campaign rules in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _, ngettext

from rules.core.campaign_rules import BY_NAME, STANDARD_RULES, CampaignRules, differences
from rules.core.rulebook import Rulebook
from rules.core.translation import sentences_of
from rules.register.building import arcs_words
from rules.register.upgrade_slots import spoken


def name_words(name: str) -> str:
    """Return the name of a limit or a switch in words."""
    return BY_NAME[name].title if name in BY_NAME else _(_LIMITS[name])


def value_words(book: Rulebook, name: str, value: Any) -> str:
    """Return the value of a limit or a switch in words; `value` is plain JSON."""
    if name in BY_NAME:
        return BY_NAME[name].words(value)
    if name in _NAMED:
        return _names(book, name, value)
    if name == "length":
        return _("open-ended") if value is None else arcs_words(value)
    if name == "unreleased":
        return _("allowed") if value else _("not allowed")
    if name == "rank_table":
        return dict(rank_tables(book)).get(value, value)
    return str(value)


def rank_tables(book: Rulebook) -> list[tuple[str, str]]:
    """Return the rank limits to pick from: those of a battle's size, or a table, by its format (R18)."""
    return [("", _("by size")), *((table.format, table.name) for table in book.rank_limits)]


def in_short(book: Rulebook, campaign_rules: CampaignRules) -> list[str]:
    """Return the differences from the rulebook in a few words each; switches are only counted."""
    different = [(name, value) for name, _before, value in differences(STANDARD_RULES, campaign_rules)]
    found = [_short(book, name, value) for name, value in different if name not in BY_NAME]
    if switched := sum(name in BY_NAME for name, _value in different):
        found.append(ngettext("%(number)s house rule", "%(number)s house rules", switched) % {"number": switched})
    return found


def _short(book: Rulebook, name: str, value: Any) -> str:
    if name == "unreleased":
        return _("unreleased cards")
    words = value_words(book, name, value)
    if name in _NAMED and len(value) > 2:
        words = str(len(value))
    return words if name == "length" else f"{name_words(name)} {words}"


def _names(book: Rulebook, name: str, slugs: Iterable[str]) -> str:
    cards: Mapping[str, Any] = {} if name == "factions" else getattr(book, name)
    named = [cards[slug].name if slug in cards else spoken(slug).capitalize() for slug in slugs]
    return ", ".join(named) or _("all")


_LIMITS = sentences_of(__file__)["limits"]
_NAMED = ("factions", "story_arcs", "battle_forces")
